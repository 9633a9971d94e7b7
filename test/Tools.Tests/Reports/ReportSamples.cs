using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace Tools.Tests.Reports;

/// <summary>Figures with a different value in every member, so that no two columns can be exchanged unseen.</summary>
internal static class ReportSamples
{
    public const long Start = 5_000_000_000;

    public static readonly DateTime Utc = new(2026, 11, 21, 10, 12, 33, 45, DateTimeKind.Utc);

    public static readonly ProcessSample Process = new()
    {
        Seconds = 5,
        CpuPercent = 3.456,
        CoreCpuPercent = 6.912,
        CpuSeconds = 12.5,
        PeakWorkingSetBytes = 64_225_280,
        WorkingSetBytes = 60_000_000,
        ManagedHeapBytes = 1_234_567,
        Gen0Collections = 3,
        Gen1Collections = 2,
        Gen2Collections = 1,
        GcPauseMillis = 0.75,
    };

    /// <summary>The series of an interval; what a role does not measure it does not show.</summary>
    public static Dictionary<(Series, RunPhase?), LatencyFigures> IntervalSeries { get; } = Samples(
        (Series.Updates, null, Latency(1)), (Series.Posts, null, Latency(2)),
        (Series.Generic, null, Latency(3)), (Series.Messages, null, Latency(1)),
        (Series.RoundTrips, null, Latency(4)), (Series.SendLag, null, Latency(5)));

    public static Dictionary<(Series, RunPhase?), LatencyFigures> Samples(params (Series, RunPhase?, LatencyFigures)[] samples) =>
        samples.ToDictionary(sample => (sample.Item1, sample.Item2), sample => sample.Item3);

    public static Dictionary<Moment, long> Moments(params (Moment, long)[] moments) => moments.ToDictionary();

    public static CollectionInfo Info(int thread = 1, int threads = 1) => new(5, Utc, 5.0, thread, threads);

    public static Figures Interval(CounterSnapshot counts, int thread = 1, int threads = 1) => new()
    {
        Info = Info(thread, threads),
        Counts = counts,
        Totals = counts + counts,
        Latencies = IntervalSeries,
        Images = new ImageRetrieval(102, 0.204),
        Process = Process,
    };

    public static LatencyFigures Latency(double scale) => new()
    {
        Count = (long)(100 * scale),
        Average = 31.25 * scale,
        Deviation = 4.55 * scale,
        Max = 1702.95 * scale,
        Min = 9.5 * scale,
        P50 = 30 * scale,
        P90 = 49 * scale,
        P99 = 74 * scale,
        P999 = 410 * scale,
        P9999 = scale > 1 ? null : 1703 * scale,
    };

    public static ResourceStatistics Resources()
    {
        ResourceStatistics resources = new();
        resources.Add(Process with { CpuPercent = 1, CoreCpuPercent = 2, PeakWorkingSetBytes = 52_428_800 });
        resources.Add(Process);
        return resources;
    }
}
