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

    /// <summary>Writes a table; in cells only the bar is escaped.</summary>
    /// <param name="writer">Receives it.</param>
    /// <param name="columns">The heads.</param>
    /// <param name="rows">The cells.</param>
    /// <param name="texts">Number of leading columns with text; those that follow are numbers.</param>
    /// <param name="endsWithText">True where the last column is text, too.</param>
    public static void WriteTable(
        TextWriter writer, IReadOnlyList<string> columns, IEnumerable<IReadOnlyList<string>> rows, int texts = 1, bool endsWithText = true)
    {
        WriteRow(writer, columns);
        WriteRow(writer, [.. columns.Select((_, i) => i < texts || (endsWithText && i == columns.Count - 1) ? "---" : "---:")]);
        foreach (IReadOnlyList<string> row in rows)
            WriteRow(writer, row);
        writer.Write('\n');
    }

    private static void WriteRow(TextWriter writer, IEnumerable<string> cells) =>
        writer.Write($"| {string.Join(" | ", cells.Select(cell => cell.Replace("|", "\\|", StringComparison.Ordinal)))} |\n");
}
