using PerfTools.Results.Comparison;

namespace PerfTools.Results.History;

/// <summary>Runs of one scenario with the same options on the same machine with the same placement, in the order of time.</summary>
internal sealed class HistorySeries
{
    private readonly List<Conditions> _conditions = [];

    private HistorySeries(HistoryRun first, string name) => (Name, Placement) = (name, first.Placement);

    /// <summary>The scenario, and a number where it has several series.</summary>
    public string Name { get; private set; }

    /// <summary>The processors of connected roles.</summary>
    public string Placement { get; }

    /// <summary>Its differences from the first series of its scenario; empty for that one.</summary>
    public string Differences { get; private set; } = "";

    /// <summary>Its runs.</summary>
    public List<HistoryRun> Runs { get; } = [];

    /// <summary>Its figures; none before they are analysed.</summary>
    public IReadOnlyList<FigureHistory> Figures { get; private set; } = [];

    /// <summary>Sorts runs into series; runs with different machines, placements or options are never in one.</summary>
    public static IReadOnlyList<HistorySeries> Sort(IEnumerable<HistoryRun> runs)
    {
        List<HistorySeries> all = [];
        foreach (HistoryRun run in runs)
        {
            if (all.Find(series => series.Accepts(run)) is not { } series)
                all.Add(series = new(run, run.Scenario));
            series.Add(run);
        }

        foreach (IGrouping<string, HistorySeries> scenario in all.GroupBy(series => series.Name).ToArray())
        {
            HistorySeries[] several = [.. scenario];
            for (int i = 0; i < several.Length && several.Length > 1; i++)
                several[i].Describe(several[0], i + 1);
        }

        return all;
    }

    /// <summary>Counts the tests of its figures.</summary>
    public long CountLooks() => Values().Sum(values => ChangePoints.CountLooks(values.Points.Length));

    /// <summary>Finds levels and changes of every figure.</summary>
    /// <param name="chance">The probability with which one test may mistake chance for a change.</param>
    public void Analyse(double chance) =>
        Figures = [.. Values().Select(values => FigureHistory.Of(Name, values.Figure, values.Points, chance))];

    private IEnumerable<(ComparedFigure Figure, (HistoryRun, double)[] Points)> Values() =>
        from entry in Runs.SelectMany(run => run.Values.Select(value => (run, value)))
        group entry by entry.value.Figure.Name into same
        select (same.First().value.Figure, same.Select(entry => (entry.run, entry.value.Value)).ToArray());

    // A fact that a run does not know differs from none, so each run must match all that are there.
    private bool Accepts(HistoryRun run) => run.Placement == Placement && run.Scenario == Runs[0].Scenario
        && _conditions.TrueForAll(known => Conditions.FindDifferences(known, run.Conditions).Count == 0);

    private void Add(HistoryRun run)
    {
        Runs.Add(run);
        if (!_conditions.Exists(known => known.HasSameFactsAs(run.Conditions)))
            _conditions.Add(run.Conditions);
    }

    private void Describe(HistorySeries first, int number)
    {
        Name = FormattableString.Invariant($"{Runs[0].Scenario} {number}");
        if (first == this)
            return;
        IEnumerable<string> differences = Conditions.FindDifferences(first._conditions[0], _conditions[0]).Select(one => one.ToString());
        if (Placement != first.Placement)
            differences = differences.Append(new Difference("placement", NothingIfEmpty(first.Placement), NothingIfEmpty(Placement)).ToString());
        Differences = string.Join("; ", differences);
    }

    private static string? NothingIfEmpty(string text) => text.Length == 0 ? null : text;
}
