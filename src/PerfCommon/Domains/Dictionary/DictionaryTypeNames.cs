using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The words dictionary files use for types; some types have more than one.</summary>
internal static class DictionaryTypeNames
{
    private static readonly Dictionary<string, FieldType> FieldTypes = new(StringComparer.Ordinal)
    {
        ["NONE"] = FieldType.None,
        ["TIME_SECONDS"] = FieldType.TimeSeconds,
        ["INTEGER"] = FieldType.Integer,
        ["NUMERIC"] = FieldType.Numeric,
        ["DATE"] = FieldType.Date,
        ["PRICE"] = FieldType.Price,
        ["ALPHANUMERIC"] = FieldType.Alphanumeric,
        ["ENUMERATED"] = FieldType.Enumerated,
        ["TIME"] = FieldType.Time,
        ["BINARY"] = FieldType.Binary,
        ["LONG_ALPHANUMERIC"] = FieldType.LongAlphanumeric,
        ["OPAQUE"] = FieldType.Opaque,
    };

    private static readonly Dictionary<string, DataType> DataTypes = new(StringComparer.Ordinal)
    {
        ["INT"] = DataType.Int,
        ["INT32"] = DataType.Int,
        ["INT64"] = DataType.Int,
        ["UINT"] = DataType.UInt,
        ["UINT32"] = DataType.UInt,
        ["UINT64"] = DataType.UInt,
        ["FLOAT"] = DataType.Float,
        ["DOUBLE"] = DataType.Double,
        ["REAL"] = DataType.Real,
        ["REAL32"] = DataType.Real,
        ["REAL64"] = DataType.Real,
        ["DATE"] = DataType.Date,
        ["TIME"] = DataType.Time,
        ["DATETIME"] = DataType.DateTime,
        ["DATE_TIME"] = DataType.DateTime,
        ["QOS"] = DataType.Qos,
        ["STATE"] = DataType.State,
        ["STATUS"] = DataType.State,
        ["ENUM"] = DataType.Enum,
        ["ARRAY"] = DataType.Array,
        ["BUFFER"] = DataType.Buffer,
        ["ASCII_STRING"] = DataType.AsciiString,
        ["UTF8_STRING"] = DataType.Utf8String,
        ["RMTES_STRING"] = DataType.RmtesString,
        ["OPAQUE"] = DataType.Opaque,
        ["XML"] = DataType.Xml,
        ["FIELD_LIST"] = DataType.FieldList,
        ["ELEMENT_LIST"] = DataType.ElementList,
        ["ELEM_LIST"] = DataType.ElementList,
        ["ANSI_PAGE"] = DataType.AnsiPage,
        ["FILTER_LIST"] = DataType.FilterList,
        ["VECTOR"] = DataType.Vector,
        ["MAP"] = DataType.Map,
        ["SERIES"] = DataType.Series,
        ["MSG"] = DataType.Msg,
        ["JSON"] = DataType.Json,
    };

    public static bool TryFindFieldType(ReadOnlySpan<char> name, out FieldType type) =>
        FieldTypes.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out type);

    public static bool TryFindDataType(ReadOnlySpan<char> name, out DataType type) =>
        DataTypes.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out type);
}
