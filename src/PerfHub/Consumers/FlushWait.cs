using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <summary>Decides how long the updates of one connection wait for more, so that several are sent together.</summary>
internal struct FlushWait
{
    private BurstInterval _burst; // used where each connection has an interval
    private long _flushedNanos;

    /// <summary>When its waiting updates are sent; 0 while none wait.</summary>
    public long UntilNanos { readonly get; set; }

    /// <summary>Records updates for the connection, where each has an interval.</summary>
    public void RecordArrivals(BurstSettings settings, long nowNanos, int updates) => _burst.Record(settings, nowNanos, updates);

    /// <summary>Decides whether updates wait for more: not when nothing was sent for the last interval.</summary>
    /// <param name="settings">The limits of the wait.</param>
    /// <param name="ofThread">The common interval of all connections of the thread, where there is one.</param>
    /// <param name="number">Number of the connection in its thread.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="untilNanos">When the updates are sent; unchanged while others already wait.</param>
    public readonly bool MayWait(BurstSettings settings, in BurstInterval ofThread, int number, long nowNanos, out long untilNanos)
    {
        untilNanos = UntilNanos;
        ref readonly BurstInterval interval = ref settings.IsPerSession ? ref _burst : ref ofThread;
        if (untilNanos == 0 && nowNanos - _flushedNanos >= interval.Nanos)
            return false;
        if (untilNanos == 0)
            untilNanos = interval.EdgeAfter(nowNanos, number % BurstInterval.Phases);
        return true;
    }

    /// <summary>Begins to send the waiting updates.</summary>
    public void BeginFlush(long nowNanos)
    {
        Release();
        _flushedNanos = nowNanos;
    }

    /// <summary>Ends the wait: nothing arrives any more that they could wait for.</summary>
    public void Release() => UntilNanos = 0;
}
