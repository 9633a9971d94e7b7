using System.Diagnostics.CodeAnalysis;
using HubPerf.Cache;
using HubPerf.Rings;
using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <content>What a consumer asks of items, and sends to them.</content>
internal sealed partial class HubSession
{
    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        if (_relay is not null)
        {
            Publish(_relay, msg);
            return;
        }

        if (Peer is null)
        {
            Disconnect("a message before its login");
            return;
        }

        switch (msg.MsgClass)
        {
            case MsgClass.Request:
                HandleRequest(msg);
                break;
            case MsgClass.Close:
                Count(Counter.ClosesReceived);
                Close(msg.StreamId);
                break;
            // with the item's domain
            // wire/domains 6.4
            case MsgClass.Post when IsLoginOn(msg.StreamId):
                HandleOffStreamPost(msg);
                break;
            case MsgClass.Post:
                HandlePost(msg);
                break;
            case MsgClass.Generic:
                HandleGeneric(msg);
                break;
            default:
                Drop(msg);
                break;
        }
    }

    // wire/domains 6.4
    private protected override void HandleOffStreamPost(scoped in RwfMsg post)
    {
        Count(Counter.PostsReceived);
        if (!IsLoginOn(post.StreamId))
            Refuse(post, PostRefusal.StreamNotOpen);
        else if (!post.Has(PostFlags.HasMsgKey) || !post.Key.Has(MsgKeyFlags.HasName))
            Refuse(post, PostRefusal.NoName);
        else if (_host.Settings.Services.Find(post.Key.ServiceId) is not { } service)
            Refuse(post, PostRefusal.OtherService);
        else
            Forward(service.HostOf(post.Key.Name), SessionRecord.PostByName, service.Key.Number, post);
    }

    private void HandlePost(scoped in RwfMsg post)
    {
        Count(Counter.PostsReceived);
        StreamEntry entry = _streams.Find(post.StreamId);
        if (entry.State == StreamUse.Open)
            Forward(entry.SourceHost, SessionRecord.Post, entry.Slot, post);
        else
            Refuse(post, PostRefusal.StreamNotOpen); // wire/domains 6.2
    }

    private void HandleGeneric(scoped in RwfMsg message)
    {
        Count(Counter.GenericReceived);
        StreamEntry entry = _streams.Find(message.StreamId);
        if (entry.State == StreamUse.Open)
            Forward(entry.SourceHost, SessionRecord.Generic, entry.Slot, message);
        else
            Count(Counter.GenericNotSent);
    }

    // Behind the address of the stream it came on.
    private void Forward(int sourceHost, SessionRecord kind, int number, scoped in RwfMsg msg)
    {
        _hasPosted |= msg.MsgClass == MsgClass.Post && msg.Has(PostFlags.Ack);
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        new StreamAddress(SlotNumber, msg.StreamId, _connectionSerial).Write(address);
        _host.To(sourceHost).Send(kind, number, address, msg.Message);
    }

    private void Refuse(scoped in RwfMsg post, PostRefusal why)
    {
        Count(Counter.PostsRefused);
        if (post.Has(PostFlags.Ack))
            Replies.End(PostReflection.EncodeAck(Replies.Begin(PostReflection.MaxAckBytes), post, why), MessageKind.Other);
    }

    private void HandleRequest(scoped in RwfMsg msg)
    {
        ItemRequest request = new(msg);
        Count(Counter.RequestsReceived);
        if (request.IsBatch && ItemDomain.IsKnown(request.Domain))
            _batch = BatchCursor.Of(msg);
        else
            Ask(request, request.StreamId, request.Name);
    }

    // Some items at a time; nothing else is read meanwhile.
    // wire/domains 5.6
    private void ContinueBatch(BatchCursor batch)
    {
        RwfMsg msg = batch.Decode();
        ItemRequest request = new(msg);
        for (int i = 0; i < BatchItemsAtOnce && !IsFullButForBatch; i++)
        {
            if (batch.TryReadNext(out ReadOnlySpan<byte> name) == DecodeResult.Success && name.Length <= byte.MaxValue)
            {
                Ask(request, request.StreamId + batch.Index, name);
                continue;
            }

            _batch = null;
            RwfState state = new(StreamState.Closed, DataState.NoChange, StateCode.None, "Stream closed for batch"u8);
            Reply(DomainMsg.EncodeStatus(Scratch, request.Domain, request.StreamId, state));
            return;
        }
    }

    private void Ask(scoped in ItemRequest request, int streamId, ReadOnlySpan<byte> name)
    {
        StreamEntry entry = _streams.Find(streamId);
        if (entry.State == StreamUse.Requested)
            return; // its image comes
        Asked asked = (request.IsStreaming ? Asked.Streaming : 0) | (request.IsPrivate ? Asked.Private : 0)
            | ((request.KeyFlags & MsgKeyFlags.HasNameType) != 0 ? Asked.NameType : 0) | (request.IsWithoutRefresh ? Asked.NoRefresh : 0)
            | (request.Domain == DomainType.MarketByOrder ? Asked.OrderBook : 0);
        Span<byte> room = stackalloc byte[AskedItem.MaxBytes];
        if (entry.State == StreamUse.Open) // wire/domains 5.5
        {
            AskedItem again = new(new StreamAddress(SlotNumber, streamId, _connectionSerial), asked, name);
            _requested++;
            _host.To(entry.SourceHost).Send(SessionRecord.Reissue, entry.Slot, room[..again.Write(room)]);
            return;
        }

        if (!TryFindService(request, streamId, name.Length, out HubService? service))
            return;
        uint serial = _host.NextSerial();
        AskedItem item = new(new StreamAddress(SlotNumber, streamId, serial), asked, name);
        int sourceHost = service.HostOf(name);
        _streams.Add(streamId, new StreamEntry(StreamUse.Requested, (byte)sourceHost, (byte)name.Length, 0, (int)serial));
        _requested++;
        _host.To(sourceHost).Send(SessionRecord.Request, service.Key.Number, room[..item.Write(room)]);
    }

    // wire/domains 12
    private bool TryFindService(
        scoped in ItemRequest request, int streamId, int nameBytes, [NotNullWhen(true)] out HubService? service)
    {
        service = _host.Settings.Services.Find(request.ServiceId);
        bool isKnown = service is not null && (request.KeyFlags & MsgKeyFlags.HasServiceId) != 0;
        ItemRejection why = !ItemDomain.IsKnown(request.Domain) ? ItemRejection.Domain
            : _streams.Count >= _host.Settings.OpenLimit ? ItemRejection.OpenLimit
            : !isKnown || streamId <= 0 ? ItemRejection.ServiceId
            : !request.Accepts(service!.Offer.Qos) ? ItemRejection.Qos
            : _names.TryAdd(nameBytes) ? ItemRejection.None : ItemRejection.OpenLimit;
        if (why == ItemRejection.None)
            return service is not null;
        if (Recording.Counters[Counter.RequestsRejected] == 0)
            Recording.Notices.Add("Rejected", $"Rejected item request on stream {streamId}: {why}; further ones are only counted.");
        Count(Counter.RequestsRejected);
        if (why == ItemRejection.ServiceId)
        {
            Reply(DomainMsg.EncodeStatus(Scratch, request.Domain, streamId,
                new RwfState(StreamState.Closed, DataState.Suspect, StateCode.SourceUnknown, "the service is not known"u8)));
        }
        else
        {
            Reply(MarketPriceProvider.EncodeRejection(Scratch, request.Domain, streamId, why));
        }

        return false;
    }

    // wire/domains 5.5
    private void Close(int streamId)
    {
        StreamEntry entry = _streams.Find(streamId);
        if (entry.State == StreamUse.None)
            return;
        if (entry.State == StreamUse.Requested)
            EndWait();
        CloseStream(streamId);
    }
}
