using PerfTools.Search;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>A system with a known capacity: the value that four of five of its runs keep.</summary>
internal sealed class SimulatedSystem(int seed)
{
    public const double Limit = 4_360_000;
    private const double LowLimit = 3_000_000;
    private const double FourOfFive = 0.8416; // of a normal distribution
    private const int Customers = 50_000;
    private const int MaxWait = 12;

    private readonly Random _chance = new(seed);

    /// <summary>Measurements so far.</summary>
    public int Count { get; private set; }

    /// <summary>The same limit always.</summary>
    public SearchSample RunExact(SearchStep step) => Sample(step, step.Value <= Limit);

    public static double Exact(int count) => Limit;

    /// <summary>One server, times of service all alike, arrivals by chance: 99 % wait at most twelve times of service.</summary>
    public SearchSample RunQueue(SearchStep step)
    {
        double load = step.Value / Limit, wait = 0;
        int over = 0;
        for (int i = 0; i < Customers; i++)
        {
            over += wait > MaxWait ? 1 : 0;
            wait = Math.Max(0, wait + 1 + (Math.Log(1 - _chance.NextDouble()) / load));
        }

        return Sample(step, over < Customers / 100);
    }

    /// <summary>Erlang's formula of the wait in M/D/1, solved for the load.</summary>
    public static double Queue(int count)
    {
        (double low, double high) = (0.1, 0.999);
        while (high - low > 1e-6)
            (low, high) = PartWaitingAtMost(MaxWait, (low + high) / 2) > 0.99 ? ((low + high) / 2, high) : (low, (low + high) / 2);
        return low * Limit;
    }

    /// <summary>A limit that differs from run to run.</summary>
    public SearchSample RunJitter(SearchStep step) => Sample(step, step.Value < Limit * Math.Exp(0.03 * Normal()));

    public static double Jitter(int count) => Limit * Math.Exp(-0.03 * FourOfFive);

    /// <summary>Half of the runs have another limit, and none says so.</summary>
    public SearchSample RunBistable(SearchStep step) =>
        Sample(step, step.Value < (_chance.NextDouble() < 0.5 ? LowLimit : Limit) * Math.Exp(0.005 * Normal()));

    public static double Bistable(int count) => LowLimit;

    /// <summary>Each run leaves less for the next.</summary>
    public SearchSample RunLeak(SearchStep step) => Sample(step, step.Value < Limit * Math.Exp((0.01 * Normal()) - (0.003 * Count)));

    public static double Leak(int count) => Limit * Math.Exp(-(0.01 * FourOfFive) - (0.003 * count));

    /// <summary>One run of seven is disturbed and says so, one of twenty misses for no reason.</summary>
    public SearchSample RunNoisy(SearchStep step)
    {
        bool isDisturbed = _chance.NextDouble() < 0.15, isUnlucky = _chance.NextDouble() < 0.05;
        bool isKept = isDisturbed ? _chance.NextDouble() < 0.3 : !isUnlucky && step.Value < Limit * Math.Exp(0.015 * Normal());
        return Sample(step, isKept) with { Disturbance = isDisturbed ? "machine busy" : null };
    }

    // 0.95 of the runs are not unlucky, of which 0.842 have to keep it
    public static double Noisy(int count) => Limit * Math.Exp(-0.015);

    private SearchSample Sample(SearchStep step, bool isKept)
    {
        Count++;
        return new() { Value = step.Value, IsKept = isKept, Seconds = 7 };
    }

    private double Normal() => Math.Sqrt(-2 * Math.Log(1 - _chance.NextDouble())) * Math.Cos(2 * Math.PI * _chance.NextDouble());

    private static double PartWaitingAtMost(int wait, double load)
    {
        double sum = 0;
        for (int k = 0; k <= wait; k++)
        {
            double exponent = load * (k - wait), term = Math.Exp(-exponent);
            for (int i = 1; i <= k; i++)
                term *= exponent / i;
            sum += term;
        }

        return (1 - load) * sum;
    }
}
