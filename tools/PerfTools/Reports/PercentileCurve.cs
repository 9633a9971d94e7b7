using PerfCommon.Measurement;
using PerfTools.Reports.Charts;

namespace PerfTools.Reports;

/// <summary>The percentiles of a series, up to the last with ten samples above it and within the range of its histogram.</summary>
internal sealed record PercentileCurve(string Label, IReadOnlyList<double> Percentiles, IReadOnlyList<double?> Micros)
{
    private const double SamplesBeyond = 10;
    private const double LeastMicros = 0.1;
    private const double NanosPerMicro = 1_000;
    private const double Whole = 100;

    /// <summary>The series that are no latencies and are not drawn: lateness of ticks, and time of coding.</summary>
    public static IReadOnlyList<string> NoLatencies { get; } = ["sendLag", "encoding", "decoding"];

    /// <summary>Creates the curve of a histogram; null where there is none, or it has too few samples.</summary>
    public static PercentileCurve? TryCreate(string label, LongHistogram? samples)
    {
        if (samples is null || samples.TotalCount < 2 * SamplesBeyond)
            return null;
        double unit = samples.Unit == LatencyUnit.Nanoseconds ? NanosPerMicro : 1;
        long clampedFrom = samples.ClampedFrom();
        double highest = Whole * (1 - (SamplesBeyond / samples.TotalCount));
        List<(long Value, double Percentile, long Count)> levels = samples.Levels().TakeWhile(level =>
            level.Percentile <= highest && level.Value < clampedFrom).ToList();
        return new(label, [.. levels.Select(level => level.Percentile)], [.. levels.Select(level => (double?)(level.Value / unit))]);
    }

    /// <summary>Draws several curves in one chart.</summary>
    public static Chart CreateChart(IReadOnlyList<PercentileCurve> curves) => new()
    {
        Title = "Latency by percentile, us",
        Note = "How many percent of the samples took no longer. Each nine is as wide as the one before; a curve ends where fewer than ten samples lie beyond.",
        X = Axis.Nines(curves.Max(curve => curve.Percentiles.DefaultIfEmpty(0).Max())),
        Y = Axis.Logarithmic(curves.SelectMany(curve => curve.Micros), LeastMicros),
        Lines = [.. curves.Select((curve, i) => new ChartLine(curve.Label, curve.Percentiles, curve.Micros, i))],
    };
}
