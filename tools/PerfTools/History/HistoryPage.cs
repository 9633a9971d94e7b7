using System.Globalization;
using PerfTools.Reports;
using PerfTools.Reports.Charts;
using PerfTools.Results.History;
using PerfTools.Screen;

namespace PerfTools.History;

/// <summary>A history as a page: what changed, a chart for each figure of each series, every run with its version and commit.</summary>
internal static class HistoryPage
{
    /// <summary>The maximum number of charts on a page; history.csv has every figure.</summary>
    private const int MaxCharts = 120;

    /// <summary>The maximum number of runs in the table of a series; the newest are shown.</summary>
    private const int MaxRows = 200;

    /// <summary>The maximum number of points of a chart with a tooltip: more would make the page large, and could not be pointed at.</summary>
    private const int MaxTexts = 500;

    private const int MinRuns = 3;
    private const int DateTicks = 5;
    private const double HalfRun = 0.4;

    public static ReportContent Create(RunHistory history, string shownFolder)
    {
        (HistorySeries Series, FigureHistory Figure)[] charts =
        [
            .. from series in history.Series
               where series.Runs.Count >= MinRuns
               from figure in series.Figures
               where figure.Points.Count >= MinRuns
               select (series, figure),
        ];
        return new()
        {
            Title = "History",
            Subtitle = string.Create(CultureInfo.InvariantCulture, $"{history.RunCount} runs in {shownFolder}, {history.Series.Count} series"),
            Verdict = history.Verdict.ToUpperInvariant(),
            Sentence = history.Sentence,
            Figures = [CreateChanges(history)],
            ChartsTitle = charts.Length > MaxCharts
                ? string.Create(CultureInfo.InvariantCulture, $"Over the runs: {MaxCharts} of {charts.Length} charts, all figures in CSV") : "Over the runs",
            Charts = [.. charts.OrderByDescending(chart => chart.Figure.Changes.Count > 0).Take(MaxCharts)
                .Select(chart => CreateChart(chart.Series, chart.Figure))],
            Conditions = [CreateSeries(history), CreateProblems(history), .. history.Series.Select(CreateRuns)],
        };
    }

    private static TextTable CreateChanges(RunHistory history) => new(
        "Changes, the newest first", ["series", "figure", "before", "after", "change", "noise", "", "first run, UTC", "from", "to"],
        [
            .. history.Changes.Select(change => (IReadOnlyList<Cell>)
            [
                change.Series, change.Figure.Title, Number(ComparisonText.Value(change.From)), Number(ComparisonText.Value(change.To)),
                Number(change.PercentText), Number(string.Create(CultureInfo.InvariantCulture, $"{change.NoisePercent:0.0} %")),
                change.WordText, change.First.Time, change.Before.Build, change.First.Build,
            ]),
        ]);

    private static TextTable CreateSeries(RunHistory history) => new(
        "Series: runs with the same options, machine and placement", ["", "runs", "first, UTC", "last, UTC", "placement", "what differs from the first"],
        [
            .. history.Series.Select(series => (IReadOnlyList<Cell>)
            [
                series.Name, Number(series.Runs.Count.ToString(CultureInfo.InvariantCulture)), series.Runs[0].Time, series.Runs[^1].Time,
                series.Placement.Length == 0 ? "unknown" : series.Placement, series.Differences,
            ]),
        ]);

    private static TextTable CreateProblems(RunHistory history) => new(
        "Left out", [], [.. HistoryText.DescribeLeftOut(history).Select(left => (IReadOnlyList<Cell>)[left.Folder, left.Reason])]);

    private static TextTable CreateRuns(HistorySeries series)
    {
        ILookup<HistoryRun, HistoryChange> changes = series.Figures.SelectMany(figure => figure.Changes).ToLookup(change => change.First);
        string count = series.Runs.Count > MaxRows ? string.Create(CultureInfo.InvariantCulture, $", the newest {MaxRows}") : "";
        return new($"Runs of {series.Name}{count}", ["run", "UTC", "folder", "version", "commit", "verdict", "changes"],
        [
            .. series.Runs.Select((run, i) => (IReadOnlyList<Cell>)
            [
                Number((i + 1).ToString(CultureInfo.InvariantCulture)), run.Time, run.Folder, run.ToolsVersion ?? "unknown", run.Commit ?? "unknown",
                run.Verdict, string.Join(", ", changes[run].Select(change => $"{change.Figure.Title} {change.PercentText}")),
            ]).Reverse().Take(MaxRows),
        ]);
    }

