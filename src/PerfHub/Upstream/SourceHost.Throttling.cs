using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <content>Updates of an item that come too soon behind another: merged field by field, and handed on as one when it is time.</content>
internal sealed partial class SourceHost
{
    private const int MaxHandOnsPerTurn = 1_000; // then others have their turn

    private readonly PriorityQueue<CachedItem, long> _throttled = new(); // by the time when what waits goes on
    private byte[] _mergedRoom = [];

    private long NextHandOnNanos => _throttled.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    // Only those of fields are: of an order that came and went nothing would be told.
    private bool IsThrottled(in ItemState state) =>
        (_settings.Tuning.ThrottleNanos != 0 || state.HasThrottle) && state is { IsWatched: true, IsFieldList: true };

    // True when the update waits: the first goes on at once, those of the time behind it do not.
    private bool TryHoldBack(CachedItem item, ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields)
    {
        long now = Worker.Time.NowNanos;
        ItemThrottle throttle = item.OpenThrottle();
        if (_settings.Tuning.ThrottleNanos == 0 && !throttle.IsWaiting)
            return false; // switched off meanwhile
        if (fields.IsEmpty)
        {
            HandOn(item, throttle, now); // nothing can be merged with it, and order holds
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
            HandOn(item, throttle, now); // it does not fit into what waits, and goes on behind it
            return false;
        }

        if (wasWaiting)
            Worker.Recording.Counters.Add(Counter.UpdatesThrottled, 1);
        else
            Enqueue(item, throttle);
        return true;
    }

    // Once for each item: what went on ahead of its time has its place still.
    private void Enqueue(CachedItem item, ItemThrottle throttle)
    {
        if (throttle.IsQueued)
            return;
        throttle.IsQueued = true;
        _throttled.Enqueue(item, throttle.UntilNanos);
    }

    // What went on ahead of its time may wait anew until a later one.
    private void HandOnDue(long nowNanos)
    {
        for (int i = 0; i < MaxHandOnsPerTurn && HasRoom(); i++)
        {
            if (!_throttled.TryPeek(out CachedItem? item, out long dueNanos) || dueNanos > nowNanos)
                return;
            _throttled.Dequeue();
            ItemThrottle throttle = item.Throttle!;
            throttle.IsQueued = false;
            if (throttle.UntilNanos <= nowNanos)
                HandOn(item, throttle, nowNanos);
            else if (throttle.IsWaiting)
                Enqueue(item, throttle);
        }
    }

    // At the end of the sources; false while there is no room.
    private bool TryHandOnAll()
    {
        while (HasRoom() && _throttled.TryDequeue(out CachedItem? item, out _))
            HandOn(item, item.Throttle!, Worker.Time.NowNanos);
        return _throttled.Count == 0;
    }

    // Ahead of an image that has all of it.
    private void HandOnWaiting(CachedItem item)
    {
        if (item.Throttle is { IsWaiting: true } throttle)
            HandOn(item, throttle, Worker.Time.NowNanos);
    }

    private void HandOn(CachedItem item, ItemThrottle throttle, long nowNanos)
    {
        if (!throttle.IsWaiting)
            return;
        if (_mergedRoom.Length < throttle.MaxBytes)
            _mergedRoom = new byte[throttle.MaxBytes];
        int held = throttle.HeldBytes;
        int bytes = throttle.Take(_mergedRoom, item.StreamId);
        _itemBytes += throttle.HeldBytes - held;
        throttle.UntilNanos = nowNanos + _settings.Tuning.ThrottleNanos;
        if (item.Watchers == 0 || item.IsOver)
        {
            Worker.Recording.Counters.Add(Counter.UpdatesUnwatched, 1);
            return;
        }

        NoteReceived(nowNanos);
        Broadcast(item, SourceRecord.Update, _mergedRoom.AsSpan(0, bytes));
    }
}

/// <summary>What waits of one item, and until when. One owner thread.</summary>
internal sealed class ItemThrottle
{
    private const int KeptBytes = 1_024; // for what waits next

    private CachedFields _fields;
    private UpdateType _type;

    /// <summary>Until when updates wait.</summary>
    public long UntilNanos { get; set; }

    public bool IsWaiting { get; private set; }

    /// <summary>True while its item is among those that go on at their time.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Bytes that it takes, beside its object.</summary>
    public int HeldBytes => _fields.HeldBytes;

    /// <summary>Most bytes of what waits.</summary>
    public int MaxBytes => MarketPriceHeaders.UpdateHeaderBytes + _fields.MaxEncodedBytes;

    /// <summary>Merges an update into what waits.</summary>
    /// <returns>False when not all of its fields find room; what waited waits still.</returns>
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

    /// <summary>Encodes what waits; nothing does then.</summary>
    /// <returns>Its bytes.</returns>
    public int Take(Span<byte> room, int streamId)
    {
        IsWaiting = false;
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, _type);
        int bytes = UpdateHeader.Length + _fields.Encode(room[UpdateHeader.Length..]);
        if (HeldBytes > KeptBytes)
            _fields.Clear();
        return bytes;
    }
}
