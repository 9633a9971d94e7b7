using System.Globalization;
using PerfTools.Results.Comparison;

namespace PerfTools.Results.History;

/// <summary>Runs of one level of a figure.</summary>
/// <param name="Begin">The first point.</param>
/// <param name="End">The point after the last.</param>
/// <param name="Value">The level.</param>
internal sealed record HistoryLevel(int Begin, int End, double Value);

/// <summary>A figure that changed from one run to the next.</summary>
internal sealed record HistoryChange
{
    /// <summary>The figure.</summary>
    public required ComparedFigure Figure { get; init; }

    /// <summary>Display name of the series.</summary>
    public required string Series { get; init; }

    /// <summary>The last run of the level before.</summary>
    public required HistoryRun Before { get; init; }

    /// <summary>The first run of the new level.</summary>
    public required HistoryRun First { get; init; }

    /// <summary>The level before.</summary>
    public required double From { get; init; }

    /// <summary>The new level.</summary>
    public required double To { get; init; }

    /// <summary>The change that chance alone can cause between the two levels, in percent, corrected for all tests of the history.</summary>
    public required double NoisePercent { get; init; }

    /// <summary>The level of the newest runs.</summary>
    public required double Latest { get; init; }

    /// <summary>The change to the new level, in percent of the level before.</summary>
    public double Percent => 100 * ((To / From) - 1);

    /// <summary>Better, worse, or changed.</summary>
    public ChangeWord Word => Figure.IsNeutral ? ChangeWord.Changed : To > From == Figure.IsGain ? ChangeWord.Better : ChangeWord.Worse;

    /// <summary>True for a change to worse that no later change has reversed.</summary>
    public bool IsStanding => Word == ChangeWord.Worse && (Figure.IsGain ? From / Latest : Latest / From) > 1 + Figure.MinChange;

    /// <summary>The change with its sign.</summary>
    public string PercentText => string.Create(CultureInfo.InvariantCulture, $"{Percent:+0.0;-0.0;0.0} %");

    /// <summary>The word, with a note when a change to worse was reversed.</summary>
    public string WordText => Word == ChangeWord.Worse && !IsStanding ? "worse, recovered" : Word.Text();

    /// <summary>A human-readable line.</summary>
    public string Line => string.Create(CultureInfo.InvariantCulture,
        $"{Series}: {Figure.Title} {PercentText} ({WordText}, noise {NoisePercent:0.0} %) at {First.Time} UTC, {Before.Build} to {First.Build}, "
            + $"{First.Folder}");
}

/// <summary>One figure over the runs of a series.</summary>
internal sealed class FigureHistory
{
    private const double BandChance = 0.05;

    private FigureHistory(ComparedFigure figure, IReadOnlyList<(HistoryRun Run, double Value)> points) => (Figure, Points) = (figure, points);

    /// <summary>The figure.</summary>
    public ComparedFigure Figure { get; }

    /// <summary>The runs that have it, in the order of time.</summary>
    public IReadOnlyList<(HistoryRun Run, double Value)> Points { get; }

    /// <summary>Its levels, in the order of time; one where nothing changed.</summary>
    public IReadOnlyList<HistoryLevel> Levels { get; private init; } = [];

    /// <summary>The changes of the level.</summary>
    public IReadOnlyList<HistoryChange> Changes { get; private init; } = [];

    /// <summary>Factor of the band around a level: 95 of 100 runs lie between the level divided by it and multiplied by it.</summary>
    public double Band { get; private init; }

    /// <summary>Returns the level of a point.</summary>
    public HistoryLevel LevelAt(int point) => Levels.First(level => point < level.End);

    /// <summary>Finds levels and changes.</summary>
    /// <param name="series">Display name of the series.</param>
    /// <param name="figure">The figure.</param>
    /// <param name="points">Its values, at least one.</param>
    /// <param name="chance">The probability with which one test may mistake chance for a change.</param>
    public static FigureHistory Of(string series, ComparedFigure figure, IReadOnlyList<(HistoryRun Run, double Value)> points, double chance)
    {
        ChangePoints search = new([.. points.Select(point => Math.Log(point.Value))], figure.MinChange, chance);
        IReadOnlyList<int> found = search.Find();
        int[] ends = [0, .. found, points.Count];
        HistoryLevel[] levels = [.. Enumerable.Range(0, ends.Length - 1)
            .Select(i => new HistoryLevel(ends[i], ends[i + 1], Math.Exp(search.LevelOf(ends[i], ends[i + 1]))))];
        return new(figure, points)
        {
            Levels = levels,
            Band = Math.Exp(StudentDistribution.Quantile(BandChance, Math.Max(points.Count - levels.Length, 1)) * search.DeviationAround(found)),
            Changes =
            [
                .. found.Select((at, i) => new HistoryChange
                {
                    Figure = figure,
                    Series = series,
                    Before = points[at - 1].Run,
                    First = points[at].Run,
                    From = levels[i].Value,
                    To = levels[i + 1].Value,
                    NoisePercent = 100 * (Math.Exp(search.NoiseAt(levels[i].Begin, at, levels[i + 1].End)) - 1),
                    Latest = levels[^1].Value,
                }),
            ],
        };
    }
}
