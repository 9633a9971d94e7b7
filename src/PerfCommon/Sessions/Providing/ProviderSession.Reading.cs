using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Handles a consumer's messages.</content>
public sealed partial class ProviderSession
{
    private const int OffStream = -1;

    private bool _unknownCloseNoted;

    internal override void OnReadable(long untilNanos)
    {
        base.OnReadable(untilNanos);
        if (!IsServed)
            return;
        Channel.HoldReading(!MayRead);
        _handler.OnBatchEnd();
    }

    private protected override bool IsFull => base.IsFull || _batch is not null || Items.IsFull;

    private protected override bool IsLoginOptional => _options.LoginOptional;

    private protected override void OnLoggedIn() => _handler.OnReady();

    private protected override void OnLoginClosed()
    {
        _refreshes.RestartSymbols();
        Items.CloseAll();
    }

    private protected override void HandleOffStreamPost(scoped in RwfMsg post)
    {
        Count(Counter.PostsReceived);
        _handler.OnPost(OffStream, post);
    }

    private protected override void OnStandby(bool isStandby) => SetStandby(_isStandbyOfService, isStandby);

    private protected override void HandleDirectory(scoped in RwfMsg msg)
    {
        if (ConsumerStatus.Is(msg)) // wire/domains 3.5
        {
            if (ConsumerStatus.TryRead(msg, _options.Service.Id, out bool isStandby))
                SetStandby(isStandby, _isStandbyOfLogin);
            return;
        }

        ConversationResult result = _directory.Receive(msg);
        if (result.Step == ConversationStep.Send && MayAnswer)
        {
            Report(SessionNotices.DirectoryRequest);
            int bytes = _directory.EncodeRefresh(Scratch);
            Reply(bytes);
            CountAnswer(bytes);
        }

        Conclude(result);
    }

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) => _dictionary;

    // wire/domains 12
    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Request:
                if (!TryBeginBatch(msg))
                    HandleRequest(new ItemRequest(msg));
                break;
            case MsgClass.Close:
                HandleClose(msg);
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
                Drop(msg);
                break;
        }
    }

    private void HandleRequest(scoped in ItemRequest request)
    {
        Count(Counter.RequestsReceived);
        int slot = Items.FindStream(request.StreamId);
        ItemRejection rejection = _marketPrice.Check(request, Items.OpenCount, UseOf(request, slot));
        if (rejection == ItemRejection.None && slot < 0 && !Items.HasRoomFor(request.Name))
            rejection = ItemRejection.OpenLimit;
        if (rejection == ItemRejection.None)
            rejection = _handler.OnRequest(request);
        if (rejection != ItemRejection.None)
        {
            Reject(request, rejection);
            return;
        }

        ItemTraits traits = (request.IsStreaming ? ItemTraits.Streaming : 0) | KeyOf(request)
            | ((request.KeyFlags & MsgKeyFlags.HasNameType) != 0 ? ItemTraits.NameTypeGiven : 0);
        if (slot < 0)
            slot = Items.Open(request.StreamId, request.Name, traits);
        else
            // wire/domains 5.5
            Items.Reissue(slot, traits);
        // wire/domains 5.9
        if (_offersViews && ViewRequest.Read(request, out FieldView? view) == ViewChange.Set)
            Items.SetView(slot, view);
        if ((traits & ItemTraits.SymbolList) != 0)
            _refreshes.RestartSymbols(slot);
        // wire/domains 5.5
        if (!request.IsWithoutRefresh)
            Items.EnqueueRefresh(slot, solicited: true);
    }

    // wire/domains 12
    private ItemStreamUse UseOf(scoped in ItemRequest request, int slot)
    {
        if (slot >= 0)
            return IsSame(request, slot) ? ItemStreamUse.Reissue : ItemStreamUse.OtherKeyOnStream;

        // There may be many private streams of an item: a hub has one for each of its consumers.
        return !request.IsPrivate && Items.FindName(request.Name, KeyOf(request)) >= 0 ? ItemStreamUse.KeyOpenElsewhere : ItemStreamUse.New;
    }

    // A stream may become private, so that part of the key is not compared.
    private bool IsSame(scoped in ItemRequest request, int slot) =>
        ItemKeys.DomainOf(Items.TraitsOf(slot)) == request.Domain && Items.NameOf(slot).SequenceEqual(request.Name);

    private static ItemTraits KeyOf(scoped in ItemRequest request) => ItemKeys.Of(request.Domain, request.IsPrivate);

    private void Reject(scoped in ItemRequest request, ItemRejection why)
    {
        if (Recording.Counters[Counter.RequestsRejected] == 0)
            Recording.Notices.Add(SessionNotices.RequestRejected, request.StreamId, why);
        Count(Counter.RequestsRejected);
        Reply(MarketPriceProvider.EncodeRejection(Scratch, request.Domain, request.StreamId, why, request.IsPrivate));
    }

    // wire/domains 5.5
    private void HandleClose(scoped in RwfMsg close)
    {
        if (!BatchClose.TryOpen(close, out ArrayReader streams))
        {
            HandleClose(close.StreamId);
            return;
        }

        // wire/domains 5.6
        while (BatchClose.TryReadNext(ref streams, out int streamId))
            HandleClose(streamId);
    }

    private void HandleClose(int streamId)
    {
        Count(Counter.ClosesReceived);
        int slot = Items.FindStream(streamId);
        if (slot >= 0)
            CloseItem(slot);
        else if (!_unknownCloseNoted)
            Recording.Notices.Add(SessionNotices.CloseIgnored, streamId);
        _unknownCloseNoted |= slot < 0;
    }

    private void CloseItem(int item)
    {
        if ((Items.TraitsOf(item) & ItemTraits.SymbolList) != 0)
            _refreshes.RestartSymbols(item);
        Items.Close(item);
        _handler.OnClose(item);
    }
}
