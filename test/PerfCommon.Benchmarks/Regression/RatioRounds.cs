using PerfCommon.Benchmarks.Runs;
using PerfCommon.Measurement;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Runs a case and its reference in turn on this thread, in short slices: both run under the same conditions.</summary>
internal sealed class RatioRounds
{
    private const int Turns = 25;
    private const int Looks = 4;
    private const long SliceNanos = 100_000;

    private readonly Action<int> _reference;
    private readonly Action<int> _case;
    private readonly int _referenceTimes; // in a slice
    private readonly int _caseTimes; // in a slice

    /// <summary>Determines the length of a slice of each.</summary>
    /// <param name="reference">Runs the reference the given number of times.</param>
    /// <param name="what">Runs the case the given number of times.</param>
    public RatioRounds(Action<int> reference, Action<int> what)
    {
        (_reference, _case) = (reference, what);
        (_referenceTimes, _caseTimes) = (FindTimes(_reference), FindTimes(_case));
    }

    /// <summary>Runs one round and returns the median of its turns, so that a slice in which the speed changed counts for neither.</summary>
    /// <returns>The time of the case divided by that of the reference.</returns>
    public double Measure() => MedianInterval.MedianOf(Enumerable.Range(0, Turns).Select(_ => MeasureTurn()))!.Value;

    private double MeasureTurn()
    {
        double reference = Measure(_reference, _referenceTimes) / (double)_referenceTimes;
        return Measure(_case, _caseTimes) / (double)_caseTimes / reference;
    }

    // Returns how often it fits into a slice. The first call compiles it; the minimum of several is that of an undisturbed one.
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
