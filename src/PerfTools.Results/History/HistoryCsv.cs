using System.Globalization;
using PerfTools.Results.Comparison;
using PerfTools.Results.Files;

namespace PerfTools.Results.History;

/// <summary>Writes a history as comma-separated values: a row for each figure of each run (docs/history.md).</summary>
internal static class HistoryCsv
{
    private static readonly string[] Columns = ["series", "scenario", "placement", "utc", "folder", "toolsVersion", "commit", "figure", "value",
        "level", "noiseLow", "noiseHigh", "changePercent", "change", "low", "high"];

    /// <summary>Writes all runs.</summary>
    public static void Write(TextWriter writer, RunHistory history)
    {
        CsvLine.Write(writer, Columns);
        foreach (HistorySeries series in history.Series)
        {
            foreach (FigureHistory figure in series.Figures)
                Write(writer, series, figure);
        }
    }

    private static void Write(TextWriter writer, HistorySeries series, FigureHistory figure)
    {
        for (int i = 0; i < figure.Points.Count; i++)
        {
            (HistoryRun run, double value) = figure.Points[i];
            double level = figure.LevelAt(i).Value;
            HistoryChange? change = figure.Changes.FirstOrDefault(one => one.First == run);
            CsvLine.Write(writer, [series.Name, run.Scenario, run.Placement,
                run.StartUtc.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture), run.Folder, run.ToolsVersion ?? "",
                run.Commit ?? "", figure.Figure.Name, Text(value), Text(level), Text(level / figure.Band), Text(level * figure.Band),
                change is null ? "" : change.Percent.ToString("0.0#", CultureInfo.InvariantCulture), change?.Word.Text() ?? "",
                run.IntervalOf(figure.Figure) is { } from ? Text(from.Low) : "", run.IntervalOf(figure.Figure) is { } to ? Text(to.High) : ""]);
        }
    }

    private static string Text(double value) => value.ToString("G7", CultureInfo.InvariantCulture);
}
