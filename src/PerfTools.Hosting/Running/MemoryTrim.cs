using PerfCommon.Measurement;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Gives memory back to the system after a flood: once much less is kept than before, and no more has come for a moment, the heap is
/// collected and what is free of it returned.
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
    private const long MinFallBytes = 24L << 20;
    private const int MinFallShare = 4; // of what is kept still

    private long _nextLookNanos;
    private long _peakBytes;
    private long _lowBytes; // since the peak
    private long _quietSinceNanos;

    public MemoryTrim()
        : this(static () => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true))
    {
    }

    /// <summary>Looks how much is kept.</summary>
    /// <param name="keptBytes">Of what comes and goes with peers.</param>
    /// <param name="nowNanos">The time.</param>
    public void Look(long keptBytes, long nowNanos)
    {
        if (nowNanos < _nextLookNanos)
            return;
        _nextLookNanos = nowNanos + LookNanos;
        if (keptBytes >= _peakBytes)
        {
            (_peakBytes, _lowBytes, _quietSinceNanos) = (keptBytes, keptBytes, nowNanos);
            return;
        }

        if (keptBytes < _lowBytes)
            (_lowBytes, _quietSinceNanos) = (keptBytes, nowNanos); // it falls still
        long fall = _peakBytes - keptBytes;
        if (nowNanos - _quietSinceNanos < QuietNanos || fall < MinFallBytes || fall < keptBytes / MinFallShare)
            return;
        (_peakBytes, _lowBytes, _quietSinceNanos) = (keptBytes, keptBytes, nowNanos);
        collect();
    }
}
