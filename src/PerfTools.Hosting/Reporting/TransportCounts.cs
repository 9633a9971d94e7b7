namespace PerfTools.Hosting.Reporting;

/// <summary>What one TransportPerf worker has counted; running totals, or the difference of two for an interval.</summary>
internal readonly record struct TransportCounts
{
    /// <summary>Messages whose last byte the socket took.</summary>
    public long MessagesSent { get; init; }

    /// <summary>Bytes as the transport counts them: headers, packing and compression included.</summary>
    public long BytesSent { get; init; }

    /// <summary>Messages due but not sent, for whatever reason.</summary>
    public long MessagesNotSent { get; init; }

    /// <summary>Those of <see cref="MessagesNotSent"/> that found no output buffer.</summary>
    public long MessagesStopped { get; init; }

    /// <summary>Messages received.</summary>
    public long MessagesReceived { get; init; }

    /// <summary>Bytes of the messages received, without headers.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Messages received with a stamp.</summary>
    public long LatencyMessagesReceived { get; init; }

    /// <summary>Messages received after the end, while both sides drained: received, but in no rate.</summary>
    public long DrainedMessages { get; init; }

    /// <summary>Bytes of <see cref="DrainedMessages"/>.</summary>
    public long DrainedBytes { get; init; }

    /// <summary>Samples missing in the latency file because it was written too slowly.</summary>
    public long LatencyRecordsDropped { get; init; }

    /// <summary>The counts of two workers together.</summary>
    public static TransportCounts operator +(TransportCounts a, TransportCounts b) => Combine(a, b, 1);

    /// <summary>What was counted from the second snapshot to the first.</summary>
    public static TransportCounts operator -(TransportCounts a, TransportCounts b) => Combine(a, b, -1);

    /// <summary>The counts of two workers together.</summary>
    public static TransportCounts Add(TransportCounts a, TransportCounts b) => a + b;

    /// <summary>What was counted from the second snapshot to the first.</summary>
    public static TransportCounts Subtract(TransportCounts a, TransportCounts b) => a - b;

    private static TransportCounts Combine(in TransportCounts a, in TransportCounts b, int sign) => new()
    {
        MessagesSent = a.MessagesSent + (sign * b.MessagesSent),
        BytesSent = a.BytesSent + (sign * b.BytesSent),
        MessagesNotSent = a.MessagesNotSent + (sign * b.MessagesNotSent),
        MessagesStopped = a.MessagesStopped + (sign * b.MessagesStopped),
        MessagesReceived = a.MessagesReceived + (sign * b.MessagesReceived),
        BytesReceived = a.BytesReceived + (sign * b.BytesReceived),
        LatencyMessagesReceived = a.LatencyMessagesReceived + (sign * b.LatencyMessagesReceived),
        DrainedMessages = a.DrainedMessages + (sign * b.DrainedMessages),
        DrainedBytes = a.DrainedBytes + (sign * b.DrainedBytes),
        LatencyRecordsDropped = a.LatencyRecordsDropped + (sign * b.LatencyRecordsDropped),
    };
}
