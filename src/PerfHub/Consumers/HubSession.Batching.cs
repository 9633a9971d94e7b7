using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Decides whether queued updates may wait for more.</content>
internal sealed partial class HubSession
{
    private BurstInterval _burst; // used where each connection has an interval
    private long _flushedNanos;

    /// <summary>When its waiting updates are sent; 0 while none wait.</summary>
    public long HeldUntilNanos { get; set; }

    /// <summary>Records updates for it, where each connection has an interval.</summary>
    public void RecordArrivals(BurstSettings settings, long nowNanos, int updates) => _burst.Record(settings, nowNanos, updates);

    /// <summary>
    /// Decides whether updates wait for more: not when nothing was sent for the last interval, nor when other messages are sent anyway.
    /// </summary>
    /// <param name="settings">The limits of the wait.</param>
    /// <param name="ofThread">The common interval of all connections of the thread, where there is one.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="untilNanos">When the updates are sent; unchanged while others already wait.</param>
    public bool MayWait(BurstSettings settings, in BurstInterval ofThread, long nowNanos, out long untilNanos)
    {
        untilNanos = HeldUntilNanos;
        if (!IsOpen || Replies.IsWaiting || IsConflating || _isPaused)
            return false;
        ref readonly BurstInterval interval = ref settings.IsPerSession ? ref _burst : ref ofThread;
        if (untilNanos == 0 && nowNanos - _flushedNanos >= interval.Nanos)
            return false;
        if (untilNanos == 0)
            untilNanos = interval.EdgeAfter(nowNanos, SlotNumber % BurstInterval.Phases);
        return true;
    }

    /// <summary>Begins to send the waiting updates.</summary>
    public void BeginFlush(long nowNanos)
    {
        Release();
        _flushedNanos = nowNanos;
    }

    // Nothing arrives any more that it could wait for.
    private void Release() => HeldUntilNanos = 0;
}
