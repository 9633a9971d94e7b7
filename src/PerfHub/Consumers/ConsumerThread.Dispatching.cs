using System.Buffers.Binary;
using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Dispatches the records of a source to the connections they are for.</content>
internal sealed partial class ConsumerThread
{
    private void Dispatch(SourceLink link, in RingRecord record)
    {
        switch ((SourceRecord)record.Kind)
        {
            case SourceRecord.Received:
                _through.Begin(BinaryPrimitives.ReadInt64LittleEndian(record.Bytes));
                break;
            case SourceRecord.Update:
                _through.Count();
                EnqueueAll(link, record, MessageKind.Update);
                break;
            case SourceRecord.Reflection:
                EnqueueAll(link, record, MessageKind.Reflection);
                break;
            case SourceRecord.Generic:
                EnqueueAll(link, record, MessageKind.Generic);
                break;
            case SourceRecord.Status:
                EnqueueStatus(link, record);
                break;
            case SourceRecord.Image:
                EnqueueImage(link, record);
                break;
            case SourceRecord.Final:
                EnqueueFinal(link, record);
                break;
            default:
                DispatchAddressed(link, record);
                break;
        }
    }

    private void EnqueueAll(SourceLink link, in RingRecord record, MessageKind kind)
    {
        Span<Watcher> watchers = link.Watchers.Of(record.Number);
        int noted = _isBatching && kind == MessageKind.Update
            ? EnqueuePending(watchers, _pending.Add(record.Bytes))
            : Enqueue(watchers, new Delivery(record.At, record.Length, 0, kind, isAnswer: false));
        if (kind == MessageKind.Update)
        {
            _arrived += noted;
            Worker.Recording.Counters.Add(HubCounter.CopiesDue, noted);
        }

        if (noted == 0)
            CountUnwatched(kind);
        else
            Worker.Recording.Counters.Add(((SourceRecord)record.Kind).Copies(), noted - 1);
    }

    private void CountUnwatched(MessageKind kind)
    {
        CounterSet counters = Worker.Recording.Counters;
        counters.Add(kind == MessageKind.Update ? HubCounter.UpdatesUnwatched : kind.NotSent(), 1);
        if (kind == MessageKind.Reflection)
            counters.Add(Counter.PostsUnwatched, 1);
    }

    // Runs for each delivered message: all its values are in registers, except the list of one connection.
    private int Enqueue(ReadOnlySpan<Watcher> watchers, Delivery message)
    {
        Span<DeliveryList> lists = _deliveries.All;
        int noted = 0;
        foreach (Watcher watcher in watchers)
        {
            int session = watcher.Session;
            if (watcher.Waits)
                continue;
            noted++;
            ref DeliveryList list = ref lists[session];
            list.Add(message with { StreamId = watcher.StreamId });
            if (!list.IsListed)
                Enlist(session);
        }

        return noted;
    }

    // For a connection that already waits, a waiting update needs nothing but this.
    private int EnqueuePending(ReadOnlySpan<Watcher> watchers, Delivery update)
    {
        Span<DeliveryList> lists = _deliveries.All;
        bool sharesInterval = !Settings.Tuning.Burst.IsPerSession;
        int holdBytes = Settings.HoldBytes;
        int noted = 0;
        foreach (Watcher watcher in watchers)
        {
            int session = watcher.Session;
            if (watcher.Waits)
                continue;
            noted++;
            ref DeliveryList list = ref lists[session];
            list.Add(update with { StreamId = watcher.StreamId });
            list.Bytes += update.Length;
            list.Arrived++;
            _pending.Count(ref list.LastTurn);
            if (!list.IsFresh && !(sharesInterval && list.IsHeld && list.Bytes < holdBytes))
                LookAtLater(session);
        }

        return noted;
    }

    // Includes streams that wait for their image: the status explains its absence.
    private void EnqueueStatus(SourceLink link, in RingRecord record)
    {
        foreach (Watcher watcher in link.Watchers.Of(record.Number))
            Enqueue(watcher.Number, new Delivery(record.At, record.Length, watcher.StreamId, MessageKind.Other, isAnswer: false));
    }

    private void EnqueueImage(SourceLink link, in RingRecord record)
    {
        foreach (ref Watcher watcher in link.Watchers.Of(record.Number))
        {
            HubSession session = _sessions[watcher.Number]!;
            Enqueue(session, new Delivery(record.At, record.Length, watcher.StreamId, MessageKind.Refresh, watcher.Waits));
            if (!watcher.Waits)
                continue;
            session.Streams.EndWait();
            watcher = Watcher.Of(watcher.Number, watcher.StreamId, waits: false);
        }
    }

