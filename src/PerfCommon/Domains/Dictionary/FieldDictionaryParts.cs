using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes the field definitions as the parts of a dictionary answer, by ascending field id.</summary>
internal sealed class FieldDictionaryParts(FieldDictionary dictionary, scoped in RwfMsg request) : DictionaryParts(request)
{
    private const int MinimalColumns = 7; // wire/rwf 6.3

    // A value is a string, a long or a ulong.
    private static readonly Column[] AllColumns = // wire/rwf 6.3
    [
        new(DictionaryElements.Name, DataType.AsciiString, field => field.Acronym),
        new(DictionaryElements.Fid, DataType.Int2, field => (long)field.Fid),
        new(DictionaryElements.RippleTo, DataType.Int2, field => (long)field.RipplesTo),
        new(DictionaryElements.FieldType, DataType.Int1, field => (long)field.FieldType),
        new(DictionaryElements.Length, DataType.UInt2, field => (ulong)field.Length),
        new(DictionaryElements.RwfType, DataType.UInt1, field => (ulong)field.DataType),
        new(DictionaryElements.RwfLength, DataType.UInt2, field => (ulong)field.RwfLength),
        new(DictionaryElements.EnumLength, DataType.UInt1, field => (ulong)field.EnumLength),
        new(DictionaryElements.LongName, DataType.AsciiString, field => field.LongName),
    ];

    protected override int RowCount => dictionary.Definitions.Count;

    private IEnumerable<Column> Columns =>
        AllColumns.Take((Verbosity & DictionaryVerbosity.Normal) == DictionaryVerbosity.Normal ? AllColumns.Length : MinimalColumns);

    protected override void BeginSeries(ref RwfWriter writer, bool isFirst)
    {
        writer.BeginSeries(DataType.ElementList, isFirst ? RowCount : null); // wire/rwf 6.3
        DefineColumns(ref writer, Columns.Select(column => (column.Name, column.Type)));
        DictionaryVersion version = dictionary.Version;
        if (isFirst)
            WriteSummary(ref writer, DictionaryType.FieldDefinitions, version.DictionaryId, (DictionaryElements.Version, version.Fields));
    }

    protected override void WriteRow(ref RwfWriter row, int index)
    {
        row.BeginElementList(ListFlags.HasSetData); // wire/rwf 6.3
        foreach (Column column in Columns)
        {
            row.BeginSetItem(column.Type);
            object value = column.Of(dictionary.Definitions[index]);
            if (value is string text)
                row.WriteContent(Encoding.Latin1.GetBytes(text));
            else if (value is ulong unsigned)
                row.WriteUInt(unsigned);
            else
                row.WriteInt((long)value);
        }

        row.EndSetData();
        row.EndElementList();
    }

    protected override string TextOf(int firstRow)
    {
        int firstFid = firstRow == 0 ? short.MinValue : dictionary.Definitions[firstRow].Fid; // wire/domains 4
        return string.Create(CultureInfo.InvariantCulture, $"Field Dictionary Refresh (starting fid {firstFid})");
    }

    private readonly record struct Column(string Name, DataType Type, Func<FieldDefinition, object> Of);
}
