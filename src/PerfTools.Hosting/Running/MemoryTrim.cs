using PerfCommon.Measurement;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Gives memory back to the system after a flood: once much of what was kept has gone, at once or in many parts, and for a moment no more
/// comes or goes, the heap is collected and what is free of it returned.
/// </summary>
/// <remarks>
/// A run that keeps what it has is never stopped for it, nor one for which a collection would take long beside what it brings. Main thread
/// only; time is an argument.
/// </remarks>
/// <param name="collect">Collects everything, and returns what is free.</param>
internal sealed class MemoryTrim(Action collect)
{
    private const long LookNanos = Clock.NanosPerSecond / 2;
    private const long QuietNanos = 2 * Clock.NanosPerSecond;
    private const long MinChangeBytes = 1L << 20; // less than that is no change
    private const long MinFallBytes = 24L << 20;
    private const long ConnectionBytes = 1L << 20; // about what a busy one leaves behind of buffers and what they were made for
    private const int MinFallShare = 4; // of what is kept still

    private long _nextLookNanos;
    private long _keptBytes; // at the last change
    private long _connectionsEnded;
    private long _fallBytes; // of all falls since the last collection
    private long _quietSinceNanos;

    public MemoryTrim()
        : this(static () => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true))
    {
    }

    /// <summary>Looks how much is kept.</summary>
    /// <param name="keptBytes">Of what comes and goes with peers.</param>
    /// <param name="connectionsEnded">Connections that have ended so far.</param>
    /// <param name="nowNanos">The time.</param>
    public void Look(long keptBytes, long connectionsEnded, long nowNanos)
    {
        if (nowNanos < _nextLookNanos)
            return;
        _nextLookNanos = nowNanos + LookNanos;
        long fall = _keptBytes - keptBytes;
        if (Math.Abs(fall) >= MinChangeBytes || connectionsEnded != _connectionsEnded)
        {
            _fallBytes += Math.Max(fall, 0) + ((connectionsEnded - _connectionsEnded) * ConnectionBytes);
            (_keptBytes, _connectionsEnded, _quietSinceNanos) = (keptBytes, connectionsEnded, nowNanos);
            return;
        }

        if (nowNanos - _quietSinceNanos < QuietNanos || _fallBytes < MinFallBytes || _fallBytes < keptBytes / MinFallShare)
            return;
        _fallBytes = 0;
        collect();
    }
}
