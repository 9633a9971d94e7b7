using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <content>Throttles items: updates that follow each other too soon are merged field by field, and sent as one later.</content>
internal sealed partial class UpstreamThread
{
    private const int MaxForwardsPerTurn = 1_000; // then other work gets its turn

    private readonly PriorityQueue<CachedItem, long> _throttled = new(); // by the time when the waiting update is sent
    private byte[] _mergedRoom = [];

    private long NextHandOnNanos => _throttled.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    // Only field lists are throttled: merging would hide an order that was added and deleted.
    private bool IsThrottled(in ItemState state) =>
        (_settings.Tuning.ThrottleNanos != 0 || state.HasThrottle) && state is { IsWatched: true, IsFieldList: true };

    // True when the update waits: the first is sent at once, those of the interval after it wait.
    private bool TryHoldBack(CachedItem item, ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields)
    {
        long now = Worker.Time.NowNanos;
        ItemThrottle throttle = item.OpenThrottle();
        if (_settings.Tuning.ThrottleNanos == 0 && !throttle.IsWaiting)
            return false; // switched off meanwhile
        if (fields.IsEmpty)
        {
            Forward(item, throttle, now); // nothing can be merged with it, and the order is kept
            return false;
        }

        if (!throttle.IsWaiting && now >= throttle.UntilNanos)
        {
            throttle.UntilNanos = now + _settings.Tuning.ThrottleNanos;
            return false;
        }

        bool wasWaiting = throttle.IsWaiting;
        int held = throttle.HeldBytes;
        bool isMerged = throttle.TryMerge(message, fields, Merger.Limit);
        _itemBytes += throttle.HeldBytes - held;
        if (!isMerged)
        {
            Forward(item, throttle, now); // it does not fit into the waiting update, and is sent after it
            return false;
        }

        if (wasWaiting)
            Worker.Recording.Counters.Add(Counter.UpdatesThrottled, 1);
        else
            Enqueue(item, throttle);
        return true;
    }

    // Once for each item: one whose update was sent early still has its place.
    private void Enqueue(CachedItem item, ItemThrottle throttle)
    {
        if (throttle.IsQueued)
            return;
        throttle.IsQueued = true;
        _throttled.Enqueue(item, throttle.UntilNanos);
    }

    // An update may wait for a later time than its item's place, after an earlier one was sent early.
    private void ForwardDue(long nowNanos)
    {
        for (int i = 0; i < MaxForwardsPerTurn && HasRoom(); i++)
        {
            if (!_throttled.TryPeek(out CachedItem? item, out long dueNanos) || dueNanos > nowNanos)
                return;
            _throttled.Dequeue();
            ItemThrottle throttle = item.Throttle!;
            throttle.IsQueued = false;
            if (throttle.UntilNanos <= nowNanos)
                Forward(item, throttle, nowNanos);
            else if (throttle.IsWaiting)
                Enqueue(item, throttle);
        }
    }

    // When the sources have ended; false while there is no space.
    private bool TryForwardAll()
    {
        while (HasRoom() && _throttled.TryDequeue(out CachedItem? item, out _))
            Forward(item, item.Throttle!, Worker.Time.NowNanos);
        return _throttled.Count == 0;
    }

    // Sent before an image that contains all of it.
    private void ForwardWaiting(CachedItem item)
    {
        if (item.Throttle is { IsWaiting: true } throttle)
            Forward(item, throttle, Worker.Time.NowNanos);
    }

    private void Forward(CachedItem item, ItemThrottle throttle, long nowNanos)
    {
        if (!throttle.IsWaiting)
            return;
        if (_mergedRoom.Length < throttle.MaxBytes)
            _mergedRoom = new byte[throttle.MaxBytes];
        int held = throttle.HeldBytes;
        int bytes = throttle.Dequeue(_mergedRoom, item.StreamId);
        _itemBytes += throttle.HeldBytes - held;
        throttle.UntilNanos = nowNanos + _settings.Tuning.ThrottleNanos;
        if (item.Watchers == 0 || item.IsOver)
        {
            Worker.Recording.Counters.Add(Counter.UpdatesUnwatched, 1);
            return;
        }

        RecordReceived(nowNanos);
        Broadcast(item, SourceRecord.Update, _mergedRoom.AsSpan(0, bytes));
    }
}

/// <summary>The waiting update of one item, and the time until which it waits. One owner thread.</summary>
internal sealed class ItemThrottle
{
    private const int KeptBytes = 1_024; // kept for the next waiting update

    private CachedFields _fields;
    private UpdateType _type;

    /// <summary>The time until which updates wait.</summary>
    public long UntilNanos { get; set; }

    public bool IsWaiting { get; private set; }

    /// <summary>True while its item is in the queue of due times.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Bytes in memory, without its object.</summary>
    public int HeldBytes => _fields.HeldBytes;

    /// <summary>Maximum bytes of the waiting update.</summary>
    public int MaxBytes => MarketPriceHeaders.UpdateHeaderBytes + _fields.MaxEncodedBytes;

    /// <summary>Merges an update into the waiting one.</summary>
    /// <returns>False when not all of its fields fit; the waiting update is unchanged then.</returns>
    public bool TryMerge(ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields, FieldLimit limit)
    {
        long dropped = limit.Dropped;
        if (IsWaiting)
            _fields.Merge(fields, limit);
        else
            _fields.Replace(fields, limit);
        if (limit.Dropped != dropped)
            return false;
        IsWaiting = true;
        _type = UpdateHeader.TryRead(message, out UpdateHeader header) ? header.UpdateType : UpdateType.Unspecified;
        return true;
    }

    /// <summary>Encodes and removes the waiting update.</summary>
    /// <returns>Bytes written.</returns>
    public int Dequeue(Span<byte> room, int streamId)
    {
        IsWaiting = false;
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, _type);
        int bytes = UpdateHeader.Length + _fields.Encode(room[UpdateHeader.Length..]);
        if (HeldBytes > KeptBytes)
            _fields.Clear();
        return bytes;
    }
}
