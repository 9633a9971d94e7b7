using System.Globalization;

namespace PerfTools.Search;

/// <summary>Finds the highest rate that a scenario keeps: upwards by half as long as it does, then by halves between the last two.</summary>
/// <param name="run">One run at a rate.</param>
/// <param name="isKept">True when the run kept it.</param>
/// <param name="quick">Two rungs only, none of them again.</param>
internal sealed class RateSearch(Func<int, RunReport> run, Func<RunReport, bool> isKept, bool quick)
{
    private const int MaxRungs = 12;
    private const double Step = 1.5;
    private const double Precision = 1.05;
    private const int Grid = 50_000;
    private const int Confirmations = 2;

    /// <summary>The best run; null when not even the lowest rung was reached.</summary>
    public RunReport? Best { get; private set; }

    /// <summary>How sure the best rate is, or why there is none.</summary>
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
        int again = quick ? 0 : Confirmations;
        int kept = 1 + Enumerable.Range(0, again).Count(_ => isKept(run(rate)));
        Note = string.Create(CultureInfo.InvariantCulture, $"kept in {kept} of {again + 1} runs");
    }
}
