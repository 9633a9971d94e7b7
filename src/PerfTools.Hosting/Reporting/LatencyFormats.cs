using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>One figure of a latency with its names in text and JSON, in microseconds.</summary>
internal sealed record LatencyCell(string Name, string JsonName, Func<LatencyFigures, double?> Get)
{
    /// <summary>Unit of all figures.</summary>
    public const string Unit = "us";

    /// <summary>All figures, the guide's four first.</summary>
    public static IReadOnlyList<LatencyCell> All { get; } =
    [
        new("avg", "avgMicros", f => f.Average),
        new("std dev", "stdDevMicros", f => f.Deviation),
        new("max", "maxMicros", f => f.Max),
        new("min", "minMicros", f => f.Min),
        new("p50", "p50Micros", f => f.P50),
        new("p90", "p90Micros", f => f.P90),
        new("p99", "p99Micros", f => f.P99),
        new("p99.9", "p999Micros", f => f.P999),
        new("p99.99", "p9999Micros", f => f.P9999),
    ];
}

/// <summary>The forms in which latencies are shown: {0} to {8} are the figures of <see cref="LatencyCell.All"/>, {9} the samples.</summary>
internal static class LatencyFormats
{
    /// <summary>The number of samples.</summary>
    public const string Count = "{9}";

    /// <summary>Text for a percentile that has too few samples, or lies above the histogram's range.</summary>
    public const string NoValue = "-";

    // the send lag: console line, columns, summary lines
    public const string LagLine = "Send lag(usec): 50: {4:F1} 99: {6:F1} Max: {2:F1}, Ticks: {9}";
    public static ColumnFormat[] LagColumns => Columns("Send lag", 1, 4, 6, 2);
    public static string[] LagLines => Lines(LagColumns);

    /// <summary>Returns average, deviation, maximum, minimum as columns.</summary>
    public static ColumnFormat[] GuideColumns(string name, int decimals = 1) => Columns(name, decimals, 0, 1, 2, 3);

    public static ColumnFormat[] PercentileColumns(string name, int decimals = 1) => Columns(name, decimals, 4, 5, 6, 7, 8);

    /// <summary>Returns the summary lines: the guide's four figures, then the percentiles.</summary>
    public static string[] SummaryLines(string name, int decimals = 1) =>
        Lines([.. GuideColumns(name, decimals), .. PercentileColumns(name, decimals)]);

    /// <summary>Returns the guide's console line.</summary>
    public static string Line(string name) => name + ": Avg:{0,6:F1} StdDev:{1,6:F1} Max:{2,6:F1} Min:{3,6:F1}, Msgs: {9}";

    /// <summary>Returns the same line with three decimals.</summary>
    public static string ThousandthsLine(string name) => name + ": Avg:{0,8:F3} StdDev:{1,8:F3} Max:{2,8:F3} Min:{3,8:F3}, Msgs: {9}";

    public static string PercentileLine(string name) => name + ": 50: {4:F1} 90: {5:F1} 99: {6:F1} 99.9: {7:F1} 99.99: {8:F1}";

    /// <summary>Returns the arguments of the formats.</summary>
    public static object?[] Arguments(LatencyFigures figures) =>
        [.. LatencyCell.All.Select(cell => (object?)cell.Get(figures) ?? NoValue), figures.Count];

    private static ColumnFormat[] Columns(string name, int decimals, params int[] cells) =>
        Array.ConvertAll(cells, cell => new ColumnFormat($"{name} {LatencyCell.All[cell].Name} (usec)", $"{{{cell}:F{decimals}}}"));

    private static string[] Lines(ColumnFormat[] columns) => Array.ConvertAll(columns, column => $"{column.Name}: {column.Format}");
}
