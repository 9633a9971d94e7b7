using PerfCommon.Codec;

namespace Fuzz.Targets;

/// <summary>Walks a complete message or container, every value of it, and returns whether all of it can be read.</summary>
/// <remarks>
/// The readers check an entry when it is read; this reads all. No allocation, and at most 15 nested containers.
/// </remarks>
internal readonly ref struct RwfValidator
{
    /// <summary>Greatest depth of nested containers, messages included.</summary>
    public const int MaxNesting = 15;

    private readonly ReadOnlySpan<byte> _fieldTypes;

    /// <summary>Creates a validator.</summary>
    /// <param name="fieldTypes">Data type of every field by its id as an unsigned number, 65,536 bytes, or empty: the content of fields is then
    /// not checked.</param>
    public RwfValidator(ReadOnlySpan<byte> fieldTypes) => _fieldTypes = fieldTypes;

    /// <summary>True for containers that have entries, messages included.</summary>
    public static bool IsStructured(DataType type) => type is DataType.FieldList or DataType.ElementList
        or DataType.FilterList or DataType.Vector or DataType.Map or DataType.Series or DataType.Msg;

    /// <summary>Walks the content of one value.</summary>
    /// <param name="type">Base or container type of the content; any other is read as raw bytes.</param>
    /// <param name="content">Exactly the bytes of the content.</param>
    /// <returns>Success, or the first Incomplete, Invalid or TooDeep.</returns>
    public DecodeResult Check(DataType type, ReadOnlySpan<byte> content) => Check(type, content, default, 0);

    private DecodeResult Check(DataType type, ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        if (!IsStructured(type) || content.IsEmpty)
            return CheckValue(type, content);
        if (depth == MaxNesting)
            return DecodeResult.TooDeep;
        return type switch
        {
            DataType.FieldList => CheckFieldList(content, definitions, depth + 1),
            DataType.ElementList => CheckElementList(content, definitions, depth + 1),
            DataType.FilterList => CheckFilterList(content, depth + 1),
            DataType.Vector => CheckVector(content, depth + 1),
            DataType.Map => CheckMap(content, depth + 1),
            DataType.Series => CheckSeries(content, depth + 1),
            _ => CheckMsg(content, depth + 1),
        };
    }

    private static DecodeResult CheckValue(DataType type, ReadOnlySpan<byte> content)
    {
        DecodeResult result = type switch
        {
            DataType.Int => RwfPrimitives.TryReadInt(content, out _),
            DataType.UInt => RwfPrimitives.TryReadUInt(content, out _),
            DataType.Float => RwfPrimitives.TryReadFloat(content, out _),
            DataType.Double => RwfPrimitives.TryReadDouble(content, out _),
            DataType.Real => RwfPrimitives.TryReadReal(content, out _),
            DataType.Date => RwfPrimitives.TryReadDate(content, out _),
            DataType.Time => RwfPrimitives.TryReadTime(content, out _),
            DataType.DateTime => RwfPrimitives.TryReadDateTime(content, out _),
            DataType.Qos => RwfPrimitives.TryReadQos(content, out _),
            DataType.State => RwfPrimitives.TryReadState(content, out _),
            DataType.Enum => RwfPrimitives.TryReadEnum(content, out _),
            DataType.Array => CheckArray(content),
            _ => DecodeResult.Success,
        };
        return End(result);
    }

    // The end of a list, and blank values, count as success.
    private static DecodeResult End(DecodeResult result) =>
        result is DecodeResult.Blank or DecodeResult.NoData or DecodeResult.EndOfContainer ? DecodeResult.Success : result;

    private static DecodeResult CheckArray(ReadOnlySpan<byte> content)
    {
        DecodeResult result = ArrayReader.TryOpen(content, out ArrayReader array);
        while (result == DecodeResult.Success)
        {
            result = array.TryReadNext(out ReadOnlySpan<byte> item);
            if (result == DecodeResult.Success)
                result = CheckValue(array.ItemType, item);
        }

        return End(result);
    }

    private DecodeResult CheckFieldList(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        DecodeResult result = FieldListReader.TryOpen(content, definitions, out FieldListReader list);
        while (result == DecodeResult.Success)
        {
            result = list.TryReadNext(out FieldEntry entry);
            if (result == DecodeResult.Success)
                result = Check(TypeOf(entry), entry.Content, default, depth);
        }

        return End(result);
    }

    private DataType TypeOf(scoped in FieldEntry entry) =>
        entry.Type != DataType.Unknown || _fieldTypes.IsEmpty ? entry.Type : (DataType)_fieldTypes[(ushort)entry.FieldId];

    private DecodeResult CheckElementList(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        DecodeResult result = ElementListReader.TryOpen(content, definitions, out ElementListReader list);
        while (result == DecodeResult.Success)
        {
            result = list.TryReadNext(out ElementEntry entry);
            if (result == DecodeResult.Success)
                result = Check(entry.Type, entry.Content, default, depth);
        }

        return End(result);
    }

    private DecodeResult CheckFilterList(ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult result = FilterListReader.TryOpen(content, out FilterListReader list);
        while (result == DecodeResult.Success)
        {
            result = list.TryReadNext(out FilterEntry entry);
            if (result == DecodeResult.Success)
                result = Check(entry.ContainerType, entry.Content, default, depth);
        }

        return End(result);
    }

    private DecodeResult CheckVector(ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult result = VectorReader.TryOpen(content, out VectorReader vector);
        if (result == DecodeResult.Success)
            result = Check(vector.Shared.ContainerType, vector.Shared.Summary, vector.Shared.SetDefinitions, depth);
        while (result == DecodeResult.Success)
        {
            result = vector.TryReadNext(out VectorEntry entry);
            if (result == DecodeResult.Success)
                result = Check(vector.Shared.ContainerType, entry.Content, vector.Shared.SetDefinitions, depth);
        }

        return End(result);
    }

    private DecodeResult CheckMap(ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult result = MapReader.TryOpen(content, out MapReader map);
        if (result == DecodeResult.Success)
            result = Check(map.Shared.ContainerType, map.Shared.Summary, map.Shared.SetDefinitions, depth);
        while (result == DecodeResult.Success)
        {
            result = map.TryReadNext(out MapEntry entry);
            if (result == DecodeResult.Success)
                result = CheckValue(map.KeyType, entry.Key);
            if (result == DecodeResult.Success)
                result = Check(map.Shared.ContainerType, entry.Content, map.Shared.SetDefinitions, depth);
        }

        return End(result);
    }

    private DecodeResult CheckSeries(ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult result = SeriesReader.TryOpen(content, out SeriesReader series);
        if (result == DecodeResult.Success)
            result = Check(series.Shared.ContainerType, series.Shared.Summary, series.Shared.SetDefinitions, depth);
        while (result == DecodeResult.Success)
        {
            result = series.TryReadNext(out ReadOnlySpan<byte> row);
            if (result == DecodeResult.Success)
                result = Check(series.Shared.ContainerType, row, series.Shared.SetDefinitions, depth);
        }

        return End(result);
    }

    private DecodeResult CheckMsg(ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult result = RwfMsg.TryDecode(content, out RwfMsg msg);
        if (result == DecodeResult.Success)
            result = Check(msg.Key.AttribType, msg.Key.Attrib, default, depth);
        return result == DecodeResult.Success ? Check(msg.ContainerType, msg.Payload, default, depth) : result;
    }
}
