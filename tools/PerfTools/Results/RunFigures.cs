namespace PerfTools.Results;

/// <summary>The figures of a run, taken from what its roles counted, as run.json has them.</summary>
internal sealed record RunFigures
{
    /// <summary>Messages a second that were asked for, over all connections; null when the sender is not ours.</summary>
    public required double? RateAsked { get; init; }

    /// <summary>Messages a second that were received in the steady state.</summary>
    public required double RateReached { get; init; }

    /// <summary>Length of the steady state.</summary>
    public required double SteadySeconds { get; init; }

    /// <summary>Latency in the steady state; null without samples.</summary>
    public required RunLatency? LatencyMicros { get; init; }

    /// <summary>How late the sender's ticks started; null without samples.</summary>
    public required RunLatency? SendLagMicros { get; init; }

    /// <summary>Null where there are no images.</summary>
    public required ImageFigures? Images { get; init; }
}
