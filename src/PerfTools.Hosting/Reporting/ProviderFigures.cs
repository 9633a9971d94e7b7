using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one provider worker, or all together, measured in the whole run. Times are those of one clock, in nanoseconds.</summary>
internal sealed record ProviderFigures
{
    /// <summary>First generic message sent; null when there was none.</summary>
    public long? FirstGenericSentNanos { get; init; }

    /// <summary>First generic message received; null when there was none.</summary>
    public long? FirstGenericReceivedNanos { get; init; }

    /// <summary>Last disconnection, or the end of the run while connections are open.</summary>
    public long EndNanos { get; init; }

    /// <summary>Everything counted, drained messages included.</summary>
    public ProviderCounts Counts { get; init; }

    /// <summary>Latency of generic messages.</summary>
    public LatencyFigures GenericLatency { get; init; }

    /// <summary>Round trips on the login stream.</summary>
    public LatencyFigures RoundTrips { get; init; }

    /// <summary>How late the ticks started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>A count per second since the first generic message was sent; 0 when there was none.</summary>
    public double PerSendingSecond(long count) => Rate(count, FirstGenericSentNanos);

    /// <summary>A count per second since the first generic message was received; 0 when there was none.</summary>
    public double PerReceivingSecond(long count) => Rate(count, FirstGenericReceivedNanos);

    private double Rate(long count, long? fromNanos) =>
        fromNanos is { } from ? InvariantText.PerSecond(count, (EndNanos - from) / (double)Clock.NanosPerSecond) : 0;
}
