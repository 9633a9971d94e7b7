using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one provider worker (or all together) did in one interval.</summary>
internal sealed record ProviderInterval
{
    /// <summary>Which collection, which worker.</summary>
    public required CollectionInfo Info { get; init; }

    /// <summary>What was counted in the interval.</summary>
    public ProviderCounts Counts { get; init; }

    /// <summary>What was counted since the start, the interval included.</summary>
    public ProviderCounts Totals { get; init; }

    /// <summary>Latency of generic messages.</summary>
    public LatencyFigures GenericLatency { get; init; }

    /// <summary>Round trips on the login stream.</summary>
    public LatencyFigures RoundTrips { get; init; }

    /// <summary>How late the ticks started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>Processor and memory of the process; the same for all workers.</summary>
    public ProcessSample Process { get; init; }

    /// <summary>Updates sent per second, whole ones.</summary>
    public long UpdateRate => (long)InvariantText.PerSecond(Counts.UpdatesSent, Info.Seconds);
}
