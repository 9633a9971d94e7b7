using PerfCommon.Reactor;
using PerfCommon.Sessions;

namespace ConsPerf;

/// <summary>The connection of one worker: a consumer with its server, or with the two servers of a warm standby.</summary>
internal sealed class ConsumerLine
{
    private readonly StandbyConsumer? _pair;
    private readonly IReadOnlyList<RecoveringConsumer> _sides;

    public ConsumerLine(RecoveringConsumer consumer) => _sides = [consumer];

    public ConsumerLine(StandbyConsumer pair) => (_pair, _sides) = (pair, pair.Sides);

    /// <summary>The session whose messages are measured.</summary>
    public ConsumerSession Session => Active.Session;

    /// <summary>The reason why that session is not connected.</summary>
    public string Problem => Active.Problem;

    /// <summary>The reason why no further attempt to connect it is made; null while attempts continue.</summary>
    public string? Refusal => Active.Refusal;

    /// <summary>The sessions of all servers.</summary>
    public IEnumerable<ConsumerSession> Sessions => _sides.Select(side => side.Session);

    /// <summary>Number of lost connections that another is to follow.</summary>
    public int Losses => _sides.Sum(side => side.Losses);

    /// <summary>Why it cannot go on; null while it can.</summary>
    public ConsumerFailure? Failure => _pair is null ? _sides[0].Failure : _pair.Failure;

    private RecoveringConsumer Active => _pair?.Active ?? _sides[0];
}
