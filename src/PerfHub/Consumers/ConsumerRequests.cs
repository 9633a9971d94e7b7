using System.Diagnostics.CodeAnalysis;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>Handles a consumer's requests for items, single and in batches, and its closes: they are sent to the source threads.</summary>
/// <param name="session">The consumer's connection.</param>
/// <param name="host">Its thread.</param>
internal sealed class ConsumerRequests(HubSession session, ConsumerThread host)
{
    /// <summary>Maximum items of a batch, or of another change of many streams, in one turn.</summary>
    public const int ItemsAtOnce = 1_000;

    // Requests without an answer, beyond which a connection is not read: so images never fill its queue.
    private const int MaxRequested = 2_000;
    private const int MinRequested = 32;
    private const int RequestShareBytes = 2_048; // of the queue for each of them

    private readonly int _maxRequested = Math.Clamp(host.Settings.MaxQueueBytes / RequestShareBytes, MinRequested, MaxRequested);
    private BatchCursor? _batch; // whose items are being opened
    private Queue<int>? _toClose; // streams of a batch that are still to be closed

    /// <summary>True while items of a batch are still to be opened or closed.</summary>
    public bool HasBatch => _batch is not null || _toClose is not null;

    /// <summary>True while that may continue.</summary>
    public bool HasNextPart => _toClose is not null || (_batch is not null && !session.IsFullButForBatch);

    /// <summary>True while too many requests have no answer.</summary>
    public bool IsFull => Streams.Requested >= _maxRequested;

    /// <summary>True while few enough requests have no answer to read the connection again.</summary>
    public bool MayResume => Streams.Requested <= _maxRequested / 2;

    private ConsumerStreams Streams => session.Streams;

    /// <summary>Handles a request.</summary>
    public void Receive(scoped in RwfMsg msg)
    {
        ItemRequest request = new(msg);
        session.Counters.Add(Counter.RequestsReceived, 1);
        if (request.IsBatch && HubDomain.IsItem(request.Domain))
            _batch = BatchCursor.Of(msg);
        else if (HubDomain.IsCached(request.Domain))
            Request(request, ViewOf(request), request.StreamId, request.Name);
        else
            RequestPassThrough(request, request.StreamId, msg.Message);
    }

    /// <summary>Handles a close.</summary>
    // wire/domains 5.5
    public void ReceiveClose(scoped in RwfMsg close)
    {
        if (!BatchClose.TryOpen(close, out ArrayReader streams))
        {
            session.Counters.Add(Counter.ClosesReceived, 1);
            Close(close.StreamId);
            return;
        }

        _toClose = new(); // wire/domains 5.6
        while (BatchClose.TryReadNext(ref streams, out int streamId))
            _toClose.Enqueue(streamId);
        ContinueCloses();
    }

    /// <summary>Continues to close the streams of a batch.</summary>
    // Some at a time; the connection is not read meanwhile.
    public void ContinueCloses()
    {
        if (_toClose is not { } streams)
            return;
        for (int i = 0; i < ItemsAtOnce && streams.TryDequeue(out int streamId); i++)
        {
            session.Counters.Add(Counter.ClosesReceived, 1);
            Close(streamId);
        }

        if (streams.Count == 0)
            _toClose = null;
    }

    /// <summary>Continues to open the items of a batch.</summary>
    // Some items at a time; the connection is not read meanwhile.
    // wire/domains 5.6
    public void ContinueBatch()
    {
        if (_batch is not { } batch)
            return;
        RwfMsg msg = batch.Decode();
        ItemRequest request = new(msg);
        RequestedView view = ViewOf(request);
        for (int i = 0; i < ItemsAtOnce && !session.IsFullButForBatch; i++)
        {
            if (batch.TryReadNext(out ReadOnlySpan<byte> name) == DecodeResult.Success && name.Length <= byte.MaxValue)
            {
                RequestOf(msg, view, request.StreamId + batch.Index, name);
                continue;
            }

            _batch = null;
            RwfState state = new(StreamState.Closed, DataState.NoChange, StateCode.None, "Stream closed for batch"u8);
            session.Answer(DomainMsg.EncodeStatus(session.Worker.Scratch, request.Domain, request.StreamId, state));
            return;
        }
    }

    /// <summary>Discards batches: the connection has ended, or its login has.</summary>
    public void Discard() => (_batch, _toClose) = (null, null);

