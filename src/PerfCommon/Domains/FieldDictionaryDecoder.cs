using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads field definitions from the parts of a dictionary answer.</summary>
internal static class FieldDictionaryDecoder
{
    /// <summary>Reads one part. Elements are taken by name in any order; unknown ones are skipped.</summary>
    /// <param name="payload">Payload of the refresh: a whole series.</param>
    /// <param name="builder">Receives the fields, up to the first bad one.</param>
    /// <returns>Null, or what is wrong.</returns>
    public static string? FindProblem(ReadOnlySpan<byte> payload, FieldDictionaryBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        DecodeResult result = SeriesReader.TryOpen(payload, out SeriesReader series);
        if (result == DecodeResult.NoData)
            return null;
        if (result != DecodeResult.Success || series.ContainerType != DataType.ElementList)
            return "not a series of element lists";
        SetDefinitions definitions = series.SetDefinitions;
        if (!TryTakeSummary(series, definitions, builder))
            return "the summary is not that of a field dictionary";

        while ((result = series.TryReadNext(out SeriesEntry row)) == DecodeResult.Success)
        {
            if (!TryReadRow(row.Content, definitions, out FieldDefinition? field))
                return $"row {builder.DefinitionCount + 1} cannot be decoded";
            if (!builder.TryAdd(field!))
                return $"field id {field!.Fid} is 0 or defined twice";
        }

        return result == DecodeResult.EndOfContainer ? null : $"the part ends within row {builder.DefinitionCount + 1}";
    }

    private static bool TryTakeSummary(
        scoped in SeriesReader series, scoped in SetDefinitions definitions, FieldDictionaryBuilder builder)
    {
        if (series.Summary.IsEmpty)
            return true;
        if (!DictionarySummary.TryRead(series.Summary, definitions, out DictionarySummary summary)
            || summary.Type is not (0 or (long)DictionaryType.FieldDefinitions))
        {
            return false;
        }

        builder.TrySetDictionaryId(summary.DictionaryId); // makers disagree about the number of the enum tables
        builder.Version = builder.Version with { Fields = summary.Version };
        return true;
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
