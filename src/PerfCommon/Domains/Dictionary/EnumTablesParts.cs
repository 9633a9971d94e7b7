using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes the enum tables as the parts of a dictionary answer.</summary>
internal sealed class EnumTablesParts(FieldDictionary dictionary, scoped in RwfMsg request) : DictionaryParts(request)
{
    private const byte LastAsciiByte = 0x7E;
    private const int FidLength = sizeof(short); // wire/rwf 6.3

    private delegate bool ItemWriter<T>(ref RwfWriter array, T item);

    // wire/domains 4
    protected override ushort ServiceId => 0;

    protected override int RowCount => dictionary.EnumTables.Count;

    // wire/rwf 6.3
    protected override void BeginSeries(ref RwfWriter writer, bool isFirst)
    {
        DictionaryVersion version = dictionary.Version;
        writer.BeginSeries(DataType.ElementList);
        string[] columns = [DictionaryElements.Fids, DictionaryElements.Value, DictionaryElements.Display];
        DefineColumns(ref writer, columns.Select(name => (name, DataType.Array)));
        WriteSummary(
            ref writer,
            DictionaryType.EnumTables,
            version.DictionaryId,
            (DictionaryElements.RecordTemplateVersion, version.RecordTemplates),
            (DictionaryElements.DisplayTemplateVersion, version.DisplayTemplates),
            (DictionaryElements.Version, version.DisplayTemplates));
    }

    protected override void WriteRow(ref RwfWriter row, int index)
    {
        EnumTable table = dictionary.EnumTables[index];
        DataType displayType = IsAscii(table) ? DataType.AsciiString : DataType.RmtesString; // wire/rwf 6.3
        row.BeginElementList(ListFlags.HasSetData | ListFlags.HasSetId, setId: 0); // wire/rwf 6.3
        WriteArray(ref row, DataType.Int, table.Fids, (ref array, fid) => array.BeginItem() && array.WriteInt(fid), FidLength);
        WriteArray(ref row, DataType.Enum, table.Values, (ref array, value) => array.BeginItem() && array.WriteUInt(value.Value));
        WriteArray(ref row, displayType, table.Values, (ref array, value) => array.WriteItem(value.Display.Span));
        row.EndSetData();
        row.EndElementList();
    }

    private static void WriteArray<T>(ref RwfWriter row, DataType type, IEnumerable<T> items, ItemWriter<T> write, int itemLength = 0)
    {
        row.BeginSetItem(DataType.Array);
        row.BeginArray(type, itemLength);
        foreach (T item in items)
            write(ref row, item);
        row.EndArray();
        row.EndEntry();
    }

    private static bool IsAscii(EnumTable table) =>
        table.Values.All(value => value.Display.Span.IndexOfAnyExceptInRange((byte)0, LastAsciiByte) < 0);
}
