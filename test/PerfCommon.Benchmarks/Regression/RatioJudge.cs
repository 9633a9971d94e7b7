namespace PerfCommon.Benchmarks.Regression;

/// <summary>Distinguishes a case that has become slower from a disturbed machine.</summary>
/// <remarks>
/// Other load makes a round longer, never shorter: the smallest of many ratios is that of the code. Three trials in a row that are
/// too slow mean slow code.
/// </remarks>
internal static class RatioJudge
{
    /// <summary>Rounds of a trial.</summary>
    public const int Rounds = 20;

    /// <summary>Trials that a case must fail, one after the other.</summary>
    public const int MaxTrials = 3;

    /// <summary>The maximum of a ratio, as a multiple of the recorded one.</summary>
    public const double MaxGrowth = 1.10;

    /// <summary>Measures until a trial passes, three times at most; a case without a record is measured three times.</summary>
    /// <param name="beginTrial">Begins a trial; its result measures a round: the time of the case divided by that of the
    /// reference.</param>
    /// <param name="recorded">The recorded ratio; null when there is none.</param>
    public static RatioVerdict Judge(Func<Func<double>> beginTrial, double? recorded)
    {
        List<double> trials = [];
        while (trials.Count < MaxTrials && !(trials.Count > 0 && IsGood(trials[^1], recorded)))
            trials.Add(SmallestOf(beginTrial()));
        return new RatioVerdict(trials, recorded);
    }

    /// <summary>True when a ratio is no larger than the recorded one allows.</summary>
    public static bool IsGood(double ratio, double? recorded) => ratio <= recorded * MaxGrowth;

    private static double SmallestOf(Func<double> round) => Enumerable.Range(0, Rounds).Select(_ => round()).Min();
}

/// <summary>Result of a case.</summary>
/// <param name="Trials">The smallest ratio of each trial.</param>
/// <param name="Recorded">The recorded ratio; null when there was none.</param>
internal sealed record RatioVerdict(IReadOnlyList<double> Trials, double? Recorded)
{
    /// <summary>True when there was no recorded ratio.</summary>
    public bool IsNew => Recorded is null;

    /// <summary>True when every trial exceeded the maximum.</summary>
    public bool IsSlower => !IsNew && !Trials.Any(ratio => RatioJudge.IsGood(ratio, Recorded));

    /// <summary>The smallest ratio: it is printed, and recorded for a new case.</summary>
    public double Ratio => Trials.Min();

    /// <summary>The ratio as a multiple of the recorded one; null when there was none.</summary>
    public double? Growth => Ratio / Recorded;
}
