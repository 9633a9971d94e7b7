using PerfCommon.Measurement;

namespace PerfTools.Results;

/// <summary>The figures of a run, taken from what its roles counted.</summary>
internal sealed record RunFigures
{
    /// <summary>Messages a second that were asked for, over all connections.</summary>
    public required double RateAsked { get; init; }

    /// <summary>Messages a second that were received in the steady state.</summary>
    public required double RateReached { get; init; }

    /// <summary>Length of the steady state.</summary>
    public required double SteadySeconds { get; init; }

    /// <summary>The accounts that must be even, the measured kind first.</summary>
    public required IReadOnlyList<Balance> Balances { get; init; }

    /// <summary>Messages that were due and never sent.</summary>
    public long NotSent { get; init; }

    /// <summary>Latency in the steady state; default without samples.</summary>
    public LatencyFigures Latency { get; init; }

    /// <summary>How late the sender's ticks started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>Null where there are no images.</summary>
    public ImageFigures? Images { get; init; }

    /// <summary>Cost of the role that listens.</summary>
    public required RoleFigures Server { get; init; }

    /// <summary>Cost of the role that connects.</summary>
    public required RoleFigures Client { get; init; }
}
