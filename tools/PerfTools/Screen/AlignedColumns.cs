namespace PerfTools.Screen;

/// <summary>Rows of text in columns as wide as their longest cell.</summary>
internal static class AlignedColumns
{
    private const string UsualGap = "   ";

    /// <summary>The rows as lines, without blanks at their ends.</summary>
    /// <param name="rows">Rows of as many cells, the heads first.</param>
    /// <param name="gap">What separates two columns.</param>
    public static IEnumerable<string> Create(IReadOnlyList<IReadOnlyList<string>> rows, string gap = UsualGap)
    {
        int[] widths = [.. rows[0].Select((_, column) => rows.Max(row => row[column].Length))];
        return rows.Select(row => string.Join(gap, row.Select((text, column) => text.PadRight(widths[column]))).TrimEnd());
    }
}
