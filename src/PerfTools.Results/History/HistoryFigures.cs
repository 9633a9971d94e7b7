using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;

namespace PerfTools.Results.History;

/// <summary>Reads the figures of comparisons from run.json alone: one value per run, without its histograms.</summary>
internal static class HistoryFigures
{
    private const double WholePercent = 100;

    /// <summary>Reads every figure that has a value above 0; percentiles with too few samples have none.</summary>
    public static IReadOnlyList<HistoryValue> ReadAll(RunDocument run)
    {
        if (run.Figures is not { } figures)
            return [];
        SegmentSum sum = SegmentSum.Of([Count(run, figures)]);
        RoundTripFigures[] trips = [.. (figures.RoundTrips ?? []).DistinctBy(size => size.Bytes)];
        Dictionary<string, double?> samples = Samples(figures).Concat(trips.SelectMany(Samples)).ToDictionary();
        return
        [
            .. from figure in ComparedFigure.Of(sum.Roles).Concat(SizedFigures.Of(trips.Select(size => size.Bytes)))
               let value = samples.TryGetValue(figure.Name, out double? known) ? known : figure.Read(sum)
               where value > 0
               select new HistoryValue(figure, value.Value),
        ];
    }

    private static MeasuredSegment Count(RunDocument run, RunFigures figures) => new()
    {
        Seconds = figures.SteadySeconds,
        Messages = figures.RateReached * figures.SteadySeconds,
        RecordedRate = figures.RateReached,
        CpuSeconds = run.Roles.Where(role => role.CpuCorePercent is not null).DistinctBy(role => role.Name)
            .ToDictionary(role => role.Name, role => role.CpuCorePercent!.Value / WholePercent * figures.SteadySeconds),
        MemoryMegabytes = run.Roles.All(role => role.MemoryMegabytes is not null) ? run.Roles.Sum(role => role.MemoryMegabytes) : null,
        ImageSeconds = figures.Images?.Seconds,
    };

    private static IEnumerable<KeyValuePair<string, double?>> Samples(RunFigures figures)
    {
        RunLatency? latency = figures.RoundTrips is null ? figures.LatencyMicros : null;
        return
        [
            new("avg", latency?.Average), new("p50", latency?.P50), new("p90", latency?.P90), new("p99", latency?.P99),
            new("p99.9", latency?.P999), new("sendLagP99", figures.SendLagMicros?.P99),
        ];
    }

    private static IEnumerable<KeyValuePair<string, double?>> Samples(RoundTripFigures size) =>
    [
        new($"avg@{size.Bytes}", size.AverageMicros), new($"p50@{size.Bytes}", size.P50Micros), new($"p90@{size.Bytes}", size.P90Micros),
        new($"p99@{size.Bytes}", size.P99Micros),
    ];
}
