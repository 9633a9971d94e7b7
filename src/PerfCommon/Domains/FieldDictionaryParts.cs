using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The field definitions as the parts of a dictionary answer, by ascending field id.</summary>
internal sealed class FieldDictionaryParts(FieldDictionary dictionary, scoped in RwfMsg request) : DictionaryParts(request)
{
    private const byte SetId = 0;

    protected override ushort ServiceId => RequestedServiceId;

    protected override int RowCount => dictionary.Definitions.Count;

    // MINIMAL stops before enum length and long name.
    private bool IsNormal => (Verbosity & DictionaryVerbosity.Normal) == DictionaryVerbosity.Normal;

    protected override void BeginSeries(ref RwfWriter writer, bool isFirst)
    {
        writer.BeginSeries(DataType.ElementList, isFirst ? RowCount : null);
        if (Verbosity != DictionaryVerbosity.Info)
            WriteDefinitions(ref writer);
        if (!isFirst)
            return;
        writer.BeginSummary();
        writer.BeginElementList();
        writer.WriteIntElement(DictionaryElements.Type, (long)DictionaryType.FieldDefinitions);
        writer.WriteIntElement(DictionaryElements.DictionaryId, dictionary.Version.DictionaryId);
        writer.WriteAsciiElement(DictionaryElements.Version, Encoding.Latin1.GetBytes(dictionary.Version.Fields));
        writer.EndElementList();
        writer.EndSummary();
    }

    protected override void WriteRow(ref RwfWriter row, int index)
    {
        FieldDefinition field = dictionary.Definitions[index];
        row.BeginElementList(ElementListFlags.HasSetData);
        WriteText(ref row, field.Acronym);
        WriteInt(ref row, DataType.Int2, field.Fid);
        WriteInt(ref row, DataType.Int2, field.RipplesTo);
        WriteInt(ref row, DataType.Int1, (long)field.FieldType);
        WriteUInt(ref row, DataType.UInt2, field.Length);
        WriteUInt(ref row, DataType.UInt1, (ulong)field.DataType);
        WriteUInt(ref row, DataType.UInt2, field.RwfLength);
        if (IsNormal)
        {
            WriteUInt(ref row, DataType.UInt1, field.EnumLength);
            WriteText(ref row, field.LongName);
        }

        row.EndSetData();
        row.EndElementList();
    }

    protected override ReadOnlySpan<byte> TextOf(int firstRow)
    {
        int firstFid = firstRow == 0 ? short.MinValue : dictionary.Definitions[firstRow].Fid;
        return Encoding.ASCII.GetBytes(
            string.Create(CultureInfo.InvariantCulture, $"Field Dictionary Refresh (starting fid {firstFid})"));
    }

    private static void WriteText(ref RwfWriter row, string text)
    {
        row.BeginSetItem(DataType.AsciiString);
        row.WriteContent(Encoding.Latin1.GetBytes(text));
    }

    private static void WriteInt(ref RwfWriter row, DataType type, long value)
    {
        row.BeginSetItem(type);
        row.WriteInt(value);
    }

    private static void WriteUInt(ref RwfWriter row, DataType type, ulong value)
    {
        row.BeginSetItem(type);
        row.WriteUInt(value);
    }

    private void WriteDefinitions(ref RwfWriter writer)
    {
        writer.BeginSetDefinitions();
        writer.BeginSetDefinition(SetId);
        writer.AddSetElement(DictionaryElements.Name, DataType.AsciiString);
        writer.AddSetElement(DictionaryElements.Fid, DataType.Int2);
        writer.AddSetElement(DictionaryElements.RippleTo, DataType.Int2);
        writer.AddSetElement(DictionaryElements.FieldType, DataType.Int1);
        writer.AddSetElement(DictionaryElements.Length, DataType.UInt2);
        writer.AddSetElement(DictionaryElements.RwfType, DataType.UInt1);
        writer.AddSetElement(DictionaryElements.RwfLength, DataType.UInt2);
        if (IsNormal)
        {
            writer.AddSetElement(DictionaryElements.EnumLength, DataType.UInt1);
            writer.AddSetElement(DictionaryElements.LongName, DataType.AsciiString);
        }

        writer.EndSetDefinitions();
    }
}
