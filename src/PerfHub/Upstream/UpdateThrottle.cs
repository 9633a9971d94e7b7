using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>
/// Throttles the items of one source thread: updates that follow each other too soon are merged field by field, and sent as one later.
/// </summary>
/// <param name="worker">The worker of the thread.</param>
/// <param name="tuning">The settings that may be changed while it runs.</param>
/// <param name="items">The items.</param>
/// <param name="broadcaster">Sends the updates.</param>
internal sealed class UpdateThrottle(Worker worker, HubTuning tuning, ItemCache items, Broadcaster broadcaster)
{
    private const int MaxForwardsPerTurn = 1_000; // then other work gets its turn

    private readonly PriorityQueue<CachedItem, long> _throttled = new(); // by the time when the waiting update is sent
    private readonly FieldLimit _limit = new(items.Merger.Limit.MaxFields); // what does not fit is sent by itself: it is not left out
    private byte[] _mergedRoom = [];

    /// <summary>When it must run at the latest; far in the future for never.</summary>
    public long NextDueNanos => _throttled.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    /// <summary>True when updates of the item may wait.</summary>
    // Only field lists are throttled: merging would hide an order that was added and deleted.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Concerns(in ItemState state) =>
        (tuning.ThrottleNanos != 0 || state.HasThrottle) && state is { IsWatched: true, IsFieldList: true };

    /// <summary>Holds an update back: the first is sent at once, those of the interval after it wait.</summary>
    /// <returns>True when it waits.</returns>
    public bool TryHoldBack(CachedItem item, ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields)
    {
        long now = worker.Time.NowNanos;
        ItemThrottle throttle = item.OpenThrottle();
        if (tuning.ThrottleNanos == 0 && !throttle.IsWaiting)
            return false; // switched off meanwhile
        if (fields.IsEmpty || !IsMergeable(message))
        {
            Forward(item, throttle, now); // nothing can be merged with it, and the order is kept
            return false;
        }

        if (!throttle.IsWaiting && now >= throttle.UntilNanos)
        {
            throttle.UntilNanos = now + tuning.ThrottleNanos;
            return false;
        }

        bool wasWaiting = throttle.IsWaiting;
        int held = throttle.HeldBytes;
        bool isMerged = throttle.TryMerge(message, fields, _limit);
        items.CountBytes(throttle.HeldBytes - held);
        if (!isMerged)
        {
            Forward(item, throttle, now); // it does not fit into the waiting update, and is sent after it
            return false;
        }

        if (wasWaiting)
            worker.Recording.Counters.Add(HubCounter.UpdatesThrottled, 1);
        else
            Enqueue(item, throttle);
        return true;
    }

    /// <summary>Sends the updates whose time has come, some in each turn.</summary>
    public void ForwardDue()
    {
        if (_throttled.Count > 0)
            ForwardDue(worker.Time.NowNanos);
    }

    /// <summary>Sends all waiting updates: the sources have ended.</summary>
    /// <returns>False while there is no space.</returns>
    public bool TryForwardAll()
    {
        while (broadcaster.HasRoom() && _throttled.TryDequeue(out CachedItem? item, out _))
            Forward(item, item.Throttle!, worker.Time.NowNanos);
        return _throttled.Count == 0;
    }

    /// <summary>Sends the waiting update of an item, if any, before an image that contains all of it.</summary>
    public void ForwardWaiting(CachedItem item)
    {
        if (item.Throttle is { IsWaiting: true } throttle)
            Forward(item, throttle, worker.Time.NowNanos);
    }

    // A reflected post shows whose it is; a source may forbid to merge others.
    // wire/rwf 2.9
    private static bool IsMergeable(ReadOnlySpan<byte> message) => UpdateHeader.TryRead(message, out _)
        || (RwfMsg.TryDecode(message, out RwfMsg update) == DecodeResult.Success
            && !update.Has(UpdateFlags.DoNotConflate) && !update.Has(UpdateFlags.HasPostUserInfo));

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
        for (int i = 0; i < MaxForwardsPerTurn && broadcaster.HasRoom(); i++)
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

    private void Forward(CachedItem item, ItemThrottle throttle, long nowNanos)
    {
        if (!throttle.IsWaiting)
            return;
        if (_mergedRoom.Length < throttle.MaxBytes)
            _mergedRoom = new byte[throttle.MaxBytes];
        int held = throttle.HeldBytes;
        int bytes = throttle.Dequeue(_mergedRoom, item.StreamId);
        items.CountBytes(throttle.HeldBytes - held);
        throttle.UntilNanos = nowNanos + tuning.ThrottleNanos;
        if (item.Watchers == 0 || item.IsOver)
        {
            worker.Recording.Counters.Add(HubCounter.UpdatesUnwatched, 1);
            return;
        }

        broadcaster.RecordReceived(nowNanos);
        broadcaster.Broadcast(item, SourceRecord.Update, _mergedRoom.AsSpan(0, bytes));
    }
}
