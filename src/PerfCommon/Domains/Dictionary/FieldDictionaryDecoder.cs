using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads field definitions from the parts of a dictionary answer.</summary>
internal sealed class FieldDictionaryDecoder(FieldDictionaryBuilder builder) : DictionaryPartReader(builder)
{
    protected override DictionaryType Type => DictionaryType.FieldDefinitions;

    protected override DictionaryVersion ApplySummary(in DictionarySummary summary) => Builder.Version with { Fields = summary.Version };

    protected override string? FindProblemOfRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int row)
    {
        FieldRow read = new();
        if (!ElementLists.TryRead(content, definitions, ref read, FieldRow.TryReadElement) || read.Finish() is not { } field)
            return $"row {Builder.DefinitionCount + 1} cannot be decoded";
        return Builder.TryAdd(field) ? null : $"field id {field.Fid} is 0 or defined twice"; // wire/rwf 6.3
    }

    // The columns found so far; an absent column is 0 or empty, only a few are required.
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

        public static bool TryReadElement(scoped in ElementEntry element, ref FieldRow row) => Encoding.Latin1.GetString(element.Name) switch
        {
            DictionaryElements.Name => TryReadText(element, out row._name),
            DictionaryElements.LongName => TryReadText(element, out row._longName),
            DictionaryElements.Fid => TryReadInt(element, out row._fid),
            DictionaryElements.RippleTo => TryReadInt(element, out row._ripplesTo),
            DictionaryElements.FieldType => TryReadInt(element, out row._fieldType),
            DictionaryElements.Length => ElementLists.TryReadUInt(element, out row._length),
            DictionaryElements.RwfType => ElementLists.TryReadUInt(element, out row._rwfType),
            DictionaryElements.RwfLength => ElementLists.TryReadUInt(element, out row._rwfLength),
            DictionaryElements.EnumLength => ElementLists.TryReadUInt(element, out row._enumLength),
            _ => true,
        };

        // Creates the definition; null when a column is missing or out of its range.
        public readonly FieldDefinition? Finish()
        {
            if (_name.Length == 0 || _fid is < short.MinValue or > short.MaxValue or 0
                || _ripplesTo is < short.MinValue or > short.MaxValue
                || _fieldType is < sbyte.MinValue or > sbyte.MaxValue
                || _length > ushort.MaxValue || _rwfLength > ushort.MaxValue || _enumLength > byte.MaxValue
                || _rwfType is 0 or > byte.MaxValue)
            {
                return null; // wire/rwf 6.1
            }

            return new FieldDefinition(
                (short)_fid, _name, _longName, (short)_ripplesTo, (FieldType)_fieldType, (ushort)_length, (byte)_enumLength,
                DataTypes.BaseOf((byte)_rwfType), (ushort)_rwfLength);
        }

        private static bool TryReadText(scoped in ElementEntry element, out string text)
        {
            bool isText = element.Type == DataType.AsciiString && element.Content.Length <= MaxTextBytes; // wire/rwf 6.3
            text = isText ? Encoding.Latin1.GetString(element.Content) : "";
            return isText;
        }

        private static bool TryReadInt(scoped in ElementEntry element, out long value) =>
            RwfPrimitives.TryReadInt(element.Content, out value) <= DecodeResult.Blank && element.Type == DataType.Int; // wire/rwf 6.3
    }
}