    private static Chart CreateChart(HistorySeries series, FigureHistory figure)
    {
        (IReadOnlyList<double> x, IReadOnlyList<double?> level, IReadOnlyList<double?> low, IReadOnlyList<double?> high) = CreateLevels(figure);
        double[] values = [.. figure.Points.Select(point => point.Value)];
        return new()
        {
            Title = $"{series.Name}: {figure.Figure.Title}",
            Note = figure.Changes.Count == 0 ? "No change beyond noise. Band: 95 % of runs."
                : string.Join("; ", figure.Changes.Select(change => $"{change.PercentText} at {change.First.Time}, {change.First.Build}"))
                + ". Band: 95 % of runs.",
            X = CreateDates(figure),
            Y = Axis.Around([.. values.Select(value => (double?)value), .. low, .. high,
                .. CreateIntervals(figure).SelectMany(band => band.Low.Concat(band.High))]),
            Bands = [new(x, low, high, 0), .. CreateIntervals(figure)],
            Points = [new("run", [.. Enumerable.Range(0, values.Length).Select(i => (double)i)], values, values[^1], 1)
                { Texts = values.Length > MaxTexts ? [] : [.. figure.Points.Select(point => Describe(figure, point))] }],
            Lines = [new("level", x, level, 0)],
            Marks = [.. figure.Levels.Skip(1).Select((next, i) => new ChartMark(next.Begin - 0.5, figure.Changes[i].Line))],
        };
    }

    private static string Describe(FigureHistory figure, (HistoryRun Run, double Value) point) =>
        $"{ComparisonText.Value(point.Value)}{(point.Run.IntervalOf(figure.Figure) is { } interval ? $" [{ComparisonText.Value(interval.Low)}, {ComparisonText.Value(interval.High)}]" : "")} at {point.Run.Time} UTC, {point.Run.ToolsVersion ?? "unknown version"}, {point.Run.Commit ?? "unknown commit"}, {point.Run.Folder}";

    // The interval that each search reports for its value; runs have none.
    private static IEnumerable<ChartBand> CreateIntervals(FigureHistory figure)
    {
        (double Low, double High)?[] intervals = [.. figure.Points.Select(point => point.Run.IntervalOf(figure.Figure))];
        return Array.TrueForAll(intervals, interval => interval is null) ? []
            : [new([.. Enumerable.Range(0, intervals.Length).Select(i => (double)i)], [.. intervals.Select(interval => interval?.Low)],
                [.. intervals.Select(interval => interval?.High)], 1)];
    }

    // The line has a gap between levels: nothing was measured between two runs.
    private static (IReadOnlyList<double> X, IReadOnlyList<double?> Level, IReadOnlyList<double?> Low, IReadOnlyList<double?> High) CreateLevels(
        FigureHistory figure)
    {
        (double X, double? Level)[] ends = [.. figure.Levels.SelectMany(level => ((double, double?)[])
            [(level.Begin - HalfRun, level.Value), (level.End - 1 + HalfRun, level.Value), (level.End - 0.5, null)])];
        return ([.. ends.Select(end => end.X)], [.. ends.Select(end => end.Level)], [.. ends.Select(end => end.Level / figure.Band)],
            [.. ends.Select(end => end.Level * figure.Band)]);
    }

    private static Axis CreateDates(FigureHistory figure)
    {
        int count = figure.Points.Count;
        bool isOneDay = figure.Points[0].Run.StartUtc.Date == figure.Points[^1].Run.StartUtc.Date;
        int[] ticks = [.. Enumerable.Range(0, Math.Min(DateTicks, count))
            .Select(i => (int)((long)i * (count - 1) / Math.Max(Math.Min(DateTicks, count) - 1, 1)))];
        return new(place => (place + 0.5) / count, [.. ticks.Distinct().Select(i =>
            ((double)i, figure.Points[i].Run.StartUtc.ToString(isOneDay ? "HH:mm" : "yyyy-MM-dd", CultureInfo.InvariantCulture)))]);
    }

    private static Cell Number(string text) => new(text) { IsNumber = true };
}
