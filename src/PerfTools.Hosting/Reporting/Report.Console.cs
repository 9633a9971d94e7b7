namespace PerfTools.Hosting.Reporting;

// Line 1, where a tool has one, is printed next to the second; the others are indented below.
internal sealed partial class Report
{
    private const int FirstLine = 1;

    private readonly IGrouping<int, ConsolePart>[] _lines =
        [.. table.Rows.SelectMany(row => row.ConsoleParts).GroupBy(part => part.Line).OrderBy(line => line.Key)];

    /// <summary>Writes the console lines of one worker and interval.</summary>
    public void WriteConsole(TextWriter writer, Figures thread)
    {
        bool hasFirstLine = _lines is [{ Key: FirstLine }, ..];
        bool isIndented = thread.Info.Threads > 1 && hasFirstLine;
        WriteConsoleStart(writer, thread.Info, hasFirstLine);
        foreach (IGrouping<int, ConsolePart> line in _lines)
        {
            string text = string.Concat(line.Select(part => part.Row.Format(part.Format, thread, ReportScope.Interval)));
            if (line.Key == FirstLine)
                writer.Line($"{(isIndented ? "  " : " ")}{text}");
            else if (line.Any(part => part.Row.Value.IsAny(thread)))
                writer.Line($"{(isIndented ? "    " : "  ")}{text}");
        }
    }

    /// <summary>Writes the lines of all workers together below those of several; often none.</summary>
    public void WriteOverallConsole(TextWriter writer, Figures overall)
    {
        if (overall.Info.Threads <= 1)
            return;
        foreach (ReportRow row in table.Rows.Where(row => row.OverallConsoleFormat is not null && row.Value.Exists(overall)))
            writer.Line($"{row.Format(row.OverallConsoleFormat!, overall, ReportScope.Interval)}");
    }

    private void WriteConsoleStart(TextWriter writer, CollectionInfo info, bool hasFirstLine)
    {
        bool isSeveral = info.Threads > 1;
        writer.Write(Format(table.ConsoleSecond, info.Second));
        if (isSeveral)
            writer.Write(" " + Format(table.ConsoleThread, info.Thread));
        if (isSeveral || !hasFirstLine)
            writer.EmptyLine();
    }
}
