using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one TransportPerf worker, or all together, measured in the whole run.</summary>
internal sealed record TransportFigures
{
    /// <summary>Seconds from the first connection to the last disconnection, or to the end.</summary>
    public double ConnectedSeconds { get; init; }

    /// <summary>Everything counted, drained messages included.</summary>
    public TransportCounts Counts { get; init; }

    /// <summary>Latency of stamped messages.</summary>
    public LatencyFigures Latency { get; init; }

    /// <summary>How late the ticks started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>Messages sent per second connected.</summary>
    public double SendRate => InvariantText.PerSecond(Counts.MessagesSent, ConnectedSeconds);

    /// <summary>Messages received per second connected, drained ones left out.</summary>
    public double ReceiveRate => InvariantText.PerSecond(Counts.MessagesReceived - Counts.DrainedMessages, ConnectedSeconds);

    /// <summary>Megabytes sent per second connected.</summary>
    public double SendMegabytesPerSecond => InvariantText.PerSecond(InvariantText.Megabytes(Counts.BytesSent), ConnectedSeconds);

    /// <summary>Megabytes received per second connected, drained ones left out.</summary>
    public double ReceiveMegabytesPerSecond =>
        InvariantText.PerSecond(InvariantText.Megabytes(Counts.BytesReceived - Counts.DrainedBytes), ConnectedSeconds);
}
