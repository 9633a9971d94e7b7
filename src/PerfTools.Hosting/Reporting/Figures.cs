using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>The figures of one worker, or of all together, for one interval or the whole run: one shape for every role.</summary>
/// <remarks>A finished snapshot; a role's report decides which of them are shown, and derives its rates from them.</remarks>
internal sealed record Figures
{
    private static readonly Dictionary<Series, LatencyDistribution> NoDistributions = [];

    public CollectionInfo Info { get; init; }

    /// <summary>Counts of the interval, or of the whole run, drained messages included.</summary>
    public CounterSnapshot Counts { get; init; }

    /// <summary>Counts since the start, the interval included.</summary>
    public CounterSnapshot Totals { get; init; }

    /// <summary>The samples of each series: all of them (phase null), and those of each phase.</summary>
    public Dictionary<(Series Series, RunPhase? Phase), LatencyFigures> Latencies { get; init; } = [];

    /// <summary>The samples of each series since the start, by bounds; empty where they are not used.</summary>
    public IReadOnlyDictionary<Series, LatencyDistribution> Distributions { get; init; } = NoDistributions;

    /// <summary>The times of events, in nanoseconds of one clock; events that did not occur are left out.</summary>
    public Dictionary<Moment, long> Moments { get; init; } = [];

    /// <summary>Seconds in which there was anything to send; null before that time has ended once.</summary>
    public double? SendingSeconds { get; init; }

    /// <summary>The gauges at the collection.</summary>
    public Dictionary<Gauge, long> Gauges { get; init; } = [];

    public int Items { get; init; }

    /// <summary>Set in the one interval in which the last refresh arrived, and for a whole run that received them all.</summary>
    public ImageRetrieval? Images { get; init; }

    /// <summary>Processor and memory of the process; the same for all workers.</summary>
    public ProcessSample Process { get; init; }

    /// <summary>
    /// CPU use of the workers' threads, in percent of one core: in the interval, or in the steady state; null where unknown.
    /// </summary>
    public double? CoreCpuPercent { get; init; }

    /// <summary>The processors on which the workers ran; null where they were not recorded.</summary>
    public PlacementCounts? Placement { get; init; }

    /// <summary>The clock by which the latencies were corrected; null where they were not.</summary>
    public ClockFigures? Clock { get; init; }

    /// <summary>The size of the messages that they are of, in bytes; null where they are not those of a size.</summary>
    public int? Bytes { get; init; }

    /// <summary>The role's own results, for its own rows; null for a role that has recordings alone.</summary>
    public object? Results { get; init; }

    public long this[Counter counter] => Counts[counter];

    /// <summary>The samples of a series, all or those of a phase; default without samples.</summary>
    public LatencyFigures this[Series series, RunPhase? phase = null] => Latencies.GetValueOrDefault((series, phase));

    /// <summary>The time of an event in nanoseconds; null when it did not occur.</summary>
    public long? this[Moment moment] => Moments.TryGetValue(moment, out long nanos) ? nanos : null;

    /// <summary>The value of a gauge; 0 when it was not set.</summary>
    public long this[Gauge gauge] => Gauges.GetValueOrDefault(gauge);

    /// <summary>Returns a count per second of the interval; 0 when no time has passed.</summary>
    public double PerIntervalSecond(double count) => InvariantText.PerSecond(count, Info.Seconds);

    /// <summary>Returns the seconds between two events; 0 when one of them did not occur.</summary>
    public double Seconds(Moment from, Moment to) => Seconds(this[from], this[to]);

    /// <summary>Returns the seconds between two times; 0 when one is missing or the second is not the later one.</summary>
    public static double Seconds(long? fromNanos, long? toNanos) =>
        fromNanos is { } from && toNanos is { } to && to > from ? (to - from) / (double)PerfCommon.Measurement.Clock.NanosPerSecond : 0;
}
