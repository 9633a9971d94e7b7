using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one TransportPerf worker (or all together) did in one interval.</summary>
internal sealed record TransportInterval
{
    /// <summary>Which collection, which worker.</summary>
    public required CollectionInfo Info { get; init; }

    /// <summary>What was counted in the interval.</summary>
    public TransportCounts Counts { get; init; }

    /// <summary>Latency of stamped messages.</summary>
    public LatencyFigures Latency { get; init; }

    /// <summary>How late the ticks started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>Processor and memory of the process; the same for all workers.</summary>
    public ProcessSample Process { get; init; }

    /// <summary>Messages sent per second.</summary>
    public double SendRate => InvariantText.PerSecond(Counts.MessagesSent, Info.Seconds);

    /// <summary>Messages received per second, drained ones left out.</summary>
    public double ReceiveRate => InvariantText.PerSecond(Counts.MessagesReceived - Counts.DrainedMessages, Info.Seconds);
}
