namespace PerfTools.Hosting.Clocks;

/// <summary>The time of one collected interval of a worker, whose latencies may be moved to the line that later probes show.</summary>
/// <param name="FromNanos">Begin, by this host's clock.</param>
/// <param name="ToNanos">End.</param>
/// <param name="MinShiftNanos">A line that is nearer than this to the later one stays.</param>
/// <param name="HasBelowZero">True where latencies were below zero and recorded as 0: how far they were below is not known any more.</param>
internal sealed record ClockSpan(long FromNanos, long ToNanos, double MinShiftNanos, bool HasBelowZero)
{
    /// <summary>By how much its latencies were moved.</summary>
    public long ShiftNanos { get; init; }

    /// <summary>Returns by how much its latencies are to be moved, in whole units.</summary>
    /// <param name="error">The error of the lines by which they were corrected; null where it is not known.</param>
    /// <param name="unitNanos">The unit of the latencies.</param>
    public long FindShift(ClockError? error, long unitNanos)
    {
        if (error is not { } known || !double.IsFinite(known.Centre) || Math.Abs(known.Centre) <= MinShiftNanos || (HasBelowZero && known.Centre > 0))
            return 0;
        return (long)Math.Round(known.Centre / unitNanos) * unitNanos;
    }
}
