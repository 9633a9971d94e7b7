using Parquet;
using Parquet.Schema;

namespace PerfTools.Export;

/// <summary>Writes a table as Apache Parquet: a row group for each hundred thousand rows, compressed by Snappy.</summary>
internal static class ParquetExport
{
    /// <summary>The end of the file's name.</summary>
    public const string Extension = ".parquet";

    private const int RowsOfGroup = 100_000;

    public static void Write(Stream file, ExportTable table) => WriteAsync(file, table).GetAwaiter().GetResult();

    private static async Task WriteAsync(Stream file, ExportTable table)
    {
        DataField[] fields = [.. table.Columns.Select(CreateField)];
        await using ParquetWriter writer = await ParquetWriter.CreateAsync(new ParquetSchema(fields), file);
        foreach (ExportValue[][] rows in table.Rows.Chunk(RowsOfGroup))
        {
            using ParquetRowGroupWriter group = writer.CreateRowGroup();
            for (int i = 0; i < fields.Length; i++)
            {
                int column = i;
                await (table.Columns[i].Kind switch
                {
                    ColumnKind.Number => group.WriteAsync<double>(fields[i], Array.ConvertAll(rows, row => row[column].Number)),
                    ColumnKind.Time => group.WriteAsync<DateTime>(fields[i], Array.ConvertAll(rows, row => row[column].Time)),
                    _ => group.WriteAsync(fields[i], Array.ConvertAll(rows, row => row[column].Text ?? "")),
                });
            }
        }
    }

    private static DataField CreateField(ExportColumn column) => column.Kind switch
    {
        ColumnKind.Number => new DataField<double?>(column.Name),
        ColumnKind.Time => new DataField<DateTime?>(column.Name),
        _ => new DataField<string>(column.Name, nullable: false),
    };
}
