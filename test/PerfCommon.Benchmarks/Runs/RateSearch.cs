using System.Globalization;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>
/// Finds the highest rate that a scenario sustains: increases by half while it does, then bisects between the last two.
/// </summary>
/// <param name="run">One short run at a rate: a rung.</param>
/// <param name="confirm">One run at the rate found, long enough for figures.</param>
/// <param name="isKept">True when the run sustained it.</param>
/// <param name="quick">Two rungs only, without repetition, and one run for the figures.</param>
internal sealed class RateSearch(Func<int, RunReport> run, Func<int, RunReport> confirm, Func<RunReport, bool> isKept, bool quick)
{
    private const int MaxRungs = 12;
    private const double Step = 1.5;
    private const double Precision = 1.05;
    private const int Grid = 50_000;
    private const int Confirmations = 3;
    private const int MaxSteps = 3; // downwards, from a rate that was sustained by luck

    /// <summary>The run whose figures count: the median by cost of those that sustained the best rate.</summary>
    /// <remarks>Null when not even the lowest rung was reached.</remarks>
    public RunReport? Best { get; private set; }

    /// <summary>Reliability of the best rate, or the reason why there is none.</summary>
    public string Note { get; private set; } = "";

    public RateSearch Find(int firstRate)
    {
        int kept = 0;
        int missed = int.MaxValue;
        int rate = firstRate;
        for (int rung = quick ? MaxRungs - 2 : 0; rung < MaxRungs && (kept == 0 || missed > kept * Precision); rung++)
        {
            if (TryRate(rate, quick ? 1 : 2))
                kept = rate;
            else
                missed = rate;
            rate = Next(kept, missed);
        }

        if (kept > 0)
            Confirm(kept);
        return this;
    }

    private static int Next(int kept, int missed)
    {
        double next = missed == int.MaxValue ? kept * Step : kept == 0 ? missed / Step : Math.Sqrt((double)kept * missed);
        return Math.Max(Grid, (int)(next / Grid) * Grid);
    }

    private bool TryRate(int rate, int tries)
    {
        for (int i = 0; i < tries; i++)
        {
            RunReport report = run(rate);
            if (isKept(report))
            {
                Best = report;
                return true;
            }

            if (Best is null)
                Note = report.Reason;
        }

        return false;
    }

    private void Confirm(int rate)
    {
        int runs = quick ? 1 : Confirmations;
        for (int step = 0; step < MaxSteps; step++)
        {
            RunReport[] kept =
                [.. Enumerable.Range(0, runs).Select(_ => confirm(rate)).Where(isKept).OrderBy(r => r.Window?.NanosPerMessage)];
            Note = string.Create(CultureInfo.InvariantCulture, $"kept in {kept.Length} of {runs} runs");
            if (kept.Length > 0)
                Best = kept[kept.Length / 2];
            if (kept.Length > runs / 2)
                return;
            rate = Math.Max(Grid, (int)(rate / Precision / Grid) * Grid);
        }
    }
}
