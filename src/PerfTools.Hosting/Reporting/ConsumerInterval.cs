using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one consumer worker (or all together) did in one interval.</summary>
internal sealed record ConsumerInterval
{
    /// <summary>Which collection, which worker.</summary>
    public required CollectionInfo Info { get; init; }

    /// <summary>What was counted in the interval.</summary>
    public ConsumerCounts Counts { get; init; }

    /// <summary>Latency of updates.</summary>
    public LatencyFigures UpdateLatency { get; init; }

    /// <summary>Latency of reflected posts.</summary>
    public LatencyFigures PostLatency { get; init; }

    /// <summary>Latency of generic messages.</summary>
    public LatencyFigures GenericLatency { get; init; }

    /// <summary>Round trips on the login stream.</summary>
    public LatencyFigures RoundTrips { get; init; }

    /// <summary>How late the ticks started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>Set in the one interval in which the worker's last image came in.</summary>
    public ImageRetrieval? Images { get; init; }

    /// <summary>Processor and memory of the process; the same for all workers.</summary>
    public ProcessSample Process { get; init; }

    /// <summary>Updates per second, whole ones.</summary>
    public long UpdateRate => (long)InvariantText.PerSecond(Counts.MeasuredUpdates, Info.Seconds);
}
