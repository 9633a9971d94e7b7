namespace PerfCommon.Benchmarks.Regression;

/// <summary>Tells a case that has become slower from a machine that was disturbed.</summary>
/// <remarks>
/// Whatever else runs makes a round longer, never shorter: the smallest of many ratios is the code's own. Three trials in a row that are
/// too slow are slow code.
/// </remarks>
internal static class RatioJudge
{
    /// <summary>Rounds of a trial.</summary>
    public const int Rounds = 20;

    /// <summary>Trials that a case must fail, one after the other.</summary>
    public const int MaxTrials = 3;

    /// <summary>What a ratio may grow to, as a multiple of the recorded one.</summary>
    public const double MaxGrowth = 1.10;

    /// <summary>Measures until a trial is good, three times at most; a case without a record is measured three times.</summary>
    /// <param name="beginTrial">Begins a trial; what it returns measures a round: the time of the case divided by that of the
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

/// <summary>What came of a case.</summary>
/// <param name="Trials">The smallest ratio of each trial.</param>
/// <param name="Recorded">The recorded ratio; null when there was none.</param>
internal sealed record RatioVerdict(IReadOnlyList<double> Trials, double? Recorded)
{
    /// <summary>True when there was nothing to judge by.</summary>
    public bool IsNew => Recorded is null;

    /// <summary>True when every trial was above what is allowed.</summary>
    public bool IsSlower => !IsNew && !Trials.Any(ratio => RatioJudge.IsGood(ratio, Recorded));

    /// <summary>The smallest of all: what is shown, and recorded when nothing was.</summary>
    public double Ratio => Trials.Min();

    /// <summary>The ratio as a multiple of the recorded one; null when there was none.</summary>
    public double? Growth => Ratio / Recorded;
}
