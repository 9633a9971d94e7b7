using PerfCommon.Measurement;
using PerfTools.Search;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Runs a case and the reference loop in turn on this thread, in slices so short that both see the same machine.</summary>
internal sealed class RatioRounds
{
    private const int Turns = 25;
    private const int Looks = 4;
    private const long SliceNanos = 100_000;

    private readonly Action<int> _reference;
    private readonly Action<int> _case;
    private readonly int _passes; // of the reference in a slice
    private readonly int _times; // of the case in a slice

    public RatioRounds(ReferenceLoop reference, HotCase what)
    {
        (_reference, _case) = (reference.Run, what.Run);
        (_passes, _times) = (FindTimes(_reference), FindTimes(_case));
    }

    /// <summary>One round: the median of its turns, so that a slice during which the machine changed its speed counts for neither side.</summary>
    /// <returns>What the case costs once, in passes of the reference loop.</returns>
    public double Measure() => MedianInterval.MedianOf(Enumerable.Range(0, Turns).Select(_ => MeasureTurn()))!.Value;

    private double MeasureTurn()
    {
        double pass = Measure(_reference, _passes) / (double)_passes;
        return Measure(_case, _times) / (double)_times / pass;
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
