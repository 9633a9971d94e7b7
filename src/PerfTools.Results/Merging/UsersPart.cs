using PerfCommon.Measurement;
using PerfTools.Results.Files;

namespace PerfTools.Results.Merging;

/// <summary>The measurements of one process with users.</summary>
/// <param name="Periods">The line of each period.</param>
/// <param name="Samples">Their samples in the same order; fewer where the log is incomplete.</param>
/// <param name="IsWhole">False when the process did not complete.</param>
internal sealed record UsersPart(IReadOnlyList<JsonView> Periods, IReadOnlyList<LongHistogram> Samples, bool IsWhole)
{
    /// <summary>The time that is subtracted from that of its periods, so that it is that of rank 0.</summary>
    public TimeSpan ClockShift { get; init; }

    /// <summary>Returns when a period began and ended, by the clock of rank 0.</summary>
    public (DateTime From, DateTime To) WindowOf(int period)
    {
        ResultTime.TryRead(Periods[period].Text("utc"), out DateTime from);
        from -= ClockShift;
        return (from, from.AddSeconds(Periods[period].Number("seconds") ?? 0));
    }
}
