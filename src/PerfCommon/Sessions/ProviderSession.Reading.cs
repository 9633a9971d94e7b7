using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;

namespace PerfCommon.Sessions;

internal sealed partial class ProviderSession
{
    private const int MessagesBetweenLooks = 10;
    private const int MaxMessagesPerTurn = 2_000;

    private bool _unknownCloseNoted;

    /// <summary>Reads what has arrived, giving way when the next tick is due.</summary>
    /// <param name="untilNanos">When to stop, looked at after every tenth message.</param>
    public void Read(long untilNanos)
    {
        for (int i = 0; i < MaxMessagesPerTurn && !_replies.IsFull && _channel.TryRead(out ReadOnlySpan<byte> message); i++)
        {
            Handle(message);
            if (i % MessagesBetweenLooks == MessagesBetweenLooks - 1 && Clock.NowNanos >= untilNanos)
                break;
        }

        _dictionaryReplies.TrySend();
        _output.EndBurst(); // replies do not wait for the next burst
    }

    private void Handle(ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
        {
            Disconnect("a message that cannot be decoded");
            return;
        }

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
    }

    private void HandleLogin(scoped in RwfMsg msg)
    {
        if (msg.MsgClass == MsgClass.Post)
        {
            _counters.PostsReceived.Add(1);
            return;
        }

        ConversationResult result = _login.Take(msg);
        if (result.Step == ConversationStep.Send)
        {
            _worker.Notices.Add($"Received Login Request for username: {_login.Consumer?.UserName}");
            Reply(_login.EncodeRefresh(_worker.Scratch));
        }
        else if (result.Step == ConversationStep.Closed)
        {
            _items.CloseAll();
        }

        Conclude(result);
    }

    private void HandleDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Take(msg);
        if (result.Step == ConversationStep.Send)
        {
            _worker.Notices.Add("Received Source Directory Request");
            Reply(_directory.EncodeRefresh(_worker.Scratch));
        }

        Conclude(result);
    }

    private void HandleDictionary(scoped in RwfMsg msg)
    {
        ConversationResult result = _dictionary.Take(msg, out DictionaryAnswer? answer);
        if (answer is not null)
        {
            _worker.Notices.Add("Received Dictionary Request");
            _dictionaryReplies.Add(answer);
        }
        else if (result.Step == ConversationStep.Closed)
        {
            _dictionaryReplies.Forget(msg.StreamId);
        }

        Conclude(result);
    }

    private void HandleItem(scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Request:
                HandleRequest(new ItemRequest(msg));
                break;
            case MsgClass.Close:
                HandleClose(msg.StreamId);
                break;
            case MsgClass.Post:
                _counters.PostsReceived.Add(1);
                break;
            case MsgClass.Generic:
                _counters.GenericsReceived.Add(1);
                break;
            default:
                if (_counters.MessagesDropped.Value == 0)
                    _worker.Notices.Add($"Ignored an unexpected {msg.MsgClass} message on domain {(byte)msg.DomainType}; further ones are only counted.");
                _counters.MessagesDropped.Add(1);
                break;
        }
    }

    private void HandleRequest(scoped in ItemRequest request)
    {
        _counters.RequestsReceived.Add(1);
        int slot = _items.FindStream(request.StreamId);
        ItemRejection rejection = _marketPrice.Check(request, _items.OpenCount, UseOf(request, slot));
        if (rejection != ItemRejection.None)
        {
            Reject(request, rejection);
            return;
        }

        ItemTraits traits = (request.IsStreaming ? ItemTraits.Streaming : 0) | (request.IsPrivate ? ItemTraits.PrivateStream : 0)
            | ((request.KeyFlags & MsgKeyFlags.HasNameType) != 0 ? ItemTraits.NameTypeGiven : 0);
        if (slot < 0)
            slot = _items.Open(request.StreamId, request.Name, traits);
        else
            _items.Reissue(slot, traits);
        if (!request.IsWithoutRefresh)
            _items.AskRefresh(slot, solicited: true);
    }

    private ItemStreamUse UseOf(scoped in ItemRequest request, int slot)
    {
        if (slot >= 0)
            return _items.NameOf(slot).SequenceEqual(request.Name) ? ItemStreamUse.Reissue : ItemStreamUse.OtherKeyOnStream;
        return _items.FindName(request.Name) >= 0 ? ItemStreamUse.KeyOpenElsewhere : ItemStreamUse.New;
    }

    private void Reject(scoped in ItemRequest request, ItemRejection why)
    {
        if (_counters.RequestsRejected.Value == 0)
            _worker.Notices.Add($"Rejected item request on stream {request.StreamId}: {why}; further ones are only counted.");
        _counters.RequestsRejected.Add(1);
        Reply(MarketPriceProvider.EncodeRejection(_worker.Scratch, request.Domain, request.StreamId, why));
    }

    private void HandleClose(int streamId)
    {
        _counters.ClosesReceived.Add(1);
        int slot = _items.FindStream(streamId);
        if (slot >= 0)
            _items.Close(slot);
        else if (!_unknownCloseNoted)
            _worker.Notices.Add($"Ignored a close for stream {streamId}, which is not open; further ones are only counted.");
        _unknownCloseNoted |= slot < 0;
    }

    private void Reply(int bytes) => _replies.Send(_worker.Scratch.AsSpan(0, bytes));

    private void Conclude(ConversationResult result)
    {
        if (result.Step == ConversationStep.Disconnect)
            Disconnect(result.Reason ?? "a message that breaks the protocol");
    }

    private void Disconnect(string what)
    {
        _worker.Notices.Add($"Connection closed by this side: the peer sent {what}");
        _channel.Abort($"the peer sent {what}");
    }
}