    // wire/domains 5.9
    private static RequestedView ViewOf(scoped in ItemRequest request) =>
        ViewRequest.Read(request, out FieldView? view) == ViewChange.Set ? new(view, Stays: false) : new(null, Stays: true);

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
        byte[] room = new byte[batch.PayloadStart + name.Length + PassThroughStream.RoomBeyond]; // a batch may be long
        RwfWriter writer = new(room);
        if (writer.TryWriteHeader(one))
            RequestPassThrough(new ItemRequest(one), streamId, room.AsSpan(0, writer.Written));
    }

    private void Request(scoped in ItemRequest request, RequestedView view, int streamId, ReadOnlySpan<byte> name)
    {
        StreamEntry entry = Streams.Find(streamId);
        if (entry.State == StreamUse.Requested)
            return; // its image will follow
        ItemRequestMarks asked = (request.IsStreaming ? ItemRequestMarks.Streaming : 0) | (request.IsPrivate ? ItemRequestMarks.Private : 0)
            | ((request.KeyFlags & MsgKeyFlags.HasNameType) != 0 ? ItemRequestMarks.NameType : 0) | (request.IsWithoutRefresh ? ItemRequestMarks.NoRefresh : 0)
            | (request.Domain == DomainType.MarketByOrder ? ItemRequestMarks.OrderBook : 0)
            | (session.Standby.Includes(request) ? ItemRequestMarks.Standby : 0);
        if (entry.State == StreamUse.Open)
        {
            Reissue(request, view, streamId, entry, asked, name);
            return;
        }

        if (!TryFindService(request, streamId, name.Length, out HubService? service))
            return;
        byte number = Streams.Views.Enter(request.Domain == DomainType.MarketPrice ? view.Fields : null);
        int upstreamIndex = service.HostOf(name);
        RequestedItem item = new(Streams.Request(streamId, upstreamIndex, name.Length, number), asked, name, Streams.Views.IdOf(number));
        Span<byte> room = stackalloc byte[RequestedItem.MaxBytes];
        host.To(upstreamIndex).Send(SessionRecord.Request, service.Key.Number, room[..item.Write(room)]);
    }

    // wire/domains 5.5
    private void Reissue(
        scoped in ItemRequest request, RequestedView view, int streamId, StreamEntry entry, ItemRequestMarks asked, ReadOnlySpan<byte> name)
    {
        byte viewNow = view.Stays ? entry.View : Streams.Views.Enter(request.Domain == DomainType.MarketPrice ? view.Fields : null);
        Streams.SetView(streamId, viewNow);
        Streams.RecordReissue(entry.UpstreamIndex, view.Stays ? ConnectionViews.None : entry.View);
        if (request.IsPrivate)
            Streams.MakePrivate(streamId);
        else if (Streams.IsMadePrivate(streamId))
            asked |= ItemRequestMarks.Private;
        RequestedItem again = new(Streams.AddressOf(streamId), asked, name, Streams.Views.IdOf(viewNow));
        Span<byte> room = stackalloc byte[RequestedItem.MaxBytes];
        host.To(entry.UpstreamIndex).Send(SessionRecord.Reissue, entry.Slot, room[..again.Write(room)]);
    }

    // For domains whose images are not cached: the source receives the request unchanged.
    // wire/domains 11
    private void RequestPassThrough(scoped in ItemRequest request, int streamId, ReadOnlySpan<byte> message)
    {
        Span<byte> head = stackalloc byte[StreamAddress.Bytes];
        StreamEntry entry = Streams.Find(streamId);
        if (entry.State == StreamUse.Requested)
            return; // its image will follow
        if (message.Length > PassThroughStream.MaxRequestBytes)
        {
            Reject(request, streamId, ItemRejection.OpenLimit);
        }
        else if (entry.State == StreamUse.Open)
        {
            Streams.AddressOf(streamId).Write(head);
            Streams.RecordReissue(entry.UpstreamIndex, ConnectionViews.None);
            host.To(entry.UpstreamIndex).Send(SessionRecord.ReissuePassThrough, entry.Slot, head, message);
        }
        else if (TryFindService(request, streamId, request.Name.Length, out HubService? service))
        {
            int upstreamIndex = service.HostOf(request.Name);
            Streams.Request(streamId, upstreamIndex, request.Name.Length, ConnectionViews.None).Write(head);
            host.To(upstreamIndex).Send(SessionRecord.RequestPassThrough, service.Key.Number, head, message);
        }
    }

    // wire/domains 12
    private bool TryFindService(
        scoped in ItemRequest request, int streamId, int nameBytes, [NotNullWhen(true)] out HubService? service)
    {
        service = host.Settings.Services.Find(request.ServiceId);
        bool isKnown = service is not null && (request.KeyFlags & MsgKeyFlags.HasServiceId) != 0;
        ItemRejection why = !Serves(service, request.Domain) ? ItemRejection.Domain
            : Streams.Count >= host.Settings.OpenLimit ? ItemRejection.OpenLimit
            : !isKnown || streamId <= 0 ? ItemRejection.ServiceId
            : !request.Accepts(service!.Offer.Qos) ? ItemRejection.Qos
            : Streams.TryAddName(nameBytes) ? ItemRejection.None : ItemRejection.OpenLimit;
        if (why == ItemRejection.None)
            return service is not null;
        Reject(request, streamId, why);
        return false;
    }

    // wire/domains 3.2
    private bool Serves(HubService? service, DomainType domain) => HubDomain.IsItem(domain) && host.Settings.Domains.Allows(domain)
        && (HubDomain.IsCached(domain) || service is not { PassesOn: false });

    private void Reject(scoped in ItemRequest request, int streamId, ItemRejection why)
    {
        if (session.Recording.Counters[Counter.RequestsRejected] == 0)
            session.Recording.Notices.Add(SessionNotices.RequestRejected, streamId, why);
        session.Counters.Add(Counter.RequestsRejected, 1);
        if (why == ItemRejection.ServiceId)
        {
            session.Answer(DomainMsg.EncodeStatus(session.Worker.Scratch, request.Domain, streamId,
                new RwfState(StreamState.Closed, DataState.Suspect, StateCode.SourceUnknown, "the service is not known"u8), request.IsPrivate));
        }
        else
        {
            session.Answer(MarketPriceProvider.EncodeRejection(session.Worker.Scratch, request.Domain, streamId, why, request.IsPrivate));
        }
    }

    // wire/domains 5.5
    private void Close(int streamId)
    {
        StreamEntry entry = Streams.Find(streamId);
        if (entry.State == StreamUse.None)
            return;
        if (entry.State == StreamUse.Requested)
            Streams.EndWait();
        session.CloseStream(streamId);
    }
}

/// <summary>The fields that a request names.</summary>
/// <param name="Fields">The fields; null for all.</param>
/// <param name="Stays">True where the stream keeps its present view.</param>
internal readonly record struct RequestedView(FieldView? Fields, bool Stays);
