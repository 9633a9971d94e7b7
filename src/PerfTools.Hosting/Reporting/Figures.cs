using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one worker, or all together, did in one interval or in the whole run: one shape for every role.</summary>
/// <remarks>A finished snapshot; a role's report says what of it is shown, and derives its rates from it.</remarks>
internal sealed record Figures
{
    /// <summary>Which collection, which worker.</summary>
    public CollectionInfo Info { get; init; }

    /// <summary>What was counted: in the interval, or in the whole run, drained messages included.</summary>
    public CounterSnapshot Counts { get; init; }

    /// <summary>What was counted since the start, the interval included.</summary>
    public CounterSnapshot Totals { get; init; }

    /// <summary>The samples of each series.</summary>
    public SeriesFigures Latencies { get; init; }

    /// <summary>When things happened, in nanoseconds of one clock; null for what did not.</summary>
    public MomentTimes Moments { get; init; }

    /// <summary>Number of items asked for.</summary>
    public int Items { get; init; }

    /// <summary>Set in the one interval in which the last refresh came in, and for a whole run that had them all.</summary>
    public ImageRetrieval? Images { get; init; }

    /// <summary>Processor and memory of the process; the same for all workers.</summary>
    public ProcessSample Process { get; init; }

    /// <summary>One count.</summary>
    public long this[Counter counter] => Counts[counter];

    /// <summary>All samples of a series.</summary>
    public LatencyFigures this[Series series] => Latencies[series];

    /// <summary>A count per second of the interval; 0 when no time has passed.</summary>
    public double PerIntervalSecond(double count) => InvariantText.PerSecond(count, Info.Seconds);

    /// <summary>Seconds between two moments; 0 when one of them did not come.</summary>
    public double Seconds(Moment from, Moment to) => Seconds(Moments[from], Moments[to]);

    /// <summary>Seconds between two times; 0 when one is missing or the second is not the later one.</summary>
    public static double Seconds(long? fromNanos, long? toNanos) =>
        fromNanos is { } from && toNanos is { } to && to > from ? (to - from) / (double)Clock.NanosPerSecond : 0;
}
