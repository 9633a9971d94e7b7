using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;

namespace PerfTools.Export;

/// <summary>Writes a table as Apache Parquet: row groups of a hundred thousand rows, a page for each column, compressed by gzip.</summary>
/// <remarks>
/// Parquet.Net cannot be compiled natively without warnings, so only the tests use it, to read these files. Of the format
/// (parquet.thrift) this is the subset that every reader knows: required columns, plain values, one data page in each chunk.
/// </remarks>
internal sealed class ParquetExport
{
    /// <summary>The end of the file's name.</summary>
    public const string Extension = ".parquet";

    private const int RowsOfGroup = 100_000;
    private const int Plain = 0, LevelsByRuns = 3, Gzip = 2, DataPage = 0, Required = 0; // enumerations of the format
    private const string CreatedBy = "perftools";

    private static readonly DateTime Epoch = DateTime.UnixEpoch;

    private readonly Stream _file;
    private readonly ExportTable _table;
    private readonly List<Group> _groups = [];
    private long _place;

    private ParquetExport(Stream file, ExportTable table) => (_file, _table) = (file, table);

    private static ReadOnlySpan<byte> Magic => "PAR1"u8;

    public static void Write(Stream file, ExportTable table) => new ParquetExport(file, table).Write();

    private void Write()
    {
        Append(Magic);
        foreach (ExportValue[][] rows in _table.Rows.Chunk(RowsOfGroup))
            _groups.Add(new(rows.Length, [.. _table.Columns.Select((_, column) => WriteChunk(rows, column))]));
        ReadOnlySpan<byte> footer = CreateFooter().Bytes;
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, footer.Length);
        Append(footer);
        Append(length);
        Append(Magic);
    }

    private Chunk WriteChunk(ExportValue[][] rows, int column)
    {
        using MemoryStream packed = new();
        int plainBytes;
        using (GZipStream gzip = new(packed, CompressionLevel.Optimal, leaveOpen: true))
            plainBytes = WriteValues(gzip, rows, column, _table.Columns[column].Kind);
        ReadOnlySpan<byte> page = packed.GetBuffer().AsSpan(0, (int)packed.Length);
        ThriftCompact head = new();
        head.Int32(1, DataPage).Int32(2, plainBytes).Int32(3, page.Length)
            .Struct(5, () => head.Int32(1, rows.Length).Int32(2, Plain).Int32(3, LevelsByRuns).Int32(4, LevelsByRuns)).End();
        Chunk chunk = new(_place, head.Bytes.Length + plainBytes, head.Bytes.Length + page.Length);
        Append(head.Bytes);
        Append(page);
        return chunk;
    }

    private static int WriteValues(GZipStream page, ExportValue[][] rows, int column, ColumnKind kind)
    {
        Span<byte> number = stackalloc byte[sizeof(long)];
        int bytes = 0;
        foreach (ExportValue[] row in rows)
        {
            if (kind == ColumnKind.Text)
            {
                byte[] text = Encoding.UTF8.GetBytes(row[column].Text ?? "");
                BinaryPrimitives.WriteInt32LittleEndian(number, text.Length);
                page.Write(number[..sizeof(int)]);
                page.Write(text);
                bytes += sizeof(int) + text.Length;
                continue;
            }

            if (kind == ColumnKind.Number)
                BinaryPrimitives.WriteDoubleLittleEndian(number, row[column].Number ?? double.NaN);
            else
                BinaryPrimitives.WriteInt64LittleEndian(number, (long)Math.Round(((row[column].Time ?? Epoch) - Epoch).TotalMilliseconds));
            page.Write(number);
            bytes += number.Length;
        }

        return bytes;
    }

    // FileMetaData
    private ThriftCompact CreateFooter()
    {
        ThriftCompact footer = new();
        footer.Int32(1, 1)
            .Structs(2, _table.Columns.Count + 1, i => DescribeColumn(footer, i))
            .Int64(3, _groups.Sum(group => (long)group.Rows))
            .Structs(4, _groups.Count, i => DescribeGroup(footer, _groups[i]))
            .Text(6, CreatedBy).End();
        return footer;
    }

    // SchemaElement: the root, then each column
    private void DescribeColumn(ThriftCompact footer, int number)
    {
        if (number == 0)
        {
            footer.Text(4, _table.Name).Int32(5, _table.Columns.Count);
            return;
        }

        (string name, ColumnKind kind) = _table.Columns[number - 1];
        footer.Int32(1, TypeOf(kind)).Int32(3, Required).Text(4, name);
        if (kind != ColumnKind.Number)
            footer.Int32(6, kind == ColumnKind.Text ? 0 : 9); // UTF8, TIMESTAMP_MILLIS
    }

    // RowGroup, ColumnChunk, ColumnMetaData
    private void DescribeGroup(ThriftCompact footer, Group group) => footer
        .Structs(1, group.Chunks.Count, i =>
        {
            Chunk chunk = group.Chunks[i];
            (string name, ColumnKind kind) = _table.Columns[i];
            footer.Int64(2, chunk.Place).Struct(3, () => footer.Int32(1, TypeOf(kind)).Int32s(2, Plain, LevelsByRuns).Texts(3, name).Int32(4, Gzip)
                .Int64(5, group.Rows).Int64(6, chunk.PlainBytes).Int64(7, chunk.PackedBytes).Int64(9, chunk.Place));
        })
        .Int64(2, group.Chunks.Sum(chunk => chunk.PlainBytes)).Int64(3, group.Rows);

    // INT64, DOUBLE, BYTE_ARRAY
    private static int TypeOf(ColumnKind kind) => kind switch
    {
        ColumnKind.Time => 2,
        ColumnKind.Number => 5,
        _ => 6,
    };

    private void Append(ReadOnlySpan<byte> bytes)
    {
        _file.Write(bytes);
        _place += bytes.Length;
    }

    private sealed record Group(int Rows, IReadOnlyList<Chunk> Chunks);

    private sealed record Chunk(long Place, long PlainBytes, long PackedBytes);
}
