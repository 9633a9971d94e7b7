using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>What connects one worker: a consumer with its server, or with the two of a warm standby.</summary>
internal sealed class ConsumerLine
{
    private readonly StandbyConsumer? _pair;
    private readonly IReadOnlyList<RecoveringConsumer> _sides;

    public ConsumerLine(RecoveringConsumer consumer) => _sides = [consumer];

    public ConsumerLine(StandbyConsumer pair) => (_pair, _sides) = (pair, pair.Sides);

    /// <summary>The session whose messages are measured.</summary>
    public ConsumerSession Session => Active.Session;

    /// <summary>What connects it.</summary>
    public Dialer Dialer => Active.Dialer;

    /// <summary>The sessions of all servers.</summary>
    public IEnumerable<ConsumerSession> Sessions => _sides.Select(side => side.Session);

    /// <summary>How often a connection was lost and another is to follow.</summary>
    public int Losses => _sides.Sum(side => side.Losses);

    /// <summary>Why it cannot go on; null while all is well.</summary>
    public ConsumerFailure? Failure => _pair is null ? _sides[0].Failure : _pair.Failure;

    private RecoveringConsumer Active => _pair?.Active ?? _sides[0];
}
