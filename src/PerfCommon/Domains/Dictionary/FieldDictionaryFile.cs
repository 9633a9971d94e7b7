using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads field definitions from a text in the vendor's RDMFieldDictionary format.</summary>
internal sealed class FieldDictionaryFile(FieldDictionaryBuilder builder) : DictionaryFileReader(builder)
{
    private const string NoRipple = "NULL"; // wire/rwf 6.1

    private readonly List<(FieldDefinition Definition, string RipplesTo)> _found = [];
    private readonly Dictionary<string, int> _fids = new(StringComparer.Ordinal);
    private readonly HashSet<int> _seen = [];

    protected override string ShippedName => ShippedFiles.FieldDefinitions;

    protected override int FileType => 1; // wire/rwf 6.1

    protected override void ApplyTag(ReadOnlySpan<char> name, string value)
    {
        if (name.SequenceEqual("Version"))
            Builder.Version = Builder.Version with { Fields = value };
    }

    // wire/rwf 6.1
    protected override void ReadDefinition(DictionaryLine line)
    {
        line.TryReadWord(out ReadOnlySpan<char> acronym);
        if (!line.TryReadBetween('"', out ReadOnlySpan<char> longName))
            throw Problem($"field \"{acronym}\" needs its long name in double quotes"); // wire/rwf 6.1
        short fid = (short)ReadNumber(ref line, "field id", short.MinValue, short.MaxValue);
        if (fid == 0)
            throw Problem("field id 0 is reserved"); // wire/rwf 6.1
        if (!_seen.Add(fid))
            throw Problem($"field id {fid} is defined twice"); // wire/rwf 6.1
        if (!line.TryReadWord(out ReadOnlySpan<char> ripplesTo))
            throw Problem("the field it ripples to, or NULL, is missing"); // wire/rwf 6.1

        ReadOnlySpan<char> fieldTypeName = ReadTypeName(ref line, "field type");
        FieldType fieldType = DictionaryTypeNames.FindFieldType(fieldTypeName) ?? throw NoType(fieldTypeName, "a field type");
        ushort length = (ushort)ReadNumber(ref line, "length", 0, ushort.MaxValue);
        byte enumLength = ReadEnumLength(ref line);
        ReadOnlySpan<char> dataTypeName = ReadTypeName(ref line, "RWF type");
        DataType dataType = DictionaryTypeNames.FindDataType(dataTypeName) ?? throw NoType(dataTypeName, "an RWF type");
        ushort rwfLength = (ushort)ReadNumber(ref line, "RWF length", 0, ushort.MaxValue);

        FieldDefinition definition = new(
            fid, acronym.ToString(), longName.ToString(), 0, fieldType, length, enumLength, dataType, rwfLength);
        _found.Add((definition, ripplesTo.ToString()));
        _fids.TryAdd(definition.Acronym, fid);
    }

    protected override void Finish()
    {
        if (_found.Count == 0)
            throw Problem("the file defines no field"); // wire/rwf 6.1
        Builder.FieldsName ??= Name;
        foreach ((FieldDefinition definition, string ripplesTo) in _found)
        {
            short target = ripplesTo == NoRipple ? (short)0 : (short)_fids.GetValueOrDefault(ripplesTo); // wire/rwf 6.1
            if (!Builder.TryAdd(definition with { RipplesTo = target }))
                throw Problem($"field id {definition.Fid} was defined by another file before"); // wire/rwf 6.1
        }
    }

    private ReadOnlySpan<char> ReadTypeName(ref DictionaryLine line, string what) =>
        line.TryReadWord(out ReadOnlySpan<char> name) ? name : throw Problem($"{what} is missing"); // wire/rwf 6.1

    private SetupException NoType(ReadOnlySpan<char> name, string what) => Problem($"\"{name}\" is not {what}"); // wire/rwf 6.1

    private byte ReadEnumLength(ref DictionaryLine line)
    {
        if (!line.TrySkip('('))
            return 0;
        byte enumLength = (byte)ReadNumber(ref line, "enum length", 0, byte.MaxValue);
        return line.TrySkip(')') ? enumLength : throw Problem("\")\" expected after the enum length"); // wire/rwf 6.1
    }
}

/// <summary>The names of types in dictionary files; some types have more than one.</summary>
internal static class DictionaryTypeNames
{
    /// <summary>Returns the field type of a name; null for none.</summary>
    public static FieldType? FindFieldType(ReadOnlySpan<char> word) => word switch // wire/rwf 6.1
    {
        "NONE" => FieldType.None,
        "TIME_SECONDS" => FieldType.TimeSeconds,
        "INTEGER" => FieldType.Integer,
        "NUMERIC" => FieldType.Numeric,
        "DATE" => FieldType.Date,
        "PRICE" => FieldType.Price,
        "ALPHANUMERIC" => FieldType.Alphanumeric,
        "ENUMERATED" => FieldType.Enumerated,
        "TIME" => FieldType.Time,
        "BINARY" => FieldType.Binary,
        "LONG_ALPHANUMERIC" => FieldType.LongAlphanumeric,
        "OPAQUE" => FieldType.Opaque,
        _ => null,
    };

    /// <summary>Returns the wire type of a name; null for none.</summary>
    public static DataType? FindDataType(ReadOnlySpan<char> word) => word switch // wire/rwf 6.1
    {
        "INT" or "INT32" or "INT64" => DataType.Int,
        "UINT" or "UINT32" or "UINT64" => DataType.UInt,
        "FLOAT" => DataType.Float,
        "DOUBLE" => DataType.Double,
        "REAL" or "REAL32" or "REAL64" => DataType.Real,
        "DATE" => DataType.Date,
        "TIME" => DataType.Time,
        "DATETIME" or "DATE_TIME" => DataType.DateTime,
        "QOS" => DataType.Qos,
        "STATE" or "STATUS" => DataType.State,
        "ENUM" => DataType.Enum,
        "ARRAY" => DataType.Array,
        "BUFFER" => DataType.Buffer,
        "ASCII_STRING" => DataType.AsciiString,
        "UTF8_STRING" => DataType.Utf8String,
        "RMTES_STRING" => DataType.RmtesString,
        "OPAQUE" => DataType.Opaque,
        "XML" => DataType.Xml,
        "JSON" => DataType.Json,
        "ANSI_PAGE" => DataType.AnsiPage,
        "FIELD_LIST" => DataType.FieldList,
        "ELEMENT_LIST" or "ELEM_LIST" => DataType.ElementList,
        "FILTER_LIST" => DataType.FilterList,
        "VECTOR" => DataType.Vector,
        "MAP" => DataType.Map,
        "SERIES" => DataType.Series,
        "MSG" => DataType.Msg,
        _ => null,
    };
}
