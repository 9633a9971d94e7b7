namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the statistics file of any tool: time, the guide's columns by number, then ours in the order of the rows.</summary>
internal sealed class ReportCsv(ReportTable table)
{
    private readonly (ReportRow Row, ReportColumn Column)[] _columns =
    [
        .. table.Rows.SelectMany(row => row.StatsColumns.Select(column => (row, column))).OrderBy(c => c.column.Number ?? int.MaxValue),
    ];

    /// <summary>Writes the header line.</summary>
    public void WriteHeader(TextWriter writer) => WriteLine(writer, "UTC", _columns.Select(c => c.Column.Name));

    /// <summary>Writes the row of one worker and interval.</summary>
    public void WriteRow(TextWriter writer, Figures figures) => WriteLine(
        writer, InvariantText.Time(figures.Info.Utc), _columns.Select(c => c.Row.Format(c.Column.Format, figures, ReportScope.Interval)));

    private static void WriteLine(TextWriter writer, string first, IEnumerable<string> others) =>
        writer.Line($"{string.Join(", ", others.Prepend(first))}");
}
