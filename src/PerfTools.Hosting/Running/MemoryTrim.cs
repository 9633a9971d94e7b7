using PerfCommon.Measurement;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Returns memory to the system after a peak: once much of the kept data is gone, at once or in many parts, and the amount is stable for a moment,
/// the heap is collected and its free part returned.
/// </summary>
/// <remarks>
/// A run that keeps its data is never paused for it, nor one for which a collection would take long compared with its gain. Main thread only; time is
/// an argument.
/// </remarks>
/// <param name="collect">Collects the whole heap, and returns free memory to the system.</param>
internal sealed class MemoryTrim(Action collect)
{
    private const long LookNanos = Clock.NanosPerSecond / 2;
    private const long QuietNanos = 2 * Clock.NanosPerSecond;
    private const long MinChangeBytes = 1L << 20; // less is no change
    private const long MinFallBytes = 24L << 20;
    private const long ConnectionBytes = 1L << 20; // about the buffers and setup garbage that a busy one leaves
    private const int MinFallShare = 4; // of the data still kept

    private long _nextLookNanos;
    private long _keptBytes; // at the last change
    private long _connectionsEnded;
    private long _fallBytes; // of all falls since the last collection
    private long _quietSinceNanos;

    public MemoryTrim()
        : this(static () => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true))
    {
    }

    /// <summary>Checks the amount of kept data.</summary>
    /// <param name="keptBytes">Bytes kept for peers.</param>
    /// <param name="connectionsEnded">Number of connections that have ended so far.</param>
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
