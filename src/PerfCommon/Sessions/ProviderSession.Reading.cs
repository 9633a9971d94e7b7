using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>What a consumer sends.</content>
public sealed partial class ProviderSession
{
    private const int OffStream = -1;

    private bool _unknownCloseNoted;
    private bool _isBad;

    internal override void OnReadable(long untilNanos)
    {
        if (_replies is null)
            return; // refused when it was opened
        Receiver receiver = new(this);
        if (MayRead)
            Receive(ref receiver, untilNanos);
        _dictionaryReplies!.TrySend();
        Channel.HoldReading(!MayRead);
        Output.EndBurst(); // replies do not wait for the next burst
        _handler.OnRunEnd();
    }

    // False while so many answers wait, or items of a batch, that no further request should be read; a connection that ends is read to its end.
    private bool MayRead => IsFinishing || (!Replies.IsFull && !_dictionaryReplies!.IsFull && _batch is null);

    // False when nothing more may be taken now, and after a message that is none.
    private bool Handle(ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
        {
            // wire/domains 12
            Disconnect("a message that cannot be decoded");
            return false;
        }

        // wire/domains 12
        if (msg is { MsgClass: MsgClass.Request, DomainType: not DomainType.Login } && !_options.LoginOptional && _login.Consumer is null)
        {
            Disconnect("a request before the login");
            return false;
        }

        // wire/domains 1
        switch (msg.DomainType)
        {
            case DomainType.Login:
                HandleLogin(msg);
                break;
            case DomainType.Source:
                HandleDirectory(msg);
                break;
            case DomainType.Dictionary:
                HandleDictionary(msg);
                break;
            default:
                HandleItem(msg);
                break;
        }

        return !_isBad && MayRead;
    }

    private void HandleLogin(scoped in RwfMsg msg)
    {
        // wire/domains 6.4
        if (msg.MsgClass == MsgClass.Post)
        {
            Count(Counter.PostsReceived);
            _handler.OnPost(OffStream, msg);
            return;
        }

        if (msg.MsgClass == MsgClass.Generic && TryTakeRoundTrip(msg))
            return;
        ConversationResult result = _login.Take(msg);
        if (result.Step == ConversationStep.Send)
        {
            Note($"Received Login Request for username: {_login.Consumer?.UserName}");
            Reply(_login.EncodeRefresh(_scratch));
            BeginRoundTrips();
            _handler.OnReady();
        }
        else if (result.Step == ConversationStep.Closed)
        {
            // wire/domains 2.3
            Items.CloseAll();
        }

        Conclude(result);
    }

    private void HandleDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Take(msg);
        if (result.Step == ConversationStep.Send)
        {
            Note("Received Source Directory Request");
            Reply(_directory.EncodeRefresh(_scratch));
        }

        Conclude(result);
    }

    private void HandleDictionary(scoped in RwfMsg msg)
    {
        ConversationResult result = _dictionary.Take(msg, out DictionaryAnswer? answer);
        if (answer is not null)
        {
            Note("Received Dictionary Request");
            if (!IsFinishing)
                _dictionaryReplies!.Add(answer);
        }
        else if (result.Step == ConversationStep.Closed)
        {
            // wire/domains 4
            _dictionaryReplies!.Forget(msg.StreamId);
        }

        Conclude(result);
    }

    // wire/domains 12
    private void HandleItem(scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Request:
                if (!TryBeginBatch(msg))
                    HandleRequest(new ItemRequest(msg));
                break;
            case MsgClass.Close:
                HandleClose(msg.StreamId);
                break;
            case MsgClass.Post:
                Count(Counter.PostsReceived);
                _handler.OnPost(Items.FindStream(msg.StreamId), msg);
                break;
            case MsgClass.Generic:
                Count(Counter.GenericReceived);
                _handler.OnGeneric(Items.FindStream(msg.StreamId), msg);
                break;
            default:
                if (Recording.Counters[Counter.MessagesDropped] == 0)
                    Recording.Notices.Add($"Ignored an unexpected {msg.MsgClass} message on domain {(byte)msg.DomainType}; further ones are only counted.");
                Count(Counter.MessagesDropped);
                break;
        }
    }

    private void HandleRequest(scoped in ItemRequest request)
    {
        Count(Counter.RequestsReceived);
        int slot = Items.FindStream(request.StreamId);
        ItemRejection rejection = _marketPrice.Check(request, Items.OpenCount, UseOf(request, slot));
        if (rejection == ItemRejection.None)
            rejection = _handler.OnRequest(request);
        if (rejection != ItemRejection.None)
        {
            Reject(request, rejection);
            return;
        }

        ItemTraits traits = (request.IsStreaming ? ItemTraits.Streaming : 0) | (request.IsPrivate ? ItemTraits.PrivateStream : 0)
            | ((request.KeyFlags & MsgKeyFlags.HasNameType) != 0 ? ItemTraits.NameTypeGiven : 0);
        if (slot < 0)
            slot = Items.Open(request.StreamId, request.Name, traits);
        else
            // wire/domains 5.5
            Items.Reissue(slot, traits);
        // wire/domains 5.5
        if (!request.IsWithoutRefresh)
            Items.AskRefresh(slot, solicited: true);
    }

    // wire/domains 12
    private ItemStreamUse UseOf(scoped in ItemRequest request, int slot)
    {
        if (slot >= 0)
            return Items.NameOf(slot).SequenceEqual(request.Name) ? ItemStreamUse.Reissue : ItemStreamUse.OtherKeyOnStream;
        return Items.FindName(request.Name) >= 0 ? ItemStreamUse.KeyOpenElsewhere : ItemStreamUse.New;
    }

    private void Reject(scoped in ItemRequest request, ItemRejection why)
    {
        if (Recording.Counters[Counter.RequestsRejected] == 0)
            Recording.Notices.Add($"Rejected item request on stream {request.StreamId}: {why}; further ones are only counted.");
        Count(Counter.RequestsRejected);
        Reply(MarketPriceProvider.EncodeRejection(_scratch, request.Domain, request.StreamId, why));
    }

    // wire/domains 5.5
    private void HandleClose(int streamId)
    {
        Count(Counter.ClosesReceived);
        int slot = Items.FindStream(streamId);
        if (slot >= 0)
            CloseItem(slot);
        else if (!_unknownCloseNoted)
            Recording.Notices.Add($"Ignored a close for stream {streamId}, which is not open; further ones are only counted.");
        _unknownCloseNoted |= slot < 0;
    }

    private void CloseItem(int item)
    {
        Items.Close(item);
        _handler.OnClose(item);
    }

    private void Count(Counter counter) => Counters.Add(counter, 1);

    private void Reply(int bytes) => Replies.Send(_scratch.AsSpan(0, bytes));

    private void Conclude(ConversationResult result)
    {
        if (result.Step == ConversationStep.Disconnect)
            Disconnect(result.Reason ?? "a message that breaks the protocol");
    }

    private void Disconnect(string what)
    {
        _isBad = true;
        Recording.Notices.Add($"Connection closed by this side: the peer sent {what}");
        Channel.Abort($"the peer sent {what}");
    }

    private readonly struct Receiver(ProviderSession session) : IMessageReceiver
    {
        public bool Take(ReadOnlySpan<byte> message) => session.Handle(message);
    }
}
