using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads field definitions from a text in the vendor's RDMFieldDictionary format.</summary>
internal sealed class FieldDictionaryFile(FieldDictionaryBuilder builder) : DictionaryFileReader(builder)
{
    private const string NoRipple = "NULL"; // wire/rwf 6.1

    private readonly List<(FieldDefinition Definition, string RipplesTo)> _found = [];
    private readonly Dictionary<string, short> _fids = new(StringComparer.Ordinal);
    private readonly HashSet<short> _seen = [];

    protected override string ShippedName => ShippedFiles.FieldDefinitions;

    protected override int FileType => 1; // wire/rwf 6.1

    protected override void TakeTag(ReadOnlySpan<char> name, string value)
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

        FieldType fieldType = ReadType(ref line, "a", "field type", DictionaryTypeNames.FieldTypes);
        ushort length = (ushort)ReadNumber(ref line, "length", 0, ushort.MaxValue);
        byte enumLength = ReadEnumLength(ref line);
        DataType dataType = ReadType(ref line, "an", "RWF type", DictionaryTypeNames.DataTypes);
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
        foreach ((FieldDefinition definition, string ripplesTo) in _found)
        {
            short target = ripplesTo == NoRipple ? (short)0 : _fids.GetValueOrDefault(ripplesTo); // wire/rwf 6.1
            if (!Builder.TryAdd(definition with { RipplesTo = target }))
                throw Problem($"field id {definition.Fid} was defined by another file before"); // wire/rwf 6.1
        }
    }

    private T ReadType<T>(ref DictionaryLine line, string article, string what, Dictionary<string, T> types)
    {
        if (!line.TryReadWord(out ReadOnlySpan<char> name))
            throw Problem($"{what} is missing"); // wire/rwf 6.1
        return types.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out T? type)
            ? type
            : throw Problem($"\"{name}\" is not {article} {what}"); // wire/rwf 6.1
    }

    private byte ReadEnumLength(ref DictionaryLine line)
    {
        if (!line.TrySkip('('))
            return 0;
        byte enumLength = (byte)ReadNumber(ref line, "enum length", 0, byte.MaxValue);
        return line.TrySkip(')') ? enumLength : throw Problem("\")\" expected after the enum length"); // wire/rwf 6.1
    }
}

/// <summary>The words dictionary files use for types; some types have more than one.</summary>
internal static class DictionaryTypeNames
{
    public static Dictionary<string, FieldType> FieldTypes { get; } = Create( // wire/rwf 6.1
        (FieldType.None, "NONE"), (FieldType.TimeSeconds, "TIME_SECONDS"), (FieldType.Integer, "INTEGER"),
        (FieldType.Numeric, "NUMERIC"), (FieldType.Date, "DATE"), (FieldType.Price, "PRICE"),
        (FieldType.Alphanumeric, "ALPHANUMERIC"), (FieldType.Enumerated, "ENUMERATED"), (FieldType.Time, "TIME"),
        (FieldType.Binary, "BINARY"), (FieldType.LongAlphanumeric, "LONG_ALPHANUMERIC"), (FieldType.Opaque, "OPAQUE"));

    public static Dictionary<string, DataType> DataTypes { get; } = Create( // wire/rwf 6.1
        (DataType.Int, "INT INT32 INT64"), (DataType.UInt, "UINT UINT32 UINT64"), (DataType.Float, "FLOAT"),
        (DataType.Double, "DOUBLE"), (DataType.Real, "REAL REAL32 REAL64"), (DataType.Date, "DATE"),
        (DataType.Time, "TIME"), (DataType.DateTime, "DATETIME DATE_TIME"), (DataType.Qos, "QOS"),
        (DataType.State, "STATE STATUS"), (DataType.Enum, "ENUM"), (DataType.Array, "ARRAY"),
        (DataType.Buffer, "BUFFER"), (DataType.AsciiString, "ASCII_STRING"), (DataType.Utf8String, "UTF8_STRING"),
        (DataType.RmtesString, "RMTES_STRING"), (DataType.Opaque, "OPAQUE"), (DataType.Xml, "XML"),
        (DataType.Json, "JSON"), (DataType.AnsiPage, "ANSI_PAGE"), (DataType.FieldList, "FIELD_LIST"),
        (DataType.ElementList, "ELEMENT_LIST ELEM_LIST"), (DataType.FilterList, "FILTER_LIST"),
        (DataType.Vector, "VECTOR"), (DataType.Map, "MAP"), (DataType.Series, "SERIES"), (DataType.Msg, "MSG"));

    private static Dictionary<string, T> Create<T>(params (T Type, string Words)[] rows) =>
        rows.SelectMany(row => row.Words.Split(' '), (row, word) => (row.Type, Word: word)).ToDictionary(row => row.Word, row => row.Type);
}
