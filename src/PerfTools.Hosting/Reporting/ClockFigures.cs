namespace PerfTools.Hosting.Reporting;

/// <summary>What is known of the clock of a peer: how far it is from this host's, and how exactly that is known.</summary>
internal sealed record ClockFigures
{
    /// <summary>Latencies are shown with a mark from here on: a bound that is a tenth of the median.</summary>
    private const double CoarseShare = 0.1;

    /// <summary>The peer, as the command line names it.</summary>
    public required string Pair { get; init; }

    /// <summary><c>udp</c> or <c>tcp</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>Probes that were answered.</summary>
    public long Exchanges { get; init; }

    /// <summary>Probes that were not.</summary>
    public long Lost { get; init; }

    /// <summary>The least round trip.</summary>
    public double MinRttMicros { get; init; }

    /// <summary>The peer's clock less this host's at the end of the time that the figures are of.</summary>
    public long OffsetNanos { get; init; }

    /// <summary>By how much it runs faster than this host's.</summary>
    public double DriftPpm { get; init; }

    /// <summary>How far a latency of this time can be from the truth; null where that is not known.</summary>
    public double? BoundMicros { get; init; }

    /// <summary>Lines that the time needed.</summary>
    public int Segments { get; init; }

    public ClockState State { get; init; }

    /// <summary>The word for the state in every output.</summary>
    public string StateWord => State == ClockState.ClockWrong ? "clock-wrong" : State.ToString().ToLowerInvariant();

    /// <summary>The same beside a latency, whose median says how good the bound is, and whose samples may disprove it.</summary>
    /// <param name="p50Micros">Its median; null without samples enough.</param>
    /// <param name="beyondBound">Samples that are impossible.</param>
    public ClockFigures Beside(double? p50Micros, long beyondBound) => this with
    {
        State = beyondBound > 0 ? ClockState.ClockWrong
            : State == ClockState.Bounded && BoundMicros > p50Micros * CoarseShare ? ClockState.Coarse : State,
    };
}

/// <summary>What the bound of a clock is worth.</summary>
internal enum ClockState
{
    /// <summary>Both sides read one clock: nothing to correct.</summary>
    Same,

    /// <summary>The bound holds and is small.</summary>
    Bounded,

    /// <summary>The bound holds and is more than a tenth of the median.</summary>
    Coarse,

    /// <summary>The difference of the clocks is not known for a part of the time.</summary>
    Unbounded,

    /// <summary>Latencies disprove the bound.</summary>
    ClockWrong,
}
