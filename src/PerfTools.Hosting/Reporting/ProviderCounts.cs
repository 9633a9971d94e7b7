namespace PerfTools.Hosting.Reporting;

/// <summary>What one provider worker has counted; running totals, or the difference of two for an interval.</summary>
internal readonly record struct ProviderCounts
{
    /// <summary>Item requests received.</summary>
    public long RequestsReceived { get; init; }

    /// <summary>Images (refreshes) sent.</summary>
    public long ImagesSent { get; init; }

    /// <summary>Updates whose last byte the socket took.</summary>
    public long UpdatesSent { get; init; }

    /// <summary>Updates due but not sent, for whatever reason; never part of <see cref="UpdatesSent"/>.</summary>
    public long UpdatesNotSent { get; init; }

    /// <summary>Those of <see cref="UpdatesNotSent"/> that found no output buffer.</summary>
    public long UpdatesStopped { get; init; }

    /// <summary>Updates sent with a stamp.</summary>
    public long UpdateLatenciesSent { get; init; }

    /// <summary>Posts received.</summary>
    public long PostsReceived { get; init; }

    /// <summary>Posts sent back.</summary>
    public long PostsReflected { get; init; }

    /// <summary>Generic messages sent.</summary>
    public long GenericSent { get; init; }

    /// <summary>Generic messages sent with a stamp.</summary>
    public long GenericLatenciesSent { get; init; }

    /// <summary>Generic messages due but not sent.</summary>
    public long GenericNotSent { get; init; }

    /// <summary>Generic messages received.</summary>
    public long GenericReceived { get; init; }

    /// <summary>Generic messages received with a stamp.</summary>
    public long GenericLatenciesReceived { get; init; }

    /// <summary>Close messages received.</summary>
    public long ClosesReceived { get; init; }

    /// <summary>Messages received and not used: not understood, or of a kind that is not available.</summary>
    public long MessagesDropped { get; init; }

    /// <summary>Messages that went into pack buffers.</summary>
    public long PackedMessages { get; init; }

    /// <summary>Pack buffers written.</summary>
    public long PackBuffers { get; init; }

    /// <summary>Samples missing in the latency file because it was written too slowly.</summary>
    public long LatencyRecordsDropped { get; init; }

    /// <summary>The counts of two workers together.</summary>
    public static ProviderCounts operator +(ProviderCounts a, ProviderCounts b) => Combine(a, b, 1);

    /// <summary>What was counted from the second snapshot to the first.</summary>
    public static ProviderCounts operator -(ProviderCounts a, ProviderCounts b) => Combine(a, b, -1);

    /// <summary>The counts of two workers together.</summary>
    public static ProviderCounts Add(ProviderCounts a, ProviderCounts b) => a + b;

    /// <summary>What was counted from the second snapshot to the first.</summary>
    public static ProviderCounts Subtract(ProviderCounts a, ProviderCounts b) => a - b;

    private static ProviderCounts Combine(in ProviderCounts a, in ProviderCounts b, int sign) => new()
    {
        RequestsReceived = a.RequestsReceived + (sign * b.RequestsReceived),
        ImagesSent = a.ImagesSent + (sign * b.ImagesSent),
        UpdatesSent = a.UpdatesSent + (sign * b.UpdatesSent),
        UpdatesNotSent = a.UpdatesNotSent + (sign * b.UpdatesNotSent),
        UpdatesStopped = a.UpdatesStopped + (sign * b.UpdatesStopped),
        UpdateLatenciesSent = a.UpdateLatenciesSent + (sign * b.UpdateLatenciesSent),
        PostsReceived = a.PostsReceived + (sign * b.PostsReceived),
        PostsReflected = a.PostsReflected + (sign * b.PostsReflected),
        GenericSent = a.GenericSent + (sign * b.GenericSent),
        GenericLatenciesSent = a.GenericLatenciesSent + (sign * b.GenericLatenciesSent),
        GenericNotSent = a.GenericNotSent + (sign * b.GenericNotSent),
        GenericReceived = a.GenericReceived + (sign * b.GenericReceived),
        GenericLatenciesReceived = a.GenericLatenciesReceived + (sign * b.GenericLatenciesReceived),
        ClosesReceived = a.ClosesReceived + (sign * b.ClosesReceived),
        MessagesDropped = a.MessagesDropped + (sign * b.MessagesDropped),
        PackedMessages = a.PackedMessages + (sign * b.PackedMessages),
        PackBuffers = a.PackBuffers + (sign * b.PackBuffers),
        LatencyRecordsDropped = a.LatencyRecordsDropped + (sign * b.LatencyRecordsDropped),
    };
}
