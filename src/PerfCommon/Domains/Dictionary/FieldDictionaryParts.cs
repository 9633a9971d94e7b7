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
        row.BeginElementList(ListFlags.HasSetData);
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

    protected override ReadOnlySpan<byte> TextOf(int firstRow)
    {
        int firstFid = firstRow == 0 ? short.MinValue : dictionary.Definitions[firstRow].Fid;
        return Encoding.ASCII.GetBytes(
            string.Create(CultureInfo.InvariantCulture, $"Field Dictionary Refresh (starting fid {firstFid})"));
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

/// <summary>Reads field definitions from the parts of a dictionary answer.</summary>
internal sealed class FieldDictionaryDecoder(FieldDictionaryBuilder builder) : DictionaryPartReader(builder)
{
    protected override DictionaryType Type => DictionaryType.FieldDefinitions;

    protected override DictionaryVersion Take(in DictionarySummary summary) => Builder.Version with { Fields = summary.Version };

    protected override string? FindProblemOfRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int row)
    {
        if (!TryReadRow(content, definitions, out FieldDefinition? field))
            return $"row {Builder.DefinitionCount + 1} cannot be decoded";
        return Builder.TryAdd(field!) ? null : $"field id {field!.Fid} is 0 or defined twice";
    }

    private static bool TryReadRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, out FieldDefinition? field)
    {
        FieldRow row = new();
        field = null;
        DecodeResult result = ElementListReader.TryOpen(content, definitions, out ElementListReader elements);
        while (result == DecodeResult.Success)
        {
            result = elements.TryReadNext(out ElementEntry element);
            if (result == DecodeResult.Success && !row.TryTake(element))
                return false;
        }

        return result == DecodeResult.EndOfContainer && row.TryFinish(out field);
    }

    // The columns found so far; a column that nobody sent is 0 or empty, only a few must be there.
    private struct FieldRow()
    {
        private string _name = "";
        private string _longName = "";
        private long _fid;
        private long _ripplesTo;
        private long _fieldType = (long)FieldType.None;
        private ulong _length;
        private ulong _enumLength;
        private ulong _rwfType;
        private ulong _rwfLength;

        public bool TryTake(scoped in ElementEntry element)
        {
            ReadOnlySpan<byte> name = element.Name;
            if (name.SequenceEqual(DictionaryElements.Name))
                return TryTakeText(element, out _name);
            if (name.SequenceEqual(DictionaryElements.LongName))
                return TryTakeText(element, out _longName);
            if (name.SequenceEqual(DictionaryElements.Fid))
                return TryTakeInt(element, out _fid);
            if (name.SequenceEqual(DictionaryElements.RippleTo))
                return TryTakeInt(element, out _ripplesTo);
            if (name.SequenceEqual(DictionaryElements.FieldType))
                return TryTakeInt(element, out _fieldType);
            if (name.SequenceEqual(DictionaryElements.Length))
                return TryTakeUInt(element, out _length);
            if (name.SequenceEqual(DictionaryElements.RwfType))
                return TryTakeUInt(element, out _rwfType);
            if (name.SequenceEqual(DictionaryElements.RwfLength))
                return TryTakeUInt(element, out _rwfLength);
            return !name.SequenceEqual(DictionaryElements.EnumLength) || TryTakeUInt(element, out _enumLength);
        }

        public readonly bool TryFinish(out FieldDefinition? field)
        {
            field = null;
            if (_name.Length == 0 || _fid is < short.MinValue or > short.MaxValue or 0
                || _ripplesTo is < short.MinValue or > short.MaxValue
                || _fieldType is < sbyte.MinValue or > sbyte.MaxValue
                || _length > ushort.MaxValue || _rwfLength > ushort.MaxValue || _enumLength > byte.MaxValue
                || _rwfType is 0 or > byte.MaxValue)
            {
                return false;
            }

            field = new FieldDefinition(
                (short)_fid, _name, _longName, (short)_ripplesTo, (FieldType)_fieldType, (ushort)_length, (byte)_enumLength,
                DataTypes.BaseOf((byte)_rwfType), (ushort)_rwfLength);
            return true;
        }

        private static bool TryTakeText(scoped in ElementEntry element, out string text)
        {
            text = Encoding.Latin1.GetString(element.Content);
            return element.Type == DataType.AsciiString;
        }

        private static bool TryTakeInt(scoped in ElementEntry element, out long value) =>
            RwfPrimitives.TryReadInt(element.Content, out value) <= DecodeResult.Blank && element.Type == DataType.Int;

        private static bool TryTakeUInt(scoped in ElementEntry element, out ulong value) =>
            RwfPrimitives.TryReadUInt(element.Content, out value) <= DecodeResult.Blank && element.Type == DataType.UInt;
    }
}
