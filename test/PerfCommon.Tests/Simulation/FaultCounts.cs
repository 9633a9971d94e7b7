namespace PerfCommon.Tests.Simulation;

/// <summary>What a simulated network does to those who use it.</summary>
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
    IdleReadiness, // reported, and nothing is there
    MissedTurns,
    ClockLeap,
    HalfClose,
    Silence, // whatever either end sends from then on is lost
    ResetOfOneEnd, // the other is not told
    NameUnknown,
    AcceptsStop, // the server takes no connection for a while
}

/// <summary>How often each was done.</summary>
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
