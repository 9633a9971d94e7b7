using HubPerf.Cache;
using HubPerf.Rings;
using HubPerf.Tuning;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <content>Updates of an item that come too soon behind another: merged field by field, and handed on as one when it is time.</content>
internal sealed partial class SourceHost
{
    private readonly PriorityQueue<CachedItem, long> _throttled = new(); // by the time when what waits goes on
    private readonly LayoutTable _throttleLayouts = new();
    private byte[] _mergedRoom = [];

    /// <summary>What may be changed while it runs.</summary>
    public HubTuning Tuning { get; init; } = new();

    public long NextDueNanos => _throttled.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    // Order books are not: of an order that came and went nothing would be told.
    private bool IsThrottled(in ItemState state) =>
        (Tuning.ThrottleNanos != 0 || state.HasThrottle) && state is { IsWatched: true, IsOrderBook: false };

    // True when the update waits: the first goes on at once, those of the time behind it do not.
    private bool TryHoldBack(CachedItem item, ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields)
    {
        long now = Worker.Time.NowNanos;
        ItemThrottle throttle = item.OpenThrottle();
        if (Tuning.ThrottleNanos == 0 && !throttle.IsWaiting)
            return false; // switched off meanwhile
        if (fields.IsEmpty)
        {
            HandOn(item, throttle, now); // nothing can be merged with it, and order holds
            return false;
        }

        if (!throttle.IsWaiting && now >= throttle.UntilNanos)
        {
            throttle.UntilNanos = now + Tuning.ThrottleNanos;
            return false;
        }

        if (throttle.IsWaiting)
            Worker.Recording.Counters.Add(Counter.UpdatesThrottled, 1);
        else
            _throttled.Enqueue(item, throttle.UntilNanos);
        throttle.Merge(message, fields, _throttleLayouts);
        return true;
    }

    // What went on ahead of its time has left its place, and may wait anew until a later one.
    private void HandOnDue(long nowNanos)
    {
        while (_throttled.TryPeek(out CachedItem? item, out long dueNanos) && dueNanos <= nowNanos && HasRoom())
        {
            _throttled.Dequeue();
            if (dueNanos == item.Throttle!.UntilNanos)
                HandOn(item, item.Throttle, nowNanos);
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
        int bytes = throttle.Take(_mergedRoom, item.StreamId);
        throttle.UntilNanos = nowNanos + Tuning.ThrottleNanos;
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
    private CachedFields _fields;
    private UpdateType _type;

    /// <summary>Until when updates wait.</summary>
    public long UntilNanos { get; set; }

    public bool IsWaiting { get; private set; }

    /// <summary>Most bytes of what waits.</summary>
    public int MaxBytes => MarketPriceHeaders.UpdateHeaderBytes + _fields.MaxEncodedBytes;

    public void Merge(ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields, LayoutTable layouts)
    {
        if (!IsWaiting)
            _fields.Clear();
        IsWaiting = true;
        _type = UpdateHeader.TryRead(message, out UpdateHeader header) ? header.UpdateType : UpdateType.Unspecified;
        _fields.Merge(fields, layouts);
    }

    /// <summary>Encodes what waits; nothing does then.</summary>
    /// <returns>Its bytes.</returns>
    public int Take(Span<byte> room, int streamId)
    {
        IsWaiting = false;
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, _type);
        return UpdateHeader.Length + _fields.Encode(room[UpdateHeader.Length..]);
    }
}
