using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>The figures of a peer's clock: its difference from this host's, and the bound of that difference.</summary>
internal sealed record ClockFigures
{
    /// <summary>The share of the median from which on a bound counts as coarse: latencies are then shown with a mark.</summary>
    private const double CoarseShare = 0.1;

    /// <summary>The peer, as the command line names it.</summary>
    public required string Pair { get; init; }

    /// <summary><c>udp</c> or <c>tcp</c>, and what passes the probes on, such as <c>udp via rank 0</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>What passes the probes on, such as <c> via rank 0</c>; empty where they go directly.</summary>
    public string ViaText { get; init; } = "";

    /// <summary>Probes that were answered.</summary>
    public long Exchanges { get; init; }

    /// <summary>Probes that were not answered.</summary>
    public long Lost { get; init; }

    /// <summary>The minimum round trip.</summary>
    public double MinRttMicros { get; init; }

    /// <summary>The peer's clock minus this host's at the end of the time that the figures describe.</summary>
    public long OffsetNanos { get; init; }

    /// <summary>The least and the greatest difference by which stamps of the time were corrected; null where none were.</summary>
    public (long Least, long Most)? UsedNanos { get; init; }

    /// <summary>Parts per million by which it runs faster than this host's.</summary>
    public double DriftPpm { get; init; }

    /// <summary>The maximum error of a latency of this time; null where it is not known.</summary>
    public double? BoundMicros { get; init; }

    /// <summary>Number of lines that the time needed.</summary>
    public int Segments { get; init; }

    /// <summary>Who stamped the probes and answers on this host, a word of <see cref="ClockStampWords"/>.</summary>
    public string Stamps { get; init; } = ClockStampWords.User;

    /// <summary>Who stamped the probes on the peer's host.</summary>
    public string PeerStamps { get; init; } = ClockStampWords.User;

    /// <summary>Says who stamped, as the end of a sentence; empty where programs did on both hosts, as is usual.</summary>
    public string StampText => (Stamps, PeerStamps) switch
    {
        (ClockStampWords.User, ClockStampWords.User) => "",
        (ClockStampWords.NoKernel, _) => $", stamps: the system gave none of the kernel, peer {PeerStamps}",
        _ => $", stamps: {Stamps}, peer {PeerStamps}",
    };

    public ClockState State { get; init; }

    /// <summary>True for a whole run whose latencies are of the lines that all its probes show; false for those of the lines in force.</summary>
    public bool IsFinal { get; init; }

    /// <summary>The word for the state in every output.</summary>
    public string StateWord => State == ClockState.ClockWrong ? "clock-wrong" : State.ToString().ToLowerInvariant();

    /// <summary>Returns the figures for a latency: its median decides whether the bound is coarse, and its samples may disprove it.</summary>
    /// <param name="p50Micros">The median; null without enough samples.</param>
    /// <param name="beyondBound">Samples that the bound does not allow.</param>
    public ClockFigures Beside(double? p50Micros, long beyondBound) => this with
    {
        State = beyondBound > 0 ? ClockState.ClockWrong
            : State == ClockState.Bounded && BoundMicros > p50Micros * CoarseShare ? ClockState.Coarse : State,
    };
}

/// <summary>The quality of a clock's bound.</summary>
internal enum ClockState
{
    /// <summary>Both sides read one clock: nothing is corrected.</summary>
    Same,

    /// <summary>The bound holds and is small.</summary>
    Bounded,

    /// <summary>The bound holds and is more than a tenth of the median.</summary>
    Coarse,

    /// <summary>The difference of the clocks is not known for part of the time.</summary>
    Unbounded,

    /// <summary>Latencies disprove the bound.</summary>
    ClockWrong,
}
