using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one worker, or all together, did in one interval or in the whole run: one shape for every role.</summary>
/// <remarks>A finished snapshot; a role's report says what of it is shown, and derives its rates from it.</remarks>
internal sealed record Figures
{
    private static readonly Dictionary<Series, LatencyDistribution> NoDistributions = [];

    public CollectionInfo Info { get; init; }

    /// <summary>What was counted: in the interval, or in the whole run, drained messages included.</summary>
    public CounterSnapshot Counts { get; init; }

    /// <summary>What was counted since the start, the interval included.</summary>
    public CounterSnapshot Totals { get; init; }

    /// <summary>The samples of each series: all of them (phase null), and those of each phase.</summary>
    public Dictionary<(Series Series, RunPhase? Phase), LatencyFigures> Latencies { get; init; } = [];

    /// <summary>The samples of each series since the start, by bounds; empty where nothing asks for them.</summary>
    public IReadOnlyDictionary<Series, LatencyDistribution> Distributions { get; init; } = NoDistributions;

    /// <summary>When things happened, in nanoseconds of one clock; what did not is left out.</summary>
    public Dictionary<Moment, long> Moments { get; init; } = [];

    /// <summary>Seconds in which there was anything to send; null while that has not ended once.</summary>
    public double? SendingSeconds { get; init; }

    /// <summary>What there was of this and that, at the collection.</summary>
    public Dictionary<Gauge, long> Gauges { get; init; } = [];

    public int Items { get; init; }

    /// <summary>Set in the one interval in which the last refresh came in, and for a whole run that had them all.</summary>
    public ImageRetrieval? Images { get; init; }

    /// <summary>Processor and memory of the process; the same for all workers.</summary>
    public ProcessSample Process { get; init; }

    /// <summary>
    /// What the workers' own threads used, in percent of one core: in the interval, or in the steady state; null where unknown.
    /// </summary>
    public double? CoreCpuPercent { get; init; }

    /// <summary>On which processors the workers ran; null where nobody looked.</summary>
    public PlacementCounts? Placement { get; init; }

    /// <summary>The clock by which the latencies were corrected; null where they were not.</summary>
    public ClockFigures? Clock { get; init; }

    public long this[Counter counter] => Counts[counter];

    /// <summary>The samples of a series, all or those of a phase; default without samples.</summary>
    public LatencyFigures this[Series series, RunPhase? phase = null] => Latencies.GetValueOrDefault((series, phase));

    /// <summary>The time of a moment in nanoseconds; null when it did not come.</summary>
    public long? this[Moment moment] => Moments.TryGetValue(moment, out long nanos) ? nanos : null;

    /// <summary>How much there was of something; 0 when nobody said.</summary>
    public long this[Gauge gauge] => Gauges.GetValueOrDefault(gauge);

    /// <summary>A count per second of the interval; 0 when no time has passed.</summary>
    public double PerIntervalSecond(double count) => InvariantText.PerSecond(count, Info.Seconds);

    /// <summary>Seconds between two moments; 0 when one of them did not come.</summary>
    public double Seconds(Moment from, Moment to) => Seconds(this[from], this[to]);

    /// <summary>Seconds between two times; 0 when one is missing or the second is not the later one.</summary>
    public static double Seconds(long? fromNanos, long? toNanos) =>
        fromNanos is { } from && toNanos is { } to && to > from ? (to - from) / (double)PerfCommon.Measurement.Clock.NanosPerSecond : 0;
}
