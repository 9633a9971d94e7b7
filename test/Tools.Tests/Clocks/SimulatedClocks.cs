using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;

namespace Tools.Tests.Clocks;

/// <summary>Two simulated clocks and the network between them: the truth is known at every nanosecond.</summary>
/// <param name="seed">The seed of every delay.</param>
internal sealed class SimulatedClocks(int seed)
{
    private const double PerMillion = 1e-6;
    private const long Start = 777 * Clock.NanosPerSecond;

    private readonly Random _random = new(seed);
    private readonly List<(double At, double Ppm)> _rates = [];

    /// <summary>Difference of the clocks at the start.</summary>
    public long OffsetNanos { get; init; } = 5_000 * Clock.NanosPerSecond;

    /// <summary>Drift from the start on.</summary>
    public double Ppm { get; init; }

    /// <summary>The least time on the way to the peer, and on that back.</summary>
    public (double There, double Back) MinMicros { get; init; } = (8, 7);

    /// <summary>The mean of what a way takes longer.</summary>
    public double JitterMicros { get; init; } = 20;

    /// <summary>Part of the probes that are lost.</summary>
    public double Loss { get; init; }

    public double ProbesPerSecond { get; init; } = 100;

    /// <summary>Has the drift change at a second of the run.</summary>
    public SimulatedClocks Bend(double second, double ppm)
    {
        _rates.Add((second * Clock.NanosPerSecond, ppm));
        return this;
    }

    /// <summary>The peer's clock less this host's at a time of this host's clock, as far as a double has it.</summary>
    public double TrueOffset(long ownNanos) => OffsetNanos + Drifted(ownNanos - Start);

    /// <summary>The same relative to the first exchange of a history.</summary>
    public double TrueOffset(ClockHistory history, double at) =>
        (OffsetNanos - history.BaseOffsetNanos) + Drifted(history.BaseNanos + at - Start);

    /// <summary>Exchanges of some seconds, at random intervals.</summary>
    public IEnumerable<ClockExchange> Probe(double fromSecond, double toSecond)
    {
        double at = fromSecond * Clock.NanosPerSecond;
        while ((at += -Math.Log(1 - _random.NextDouble()) * Clock.NanosPerSecond / ProbesPerSecond) < toSecond * Clock.NanosPerSecond)
        {
            double arrives = at + Delay(MinMicros.There), leaves = arrives + 2_000, returns = leaves + Delay(MinMicros.Back);
            ClockExchange exchange = new(Start + (long)Math.Floor(at), PeerTime(arrives), PeerTime(leaves), Start + (long)Math.Ceiling(returns));
            at = returns;
            if (_random.NextDouble() >= Loss)
                yield return exchange;
        }
    }

    private double Delay(double minMicros) => 1_000 * (minMicros - (JitterMicros * Math.Log(1 - _random.NextDouble())));

    private long PeerTime(double at) => Start + OffsetNanos + (long)Math.Round(at + Drifted(at));

    private double Drifted(double nanos)
    {
        (double sum, double from, double ppm) = (0, 0, Ppm);
        foreach ((double at, double next) in _rates)
        {
            if (nanos <= at)
                break;
            sum += (at - from) * ppm;
            (from, ppm) = (at, next);
        }

        return (sum + ((nanos - from) * ppm)) * PerMillion;
    }
}
