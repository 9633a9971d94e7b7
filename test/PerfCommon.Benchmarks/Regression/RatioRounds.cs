using PerfCommon.Benchmarks.Runs;
using PerfCommon.Measurement;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Runs a case and what it is measured against in turn on this thread, in short slices: both see the same machine.</summary>
internal sealed class RatioRounds
{
    private const int Turns = 25;
    private const int Looks = 4;
    private const long SliceNanos = 100_000;

    private readonly Action<int> _reference;
    private readonly Action<int> _case;
    private readonly int _referenceTimes; // in a slice
    private readonly int _caseTimes; // in a slice

    /// <summary>Finds out how long a slice of each is.</summary>
    /// <param name="reference">What is measured against, so many times.</param>
    /// <param name="what">What is measured, so many times.</param>
    public RatioRounds(Action<int> reference, Action<int> what)
    {
        (_reference, _case) = (reference, what);
        (_referenceTimes, _caseTimes) = (FindTimes(_reference), FindTimes(_case));
    }

    /// <summary>One round: the median of its turns, so that a slice in which the machine changed its speed counts for neither.</summary>
    /// <returns>The time of the case divided by that of the reference.</returns>
    public double Measure() => MedianInterval.MedianOf(Enumerable.Range(0, Turns).Select(_ => MeasureTurn()))!.Value;

    private double MeasureTurn()
    {
        double reference = Measure(_reference, _referenceTimes) / (double)_referenceTimes;
        return Measure(_case, _caseTimes) / (double)_caseTimes / reference;
    }

    // How often it fits into a slice. The first call compiles it; the least of several is not that of a disturbed one.
    private static int FindTimes(Action<int> run)
    {
        int times = 1;
        while (Enumerable.Range(0, Looks).Min(_ => Measure(run, times)) < SliceNanos)
            times *= 2;
        return times;
    }

    private static long Measure(Action<int> run, int times)
    {
        long start = Clock.NowNanos;
        run(times);
        return Clock.NowNanos - start;
    }
}
