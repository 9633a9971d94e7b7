using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>The catalogue entries of the rows of a report table: all are derived from the rows, nothing is written twice.</summary>
internal static class RowFacts
{
    private const string Argument = "{0";
    private const string Whole = "whole";

    // Figures of the final line in addition to the rows.
    private static readonly FigureFacts[] Resources =
    [
        new() { Name = "resources.steady.coreCpuPercent", Words = "CPU of the process, of one core", Kind = FigureKind.Share, Unit = "%",
            Better = FigureSense.Lower, Phase = "steady" },
        new() { Name = "resources.steady.cpuSeconds", Words = "CPU time of the process", Kind = FigureKind.Time, Unit = "s",
            Better = FigureSense.Lower, Phase = "steady" },
        new() { Name = "resources.memoryMegabytes.max", Words = "memory, peak", Kind = FigureKind.Memory, Unit = "MB",
            Better = FigureSense.Lower },
        new() { Name = "process.gcPauseMillis", Words = "pauses for garbage collection", Kind = FigureKind.Time, Unit = "ms",
            Better = FigureSense.Lower },
    ];

    /// <summary>Returns the catalogue of a table: its rows in their order, those of its sizes, then the figures of every program.</summary>
    public static IEnumerable<FigureFacts> Of(ReportTable table) =>
    [
        .. OfRows(table), .. (table.Sizes is null ? [] : OfRows(table.Sizes)).Select(facts => facts with { Over = SizeReport.Spread }), .. Resources,
    ];

    private static IEnumerable<FigureFacts> OfRows(ReportTable table) => table.Rows.Except(table.OverallRows)
        .SelectMany(row => row.FinalName is { } name ? row.Value.Describe(name, row) : []);

    /// <summary>Returns the title of a row, with its unit where the row has one.</summary>
    public static string Title(string name, ReportRow row) =>
        Of(name, row, row.Facts ?? default) is { Unit: { } unit, Words: var words } ? $"{words}, {unit}" : Of(name, row, default).Words;

    /// <summary>Returns the entry of a row with one figure.</summary>
    public static FigureFacts Of(string name, ReportRow row, (FigureKind Kind, string? Unit, FigureMerge Merge) facts)
    {
        string[] parts = name.Split('.');
        string? phase = parts.Length > 1 && FigureWords.Find<RunPhase>(parts[0]) is not null ? parts[0] : null;
        bool isOfPart = phase is not null || parts[0] == Whole; // its label leaves out which
        return new()
        {
            Name = name,
            Words = row.Words ?? (row.SummaryFormats is [var line] && !isOfPart ? FindLabel(line) : null) ?? Spell(parts),
            Kind = facts.Kind,
            Unit = facts.Unit,
            Better = row.Better,
            Merge = facts.Merge,
            Phase = phase,
            Interval = row.IntervalName,
        };
    }

    // The text before the figure in its line of the summary, without a unit; null where the text does not describe it fully.
    private static string? FindLabel(string line)
    {
        int end = line.IndexOf(": " + Argument, StringComparison.Ordinal);
        if (end < 2 || line.IndexOf('{', StringComparison.Ordinal) != end + 2)
            return null;
        string label = line[..end].Split(" (")[0];
        return char.IsAsciiLetterUpper(label[1]) ? label : char.ToLowerInvariant(label[0]) + label[1..]; // an abbreviation keeps its capitals
    }

    // counts.updatesReceived is updates received, steady.updateRate the update rate of that phase.
    private static string Spell(string[] parts) =>
        string.Join(' ', (parts[0] is ReportTable.Counts or ReportTable.Gauges ? parts[1..] : parts).Select(part =>
            string.Concat(part.Select(c => char.IsAsciiLetterUpper(c) ? $" {char.ToLowerInvariant(c)}" : $"{c}"))));
}
