namespace PerfCommon.Measurement;

/// <summary>Keeps one set of samples per phase of the worker and of the whole run.</summary>
internal sealed class LatencyPhases
{
    private const int PhaseCount = 3;

    private readonly LatencyAccumulator?[] _sets = new LatencyAccumulator?[PhaseCount * PhaseCount];

    public LatencyPhases(LatencyUnit unit, bool phased)
    {
        // the whole run is never ahead of one worker: six of the nine pairs can occur
        for (int own = phased ? 0 : (int)RunPhase.Steady; own < PhaseCount; own++)
        {
            for (int overall = phased ? 0 : own; overall <= own; overall++)
                _sets[(own * PhaseCount) + overall] = new LatencyAccumulator(unit);
        }
    }

    public LatencyAccumulator Of(RunPhase own, RunPhase overall) =>
        _sets[((int)own * PhaseCount) + (int)overall] ?? throw NoSuchPair(own, overall);

    public void AddTo(LatencyAccumulator target, RunPhase? own = null, RunPhase? overall = null)
    {
        for (int i = 0; i < _sets.Length; i++)
        {
            bool asked = (own is null || i / PhaseCount == (int)own) && (overall is null || i % PhaseCount == (int)overall);
            if (asked && _sets[i] is { Count: > 0 } set)
                target.Add(set);
        }
    }

    /// <summary>Returns a compact copy, and clears the samples.</summary>
    public HeldPhases TakeHeld()
    {
        HeldPhases held = new([.. _sets.Select(set => set is { Count: > 0 } ? new HeldSamples(set) : null)]);
        Reset();
        return held;
    }

    /// <summary>Adds a compact copy, each sample greater by a time.</summary>
    public void Add(HeldPhases held, long shift)
    {
        for (int i = 0; i < _sets.Length; i++)
            held.Sets[i]?.AddTo(_sets[i]!, shift);
    }

    public void Add(LatencyPhases other)
    {
        for (int i = 0; i < _sets.Length; i++)
        {
            if (other._sets[i] is { Count: > 0 } set)
                _sets[i]!.Add(set);
        }
    }

    public void Reset()
    {
        foreach (LatencyAccumulator? set in _sets)
            set?.Reset();
    }

    private static InvalidOperationException NoSuchPair(RunPhase own, RunPhase overall) =>
        new($"a sample cannot be of phase {own} for its worker and {overall} for the run");
}

/// <summary>A compact copy of the samples of one interval, by pairs of phases.</summary>
/// <param name="Sets">The copies; null for a pair without samples.</param>
internal sealed record HeldPhases(HeldSamples?[] Sets);

/// <summary>The part of a run that a sample belongs to.</summary>
public enum RunPhase
{
    /// <summary>Until the last image has arrived.</summary>
    Startup,

    /// <summary>After the last image, while <c>-delaySteadyStateCalc</c> lasts: counted overall only.</summary>
    Between,

    /// <summary>After the delay.</summary>
    Steady,
}
