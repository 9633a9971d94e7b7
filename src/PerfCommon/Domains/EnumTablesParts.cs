using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The enum tables as the parts of a dictionary answer.</summary>
internal sealed class EnumTablesParts(FieldDictionary dictionary, scoped in RwfMsg request) : DictionaryParts(request)
{
    private const byte SetId = 0;
    private const byte LastAsciiByte = 0x7E;
    private const int FidLength = sizeof(short);

    // No provider of this family names a service here, whatever was asked.
    protected override ushort ServiceId => 0;

    protected override int RowCount => dictionary.EnumTables.Count;

    // Every part has definitions and summary, and none a count.
    protected override void BeginSeries(ref RwfWriter writer, bool isFirst)
    {
        DictionaryVersion version = dictionary.Version;
        writer.BeginSeries(DataType.ElementList);
        if (Verbosity != DictionaryVerbosity.Info)
            WriteDefinitions(ref writer);
        writer.BeginSummary();
        writer.BeginElementList();
        writer.WriteIntElement(DictionaryElements.Type, (long)DictionaryType.EnumTables);
        writer.WriteIntElement(DictionaryElements.DictionaryId, version.DictionaryId);
        writer.WriteAsciiElement(DictionaryElements.RecordTemplateVersion, Encoding.Latin1.GetBytes(version.RecordTemplates));
        writer.WriteAsciiElement(DictionaryElements.DisplayTemplateVersion, Encoding.Latin1.GetBytes(version.DisplayTemplates));
        writer.WriteAsciiElement(DictionaryElements.Version, Encoding.Latin1.GetBytes(version.DisplayTemplates));
        writer.EndElementList();
        writer.EndSummary();
    }

    protected override void WriteRow(ref RwfWriter row, int index)
    {
        EnumTable table = dictionary.EnumTables[index];
        row.BeginElementList(ElementListFlags.HasSetData | ElementListFlags.HasSetId, setId: SetId);

        row.BeginSetItem(DataType.Array);
        row.BeginArray(DataType.Int, FidLength);
        foreach (short fid in table.Fids)
        {
            row.BeginItem();
            row.WriteInt(fid);
        }

        row.EndArray();
        row.EndEntry();

        row.BeginSetItem(DataType.Array);
        row.BeginArray(DataType.Enum);
        foreach (EnumValue value in table.Values)
        {
            row.BeginItem();
            row.WriteUInt(value.Value);
        }

        row.EndArray();
        row.EndEntry();

        row.BeginSetItem(DataType.Array);
        row.BeginArray(IsAscii(table) ? DataType.AsciiString : DataType.RmtesString);
        foreach (EnumValue value in table.Values)
            row.WriteItem(value.Display.Span);
        row.EndArray();
        row.EndEntry();

        row.EndSetData();
        row.EndElementList();
    }

    protected override ReadOnlySpan<byte> TextOf(int firstRow) => default;

    private static bool IsAscii(EnumTable table) =>
        table.Values.All(value => value.Display.Span.IndexOfAnyExceptInRange((byte)0, LastAsciiByte) < 0);

    private static void WriteDefinitions(ref RwfWriter writer)
    {
        writer.BeginSetDefinitions();
        writer.BeginSetDefinition(SetId);
        writer.AddSetElement(DictionaryElements.Fids, DataType.Array);
        writer.AddSetElement(DictionaryElements.Value, DataType.Array);
        writer.AddSetElement(DictionaryElements.Display, DataType.Array);
        writer.EndSetDefinitions();
    }
}
