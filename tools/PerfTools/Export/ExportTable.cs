namespace PerfTools.Export;

/// <summary>The type of the values in a column.</summary>
internal enum ColumnKind
{
    Text,
    Number,
    Time,
}

/// <summary>A column of an export.</summary>
/// <param name="Name">Its name, as in the JSON of the tools.</param>
/// <param name="Kind">The type of its values.</param>
internal sealed record ExportColumn(string Name, ColumnKind Kind);

/// <summary>A value of an export: a text, a number or a time, by its column; all null for nothing.</summary>
internal readonly record struct ExportValue(string? Text, double? Number, DateTime? Time)
{
    public static implicit operator ExportValue(string? text) => new(text, null, null);

    public static implicit operator ExportValue(double number) => new(null, number, null);

    public static implicit operator ExportValue(DateTime time) => new(null, null, time);
}

/// <summary>One file of an export: rows of many runs with the same columns, created while they are written.</summary>
/// <param name="Name">The name of the file without its extension.</param>
/// <param name="Columns">Its columns.</param>
/// <param name="Rows">Its rows, each with a value for each column.</param>
internal sealed record ExportTable(string Name, IReadOnlyList<ExportColumn> Columns, IEnumerable<ExportValue[]> Rows);
