using System.Globalization;
using System.Text.Json.Nodes;
using Fuzz.Targets;
using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

/// <summary>Reads bytes with the codec under test into the JSON of the vectors, texts and names as hex.</summary>
internal sealed partial class VectorDecoder
{
    /// <summary>Every primitive value delivered so far, in order, as type and content.</summary>
    public List<string> Leaves { get; } = [];

    public JsonObject Decode(DataType type, ReadOnlySpan<byte> content) => Decode(type, content, default, 0);

    private JsonObject Decode(DataType type, ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        if (TypeNames.IsStructured(type))
        {
            if (content.IsEmpty)
                return new JsonObject { ["t"] = TypeNames.Of(type), ["empty"] = true };
            if (depth == RwfValidator.MaxNesting)
                throw new BadBytesException(DecodeResult.TooDeep);
        }

        JsonObject value = new() { ["t"] = TypeNames.Of(type) };
        switch (type)
        {
            case DataType.FieldList:
                ReadFieldList(value, content, definitions, depth + 1);
                break;
            case DataType.ElementList:
                ReadElementList(value, content, definitions, depth + 1);
                break;
            case DataType.FilterList:
                ReadFilterList(value, content, depth + 1);
                break;
            case DataType.Vector:
                ReadVector(value, content, depth + 1);
                break;
            case DataType.Map:
                ReadMap(value, content, depth + 1);
                break;
            case DataType.Series:
                ReadSeries(value, content, depth + 1);
                break;
            case DataType.Msg:
                ReadMsg(value, content, depth + 1);
                break;
            default:
                ReadValue(value, type, content);
                break;
        }

        return value;
    }

    private void ReadValue(JsonObject value, DataType type, ReadOnlySpan<byte> content)
    {
        DecodeResult result = ReadPrimitive(value, type, content);
        if (result == DecodeResult.Blank)
            value["blank"] = true;
        else
            Demand(result);
        Leaves.Add($"{type} {Convert.ToHexString(content)}");
    }

    private DecodeResult ReadPrimitive(JsonObject value, DataType type, ReadOnlySpan<byte> content)
    {
        DecodeResult result;
        switch (type)
        {
            case DataType.Int:
                result = RwfPrimitives.TryReadInt(content, out long signed);
                if (result == DecodeResult.Success)
                    value["v"] = signed;
                return result;
            case DataType.UInt:
                result = RwfPrimitives.TryReadUInt(content, out ulong unsigned);
                if (result == DecodeResult.Success)
                    value["v"] = unsigned;
                return result;
            case DataType.Enum:
                result = RwfPrimitives.TryReadEnum(content, out ushort enumerated);
                if (result == DecodeResult.Success)
                    value["v"] = enumerated;
                return result;
            case DataType.Float:
                result = RwfPrimitives.TryReadFloat(content, out float single);
                if (result == DecodeResult.Success)
                    value["bits"] = BitConverter.SingleToUInt32Bits(single).ToString("x8", CultureInfo.InvariantCulture);
                return result;
            case DataType.Double:
                result = RwfPrimitives.TryReadDouble(content, out double number);
                if (result == DecodeResult.Success)
                    value["bits"] = BitConverter.DoubleToUInt64Bits(number).ToString("x16", CultureInfo.InvariantCulture);
                return result;
            case DataType.Real:
                result = RwfPrimitives.TryReadReal(content, out RwfReal real);
                if (result == DecodeResult.Success)
                    (value["hint"], value["v"]) = (real.Hint, real.Value);
                return result;
            case DataType.Date:
                result = RwfPrimitives.TryReadDate(content, out RwfDate date);
                if (result == DecodeResult.Success)
                    AddDate(value, date);
                return result;
            case DataType.Time:
                result = RwfPrimitives.TryReadTime(content, out RwfTime time);
                if (result == DecodeResult.Success)
                    AddTime(value, time);
                return result;
            case DataType.DateTime:
                result = RwfPrimitives.TryReadDateTime(content, out RwfDateTime both);
                if (result == DecodeResult.Success)
                {
                    AddDate(value, both.Date);
                    AddTime(value, both.Time);
                }

                return result;
            case DataType.Qos:
                result = RwfPrimitives.TryReadQos(content, out RwfQos qos);
                if (result == DecodeResult.Success)
                    AddQos(value, qos);
                return result;
            case DataType.State:
                result = RwfPrimitives.TryReadState(content, out RwfState state);
                if (result == DecodeResult.Success)
                    AddState(value, state);
                return result;
            case DataType.Array:
                return ReadArray(value, content);
            default:
                if (content.IsEmpty)
                    return DecodeResult.Blank;
                value["hex"] = Convert.ToHexStringLower(content);
                return DecodeResult.Success;
        }
    }

    private DecodeResult ReadArray(JsonObject value, ReadOnlySpan<byte> content)
    {
        DecodeResult result = ArrayReader.TryOpen(content, out ArrayReader array);
        if (result != DecodeResult.Success)
            return result;
        value["itemType"] = TypeNames.Of(array.ItemType);
        value["itemLength"] = array.ItemLength;
        JsonArray items = [];
        while ((result = array.TryReadNext(out ReadOnlySpan<byte> item)) == DecodeResult.Success)
        {
            JsonObject itemValue = new() { ["t"] = TypeNames.Of(array.ItemType) };
            ReadValue(itemValue, array.ItemType, item);
            items.Add(itemValue);
        }

        value["items"] = items;
        return result == DecodeResult.EndOfContainer ? DecodeResult.Success : result;
    }

    private static void AddDate(JsonObject value, RwfDate date) =>
        (value["day"], value["month"], value["year"]) = (date.Day, date.Month, date.Year);

    private static void AddTime(JsonObject value, RwfTime time)
    {
        (value["hour"], value["minute"], value["second"]) = (time.Hour, time.Minute, time.Second);
        (value["ms"], value["us"], value["ns"]) = (time.Millisecond, time.Microsecond, time.Nanosecond);
    }

    private static void AddQos(JsonObject value, RwfQos qos)
    {
        (value["timeliness"], value["rate"], value["dynamic"]) = (qos.Timeliness, qos.Rate, qos.Dynamic);
        (value["timeInfo"], value["rateInfo"]) = (qos.TimeInfo, qos.RateInfo);
    }

    private static void AddState(JsonObject value, scoped in RwfState state)
    {
        value["streamState"] = (int)state.StreamState;
        value["dataState"] = (int)state.DataState;
        value["code"] = (int)state.Code;
        value["text"] = new JsonObject { ["hex"] = Convert.ToHexStringLower(state.Text) };
    }

    private static void Demand(DecodeResult result)
    {
        if (result is not (DecodeResult.Success or DecodeResult.EndOfContainer))
            throw new BadBytesException(result);
    }
}
