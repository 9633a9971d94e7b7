namespace PerfCommon.Tests.Simulation;

/// <summary>Faults of a simulated network.</summary>
internal enum Fault
{
    Delay,
    ShortSend,
    SendStall,
    SplitReceive,
    LineStall,
    Reset,
    ResetByClose, // closed with unread bytes, or sent to a closed end
    ConnectRefused,
    ConnectUnanswered,
    ConnectLate,
    LateReadiness,
    IdleReadiness, // reported without an event
    MissedTurns,
    ClockLeap,
    HalfClose,
    Silence, // all later bytes of either end are lost
    ResetOfOneEnd, // the other end is not notified
    NameUnknown,
    AcceptsStop, // the server accepts no connection for a while
}

/// <summary>Counts the faults of each kind.</summary>
internal sealed class FaultCounts
{
    private readonly long[] _counts = new long[Enum.GetValues<Fault>().Length];

    public long Total => _counts.Sum();

    public long this[Fault fault] => _counts[(int)fault];

    public void Add(Fault fault) => _counts[(int)fault]++;

    public void Add(FaultCounts others)
    {
        for (int i = 0; i < _counts.Length; i++)
            _counts[i] += others._counts[i];
    }

    public override string ToString() => string.Join(", ", Enum.GetValues<Fault>().Select(fault => $"{fault} {this[fault]:N0}"));
}
