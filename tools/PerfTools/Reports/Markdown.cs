using PerfCommon;

namespace PerfTools.Reports;

/// <summary>Writes texts and tables as Markdown.</summary>
internal static class Markdown
{
    private const string Special = "\\`*_[]<>|#";

    /// <summary>Escapes a text so that it shows unchanged, on one line.</summary>
    public static string Escape(string text) =>
        string.Concat(PrintableText.From(text,
            PrintableText.MaxLineChars).Select(letter => Special.Contains(letter, StringComparison.Ordinal) ? $"\\{letter}" : $"{letter}"));

    /// <summary>
    /// Writes a table whose first and last columns are text and the others numbers; in cells only the bar is escaped.
    /// </summary>
    public static void WriteTable(TextWriter writer, IReadOnlyList<string> columns, IEnumerable<IReadOnlyList<string>> rows)
    {
        WriteRow(writer, columns);
        WriteRow(writer, [.. columns.Select((_, i) => i == 0 || i == columns.Count - 1 ? "---" : "---:")]);
        foreach (IReadOnlyList<string> row in rows)
            WriteRow(writer, row);
        writer.Write('\n');
    }

    private static void WriteRow(TextWriter writer, IEnumerable<string> cells) =>
        writer.Write($"| {string.Join(" | ", cells.Select(cell => cell.Replace("|", "\\|", StringComparison.Ordinal)))} |\n");
}
