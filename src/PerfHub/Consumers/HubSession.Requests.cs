using System.Diagnostics.CodeAnalysis;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <content>Handles what a consumer sends for items: requests, closes, posts and generic messages.</content>
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
                HandleClose(msg);
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
            Forward(entry.UpstreamIndex, SessionRecord.Post, entry.Slot, post);
        else
            Refuse(post, PostRefusal.StreamNotOpen); // wire/domains 6.2
    }

    private void HandleGeneric(scoped in RwfMsg message)
    {
        Count(Counter.GenericReceived);
        StreamEntry entry = _streams.Find(message.StreamId);
        if (entry.State == StreamUse.Open)
            Forward(entry.UpstreamIndex, SessionRecord.Generic, entry.Slot, message);
        else
            Count(Counter.GenericNotSent);
    }

    // Puts the address of its stream before the message.
    private void Forward(int upstreamIndex, SessionRecord kind, int number, scoped in RwfMsg msg)
    {
        _hasPosted |= msg.MsgClass == MsgClass.Post && msg.Has(PostFlags.Ack);
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        new StreamAddress(SlotNumber, msg.StreamId, _connectionSerial).Write(address);
        _host.To(upstreamIndex).Send(kind, number, address, msg.Message);
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
        if (request.IsBatch && HubDomain.IsItem(request.Domain))
            _batch = BatchCursor.Of(msg);
        else if (HubDomain.IsCached(request.Domain))
            Request(request, ViewOf(request), request.StreamId, request.Name);
        else
            RequestPassThrough(request, request.StreamId, msg.Message);
    }

    // wire/domains 5.9
    private static RequestedView ViewOf(scoped in ItemRequest request) =>
        ViewRequest.Read(request, out FieldView? view) == ViewChange.Set ? new(view, Stays: false) : new(null, Stays: true);

    // Some items at a time; the connection is not read meanwhile.
    // wire/domains 5.6
    private void ContinueBatch(BatchCursor batch)
    {
        RwfMsg msg = batch.Decode();
        ItemRequest request = new(msg);
        RequestedView view = ViewOf(request);
        for (int i = 0; i < BatchItemsAtOnce && !IsFullButForBatch; i++)
        {
            if (batch.TryReadNext(out ReadOnlySpan<byte> name) == DecodeResult.Success && name.Length <= byte.MaxValue)
            {
                RequestOf(msg, view, request.StreamId + batch.Index, name);
                continue;
            }

            _batch = null;
            RwfState state = new(StreamState.Closed, DataState.NoChange, StateCode.None, "Stream closed for batch"u8);
            Reply(DomainMsg.EncodeStatus(Scratch, request.Domain, request.StreamId, state));
            return;
        }
    }

    // Requests one item of a batch; an item of an uncached domain gets a separate request message.
    private void RequestOf(scoped in RwfMsg batch, RequestedView view, int streamId, ReadOnlySpan<byte> name)
    {
        ItemRequest request = new(batch);
        if (HubDomain.IsCached(request.Domain))
        {
            Request(request, view, streamId, name);
            return;
        }

        RwfMsg one = batch;
        one.Flags &= ~(RequestFlags.HasBatch | RequestFlags.HasView);
        MsgKey key = batch.Key;
        key.Flags |= MsgKeyFlags.HasName;
        key.Name = name;
        one.Key = key;
        one.ContainerType = DataType.NoData;
        byte[] room = new byte[batch.Message.Length + name.Length];
        RwfWriter writer = new(room);
        if (writer.TryWriteHeader(one))
            RequestPassThrough(new ItemRequest(one), streamId, room.AsSpan(0, writer.Written));
    }

    private void Request(scoped in ItemRequest request, RequestedView view, int streamId, ReadOnlySpan<byte> name)
    {
        StreamEntry entry = _streams.Find(streamId);
        if (entry.State == StreamUse.Requested)
            return; // its image will follow
        ItemRequestMarks asked = (request.IsStreaming ? ItemRequestMarks.Streaming : 0) | (request.IsPrivate ? ItemRequestMarks.Private : 0)
            | ((request.KeyFlags & MsgKeyFlags.HasNameType) != 0 ? ItemRequestMarks.NameType : 0) | (request.IsWithoutRefresh ? ItemRequestMarks.NoRefresh : 0)
            | (request.Domain == DomainType.MarketByOrder ? ItemRequestMarks.OrderBook : 0) | (StandsByFor(request) ? ItemRequestMarks.Standby : 0);
        Span<byte> room = stackalloc byte[RequestedItem.MaxBytes];
        if (entry.State == StreamUse.Open) // wire/domains 5.5
        {
            byte viewNow = view.Stays ? entry.View : _views.Enter(request.Domain == DomainType.MarketPrice ? view.Fields : null);
            _streams.Set(streamId, entry with { View = viewNow });
            RecordReissue(entry.UpstreamIndex, view.Stays ? ConnectionViews.None : entry.View);
            if (request.IsPrivate)
                (_madePrivate ??= []).Add(streamId); // never removed
            else if (_madePrivate?.Contains(streamId) == true)
                asked |= ItemRequestMarks.Private;
            RequestedItem again = new(new StreamAddress(SlotNumber, streamId, _connectionSerial), asked, name, _views.IdOf(viewNow));
            _host.To(entry.UpstreamIndex).Send(SessionRecord.Reissue, entry.Slot, room[..again.Write(room)]);
            return;
        }

        if (!TryFindService(request, streamId, name.Length, out HubService? service))
            return;
        byte number = _views.Enter(request.Domain == DomainType.MarketPrice ? view.Fields : null);
        (StreamAddress address, int upstreamIndex) = OpenRequest(service, streamId, name, number);
        RequestedItem item = new(address, asked, name, _views.IdOf(number));
        _host.To(upstreamIndex).Send(SessionRecord.Request, service.Key.Number, room[..item.Write(room)]);
    }

    // The old view stays until the source thread has handled requests made with it.
    private void RecordReissue(int upstreamIndex, byte viewBefore)
    {
        _requested++;
        (_viewsBefore[upstreamIndex] ??= new()).Enqueue(viewBefore);
    }

    private (StreamAddress Address, int UpstreamIndex) OpenRequest(HubService service, int streamId, ReadOnlySpan<byte> name, byte view)
    {
        uint serial = _host.NextSerial();
        int upstreamIndex = service.HostOf(name);
        _streams.Add(streamId, new StreamEntry(StreamUse.Requested, (byte)upstreamIndex, (byte)name.Length, view, 0, (int)serial));
        _requested++;
        return (new StreamAddress(SlotNumber, streamId, serial), upstreamIndex);
    }

    // For domains whose images are not cached: the source receives the request unchanged.
    // wire/domains 11
    private void RequestPassThrough(scoped in ItemRequest request, int streamId, ReadOnlySpan<byte> message)
    {
        Span<byte> head = stackalloc byte[StreamAddress.Bytes];
        StreamEntry entry = _streams.Find(streamId);
        if (entry.State == StreamUse.Requested)
            return; // its image will follow
        if (message.Length > PassThroughStream.MaxRequestBytes)
        {
            Reject(request, streamId, ItemRejection.OpenLimit);
        }
        else if (entry.State == StreamUse.Open)
        {
            new StreamAddress(SlotNumber, streamId, _connectionSerial).Write(head);
            RecordReissue(entry.UpstreamIndex, ConnectionViews.None);
            _host.To(entry.UpstreamIndex).Send(SessionRecord.ReissuePassThrough, entry.Slot, head, message);
        }
        else if (TryFindService(request, streamId, request.Name.Length, out HubService? service))
        {
            (StreamAddress address, int upstreamIndex) = OpenRequest(service, streamId, request.Name, ConnectionViews.None);
            address.Write(head);
            _host.To(upstreamIndex).Send(SessionRecord.RequestPassThrough, service.Key.Number, head, message);
        }
    }

    // wire/domains 12
    private bool TryFindService(
        scoped in ItemRequest request, int streamId, int nameBytes, [NotNullWhen(true)] out HubService? service)
    {
        service = _host.Settings.Services.Find(request.ServiceId);
        bool isKnown = service is not null && (request.KeyFlags & MsgKeyFlags.HasServiceId) != 0;
        ItemRejection why = !Serves(service, request.Domain) ? ItemRejection.Domain
            : _streams.Count >= _host.Settings.OpenLimit ? ItemRejection.OpenLimit
            : !isKnown || streamId <= 0 ? ItemRejection.ServiceId
            : !request.Accepts(service!.Offer.Qos) ? ItemRejection.Qos
            : _names.TryAdd(nameBytes) ? ItemRejection.None : ItemRejection.OpenLimit;
        if (why == ItemRejection.None)
            return service is not null;
        Reject(request, streamId, why);
        return false;
    }

    // wire/domains 3.2
    private bool Serves(HubService? service, DomainType domain) => HubDomain.IsItem(domain) && _host.Settings.Domains.Allows(domain)
        && (HubDomain.IsCached(domain) || service is not { PassesOn: false });

    private void Reject(scoped in ItemRequest request, int streamId, ItemRejection why)
    {
        if (Recording.Counters[Counter.RequestsRejected] == 0)
            Recording.Notices.Add("Rejected", $"Rejected item request on stream {streamId}: {why}; further ones are only counted.");
        Count(Counter.RequestsRejected);
        if (why == ItemRejection.ServiceId)
        {
            Reply(DomainMsg.EncodeStatus(Scratch, request.Domain, streamId,
                new RwfState(StreamState.Closed, DataState.Suspect, StateCode.SourceUnknown, "the service is not known"u8), request.IsPrivate));
        }
        else
        {
            Reply(MarketPriceProvider.EncodeRejection(Scratch, request.Domain, streamId, why, request.IsPrivate));
        }
    }

    // wire/domains 5.5
    private void HandleClose(scoped in RwfMsg close)
    {
        if (!BatchClose.TryOpen(close, out ArrayReader streams))
        {
            Count(Counter.ClosesReceived);
            Close(close.StreamId);
            return;
        }

        _toClose = new(); // wire/domains 5.6
        while (BatchClose.TryReadNext(ref streams, out int streamId))
            _toClose.Enqueue(streamId);
        CloseListed(_toClose);
    }

    // Some at a time; the connection is not read meanwhile.
    private void CloseListed(Queue<int> streams)
    {
        for (int i = 0; i < BatchItemsAtOnce && streams.TryDequeue(out int streamId); i++)
        {
            Count(Counter.ClosesReceived);
            Close(streamId);
        }

        if (streams.Count == 0)
            _toClose = null;
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

/// <summary>The fields that a request names.</summary>
/// <param name="Fields">The fields; null for all.</param>
/// <param name="Stays">True where the stream keeps its present view.</param>
internal readonly record struct RequestedView(FieldView? Fields, bool Stays);