    private void EnqueueFinal(SourceLink link, in RingRecord record)
    {
        MessageKind kind = MsgPatch.ClassOf(record.Bytes) == MsgClass.Refresh ? MessageKind.Refresh : MessageKind.Other;
        while (link.Watchers.Of(record.Number) is [.., var watcher])
        {
            HubSession session = _sessions[watcher.Number]!;
            Enqueue(session, new Delivery(record.At, record.Length, watcher.StreamId, kind, watcher.Waits));
            session.CloseStream(watcher.StreamId);
        }
    }

    // The connection may be gone, or the stream closed meanwhile: its request has another number, or none.
    private void DispatchAddressed(SourceLink link, in RingRecord record)
    {
        StreamAddress address = StreamAddress.Read(record.Bytes);
        HubSession? session = address.Session < _sessions.Count ? _sessions[address.Session] : null;
        SourceRecord kind = (SourceRecord)record.Kind;
        switch (kind)
        {
            case SourceRecord.Watch or SourceRecord.WatchWithAnswer or SourceRecord.WatchWithParts when session?.Streams.IsRequested(address) != true:
                link.ToSource.Send(SessionRecord.Unwatch, record.Number, default);
                break;
            case SourceRecord.Watch or SourceRecord.WatchWithAnswer or SourceRecord.WatchWithParts:
                Watcher watcher = Watcher.Of(address.Session, address.StreamId, waits: kind == SourceRecord.Watch);
                session.Streams.Open(address.StreamId, link.Host.Number, record.Number, link.Watchers.Add(record.Number, watcher));
                if (kind == SourceRecord.Watch)
                    break;
                EnqueueAnswer(session, record, address);
                session.Streams.EndWait();
                break;
            case SourceRecord.Await when session?.Streams.IsRequested(address) == true:
                session.Streams.Await(address.StreamId, record.Number);
                break;
            case SourceRecord.Await:
                link.ToSource.Send(SessionRecord.Withdraw, record.Number, record.Bytes[..StreamAddress.Bytes]);
                break;
            case SourceRecord.Answer or SourceRecord.AnswerInParts when session?.Streams.IsRequested(address) == true:
                EnqueueAnswer(session, record, address);
                session.Streams.EndWait();
                session.CloseStream(address.StreamId, isAnswered: true);
                break;
            case SourceRecord.Direct when session?.Expects(address, link.Host.Number) == true:
                Enqueue(session, Addressed(record, address));
                break;
            case SourceRecord.Reissued when session is not null:
                if (record.Length > StreamAddress.Bytes && session.Streams.IsOpen(address, link.Host.Number))
                    Enqueue(session, Addressed(record, address));
                session.Streams.EndReissue(address, link.Host.Number);
                break;
            case SourceRecord.DirectInParts when session?.Streams.Watches(address.StreamId, link.Host.Number, record.Number) == true:
                EnqueueAnswer(session, record, address);
                break;
            case SourceRecord.Moved:
                DispatchMoved(link, record, session, address);
                break;
        }
    }

    // Messages of the stream's former item were delivered to it; the next ones have another form.
    private void DispatchMoved(SourceLink link, in RingRecord record, HubSession? session, StreamAddress address)
    {
        if (session?.Streams.IsOpen(address, link.Host.Number) != true)
        {
            link.ToSource.Send(SessionRecord.Unwatch, record.Number, default);
            session?.Streams.EndReissue(address, link.Host.Number);
            return;
        }

        session.Streams.MoveTo(address.StreamId, link, record.Number);
        if (record.Length > StreamAddress.Bytes)
            Enqueue(session, Addressed(record, address));
        session.Streams.EndReissue(address, link.Host.Number);
    }

    private void EnqueueAnswer(HubSession session, in RingRecord record, StreamAddress address)
    {
        if ((SourceRecord)record.Kind is SourceRecord.WatchWithAnswer or SourceRecord.Answer)
        {
            Enqueue(session, Addressed(record, address));
            return;
        }

        ReadOnlySpan<byte> bytes = record.Bytes;
        for (int at = StreamAddress.Bytes; at < bytes.Length;)
        {
            int length = BitConverter.ToInt32(bytes[at..]);
            at += sizeof(int);
            Enqueue(session, new Delivery(record.At + at, length, address.StreamId, MessageKind.Refresh, isAnswer: false));
            at += length;
        }
    }

    private static Delivery Addressed(in RingRecord record, StreamAddress address) =>
        new(record.At + StreamAddress.Bytes, record.Length - StreamAddress.Bytes, address.StreamId,
            MsgPatch.ClassOf(record.Bytes[StreamAddress.Bytes..]) == MsgClass.Refresh ? MessageKind.Refresh : MessageKind.Other,
            isAnswer: false);
}
