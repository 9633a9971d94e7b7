using System.Globalization;
using PerfTools.Results.History;

namespace PerfTools.History;

/// <summary>Writes a history as text for the console.</summary>
internal static class HistoryText
{
    private const int MaxLines = 20;

    public static IEnumerable<string> Create(RunHistory history)
    {
        int nameChars = history.Series.Select(series => series.Name.Length).DefaultIfEmpty(0).Max();
        return
        [
            .. Limit(history.Series, series => string.Create(CultureInfo.InvariantCulture,
                $"{series.Name.PadRight(nameChars)}  {series.Runs.Count} {NounOf(series)}, {series.Runs[0].Time} to {series.Runs[^1].Time} "
                    + $"UTC{Describe(series)}")),
            .. Limit([.. DescribeLeftOut(history)], left => $"left out  {left.Folder}: {left.Reason}"),
            "",
            history.Verdict.ToUpperInvariant() + (history.Changes.Count == 0 ? $"  {history.Sentence}" : ""),
            .. Limit(history.Changes, change => $"    {change.Line}"),
        ];
    }

    /// <summary>Lists the folders that are no point of a series, with the reason.</summary>
    public static IEnumerable<(string Folder, string Reason)> DescribeLeftOut(RunHistory history) =>
        history.LeftOut.Select(run => (run.Folder, run.Problem!)).Concat(history.Problems.Select(problem => ("unreadable", problem)));

    private static string NounOf(HistorySeries series) => (series.Runs[0].IsSearch, series.Runs.Count) switch
    {
        (true, 1) => "search",
        (true, _) => "searches",
        (_, 1) => "run",
        _ => "runs",
    };

    private static string Describe(HistorySeries series) =>
        (series.Placement.Length > 0 ? ", " + series.Placement : "") + (series.Differences.Length > 0 ? $" ({series.Differences})" : "");

    private static IEnumerable<string> Limit<T>(IReadOnlyList<T> all, Func<T, string> show) => all.Take(MaxLines).Select(show)
        .Concat(all.Count > MaxLines ? [string.Create(CultureInfo.InvariantCulture, $"... {all.Count - MaxLines} more")] : []);
}
