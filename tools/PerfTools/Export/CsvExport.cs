using System.Globalization;
using PerfTools.Results.Files;

namespace PerfTools.Export;

/// <summary>Writes a table as comma-separated values.</summary>
internal static class CsvExport
{
    /// <summary>The end of the file's name.</summary>
    public const string Extension = ".csv";

    public static void Write(Stream file, ExportTable table)
    {
        using StreamWriter writer = new(file, leaveOpen: true);
        CsvLine.Write(writer, table.Columns.Select(column => column.Name));
        foreach (ExportValue[] row in table.Rows)
            CsvLine.Write(writer, row.Select(Show));
    }

    private static string Show(ExportValue value) => value switch
    {
        { Number: { } number } => number.ToString("R", CultureInfo.InvariantCulture),
        { Time: { } time } => ResultTime.ToText(time),
        _ => value.Text ?? "",
    };
}
