using System.Globalization;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the console lines of any tool. Line 1, where a tool has one, stands beside the second; others are indented below.</summary>
internal sealed class ReportConsole(ReportTable table)
{
    private const int FirstLine = 1;

    private readonly IGrouping<int, (ReportRow Row, ConsolePart Part)>[] _lines =
    [
        .. table.Rows.SelectMany(row => row.ConsoleParts.Select(part => (row, part))).GroupBy(p => p.part.Line).OrderBy(line => line.Key),
    ];

    /// <summary>Writes the lines of one worker and interval.</summary>
    public void Write(TextWriter writer, Figures figures)
    {
        bool hasFirstLine = _lines is [{ Key: FirstLine }, ..];
        bool isIndented = figures.Info.Threads > 1 && hasFirstLine;
        WriteStart(writer, figures.Info, hasFirstLine);
        foreach (IGrouping<int, (ReportRow Row, ConsolePart Part)> line in _lines)
        {
            string text = string.Concat(line.Select(p => p.Row.Format(p.Part.Format, figures, ReportScope.Interval)));
            if (line.Key == FirstLine)
                writer.Line($"{(isIndented ? "  " : " ")}{text}");
            else if (line.Any(p => p.Row.Value.IsAny(figures)))
                writer.Line($"{(isIndented ? "    " : "  ")}{text}");
        }
    }

    /// <summary>Writes what is said of all workers together, when there are several.</summary>
    public void WriteOverall(TextWriter writer, Figures overall)
    {
        if (overall.Info.Threads <= 1)
            return;
        foreach (ReportRow row in table.Rows.Where(row => row.OverallConsoleFormat is not null && row.Value.Exists(overall)))
            writer.Line($"{row.Format(row.OverallConsoleFormat!, overall, ReportScope.Interval)}");
    }

    private void WriteStart(TextWriter writer, CollectionInfo info, bool hasFirstLine)
    {
        bool isSeveral = info.Threads > 1;
        writer.Write(string.Format(CultureInfo.InvariantCulture, table.ConsoleSecond, info.Second));
        if (isSeveral)
            writer.Write(" " + string.Format(CultureInfo.InvariantCulture, table.ConsoleThread, info.Thread));
        if (isSeveral || !hasFirstLine)
            writer.EmptyLine();
    }
}
