using PerfTools.Results.Comparison;

namespace PerfTools.Results.History;

/// <summary>All runs of a folder over time, series by series.</summary>
/// <remarks>A history without a real change shows one in at most 5 of 100 cases: every split of every figure of every series is a test.</remarks>
internal sealed class RunHistory
{
    private const double Chance = 0.05;

    private RunHistory(IReadOnlyList<HistorySeries> series, IReadOnlyList<HistoryRun> leftOut, IReadOnlyList<string> problems) =>
        (Series, LeftOut, Problems) = (series, leftOut, problems);

    /// <summary>The series, each with its figures, in the order of their first runs.</summary>
    public IReadOnlyList<HistorySeries> Series { get; }

    /// <summary>Runs that are no points: failed, interrupted, changed by hand.</summary>
    public IReadOnlyList<HistoryRun> LeftOut { get; }

    /// <summary>The runs that could not be read, a line each.</summary>
    public IReadOnlyList<string> Problems { get; }

    /// <summary>Runs in all series.</summary>
    public int RunCount => Series.Sum(series => series.Runs.Count);

    /// <summary>All changes, the newest first.</summary>
    public IReadOnlyList<HistoryChange> Changes => field ??=
        [.. Series.SelectMany(series => series.Figures).SelectMany(figure => figure.Changes).OrderByDescending(change => change.First.StartUtc)];

    /// <summary>True where a series has the runs that a change needs.</summary>
    public bool HasEnoughRuns => Series.SelectMany(series => series.Figures).Any(figure => figure.Points.Count >= 2 * ChangePoints.MinSide);

    /// <summary>The explanation of the verdict.</summary>
    public string Sentence => Changes is [var newest, ..] ? newest.Line : HasEnoughRuns ? "no change beyond the noise between runs"
        : FormattableString.Invariant($"a change needs {2 * ChangePoints.MinSide} runs of a series");

    /// <summary>The word of the changes where they agree; same without any, and not comparable where there are too few runs.</summary>
    public string Verdict => (Changes.Any(change => change.Word == ChangeWord.Worse), Changes.Any(change => change.Word == ChangeWord.Better)) switch
    {
        (true, true) => "mixed",
        (true, _) => ChangeWord.Worse.Text(),
        (_, true) => ChangeWord.Better.Text(),
        _ => (HasEnoughRuns ? ChangeWord.Same : ChangeWord.NotComparable).Text(),
    };

    /// <summary>Finds the changes of all series.</summary>
    /// <param name="runs">The runs in any order.</param>
    /// <param name="last">Maximum number of the newest runs of each series; null for all.</param>
    /// <param name="problems">The runs that could not be read.</param>
    public static RunHistory Of(IEnumerable<HistoryRun> runs, int? last = null, IReadOnlyList<string>? problems = null)
    {
        HistoryRun[] sorted = [.. runs.OrderBy(run => run.StartUtc).ThenBy(run => run.Folder, StringComparer.Ordinal)];
        IReadOnlyList<HistorySeries> series = HistorySeries.Sort(sorted.Where(run => run.Problem is null));
        foreach (HistorySeries one in series)
            one.Runs.RemoveRange(0, Math.Max(one.Runs.Count - (last ?? int.MaxValue), 0));
        double chance = Chance / Math.Max(series.Sum(one => one.CountLooks()), 1);
        foreach (HistorySeries one in series)
            one.Analyse(chance);
        return new(series, [.. sorted.Where(run => run.Problem is not null)], problems ?? []);
    }
}
