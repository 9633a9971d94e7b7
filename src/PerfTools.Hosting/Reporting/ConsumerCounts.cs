namespace PerfTools.Hosting.Reporting;

/// <summary>What one consumer worker has counted; running totals, or the difference of two for an interval.</summary>
internal readonly record struct ConsumerCounts
{
    /// <summary>Requests sent.</summary>
    public long RequestsSent { get; init; }

    /// <summary>Refreshes received.</summary>
    public long RefreshesReceived { get; init; }

    /// <summary>Updates received before the worker's last image was in.</summary>
    public long StartupUpdates { get; init; }

    /// <summary>Updates received from then to the end of measuring.</summary>
    public long SteadyUpdates { get; init; }

    /// <summary>Updates received after the end, while both sides drained: received, but in no rate.</summary>
    public long DrainedUpdates { get; init; }

    /// <summary>Posts sent.</summary>
    public long PostsSent { get; init; }

    /// <summary>Posts due but not sent.</summary>
    public long PostsNotSent { get; init; }

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

    /// <summary>Status messages received.</summary>
    public long StatusesReceived { get; init; }

    /// <summary>Messages received and not used: unknown stream, not understood, or of a kind that is not available.</summary>
    public long MessagesDropped { get; init; }

    /// <summary>Fields skipped because the dictionary does not have them.</summary>
    public long FieldsSkipped { get; init; }

    /// <summary>Samples missing in the latency file because it was written too slowly.</summary>
    public long LatencyRecordsDropped { get; init; }

    /// <summary>All updates received.</summary>
    public long UpdatesReceived => StartupUpdates + SteadyUpdates + DrainedUpdates;

    /// <summary>Updates received while measuring: those of the rates.</summary>
    public long MeasuredUpdates => StartupUpdates + SteadyUpdates;

    /// <summary>The counts of two workers together.</summary>
    public static ConsumerCounts operator +(ConsumerCounts a, ConsumerCounts b) => Combine(a, b, 1);

    /// <summary>What was counted from the second snapshot to the first.</summary>
    public static ConsumerCounts operator -(ConsumerCounts a, ConsumerCounts b) => Combine(a, b, -1);

    /// <summary>The counts of two workers together.</summary>
    public static ConsumerCounts Add(ConsumerCounts a, ConsumerCounts b) => a + b;

    /// <summary>What was counted from the second snapshot to the first.</summary>
    public static ConsumerCounts Subtract(ConsumerCounts a, ConsumerCounts b) => a - b;

    private static ConsumerCounts Combine(in ConsumerCounts a, in ConsumerCounts b, int sign) => new()
    {
        RequestsSent = a.RequestsSent + (sign * b.RequestsSent),
        RefreshesReceived = a.RefreshesReceived + (sign * b.RefreshesReceived),
        StartupUpdates = a.StartupUpdates + (sign * b.StartupUpdates),
        SteadyUpdates = a.SteadyUpdates + (sign * b.SteadyUpdates),
        DrainedUpdates = a.DrainedUpdates + (sign * b.DrainedUpdates),
        PostsSent = a.PostsSent + (sign * b.PostsSent),
        PostsNotSent = a.PostsNotSent + (sign * b.PostsNotSent),
        GenericSent = a.GenericSent + (sign * b.GenericSent),
        GenericLatenciesSent = a.GenericLatenciesSent + (sign * b.GenericLatenciesSent),
        GenericNotSent = a.GenericNotSent + (sign * b.GenericNotSent),
        GenericReceived = a.GenericReceived + (sign * b.GenericReceived),
        GenericLatenciesReceived = a.GenericLatenciesReceived + (sign * b.GenericLatenciesReceived),
        StatusesReceived = a.StatusesReceived + (sign * b.StatusesReceived),
        MessagesDropped = a.MessagesDropped + (sign * b.MessagesDropped),
        FieldsSkipped = a.FieldsSkipped + (sign * b.FieldsSkipped),
        LatencyRecordsDropped = a.LatencyRecordsDropped + (sign * b.LatencyRecordsDropped),
    };
}
