using PerfTools.Results.Documents;

namespace PerfTools.Reports;

/// <summary>Writes the tables of <see cref="RoleFigureTables"/> as lines of text.</summary>
internal static class RoleFigureText
{
    private const string Gap = "  ";

    /// <summary>Creates the lines, with an empty one after each table; none for a run whose roles wrote no catalogue.</summary>
    public static IEnumerable<string> Create(RunDocument run) =>
        RoleFigureTables.Create(run).Where(table => table.Rows.Count > 0).SelectMany(Describe);

    private static IEnumerable<string> Describe(TextTable table)
    {
        yield return table.Title;
        string[][] rows = [.. (table.Columns.Count > 0 ? [[.. table.Columns]] : Array.Empty<string[]>()),
            .. table.Rows.Select(row => row.Select(cell => cell.Text).ToArray())];
        bool[] isNumber = [.. table.Rows[0].Select(cell => cell.IsNumber)];
        int[] widths = [.. isNumber.Select((_, column) => rows.Max(row => row[column].Length))];
        foreach (string[] row in rows)
        {
            yield return (Gap + string.Join(Gap, row.Select((text, column) =>
                isNumber[column] ? text.PadLeft(widths[column]) : text.PadRight(widths[column])))).TrimEnd();
        }

        yield return "";
    }
}
