using System.Globalization;
using System.Text.Json.Nodes;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Writes the JSON of a vector (texts and names as hex) with the codec under test.</summary>
internal static partial class VectorEncoder
{
    public static byte[] Encode(DataType type, JsonNode decoded, LengthForm form)
    {
        byte[] room = new byte[70_000];
        RwfWriter writer = new(room, form);
        if (DataTypes.IsStructured(type) || (type == DataType.Array && decoded["blank"] is null))
            WriteContainer(ref writer, type, decoded, null);
        else
            writer.WriteRaw(ContentOf(decoded));
        Assert.Equal(EncodeProblem.None, writer.Problem);
        return room[..writer.Written];
    }

    /// <summary>Fills the open entry with a value: a container or array in place, anything else as content at hand.</summary>
    private static void WriteEntryValue(ref RwfWriter writer, JsonNode value, JsonNode? definitions)
    {
        DataType type = TypeNames.Parse((string)value["t"]!);
        bool inPlace = value["blank"] is null && value["empty"] is null;
        if (inPlace && (DataTypes.IsStructured(type) || type == DataType.Array))
        {
            WriteContainer(ref writer, type, value, definitions);
            writer.EndEntry();
            return;
        }

        writer.WriteContent(ContentOf(value));
    }

    private static byte[] ContentOf(JsonNode value)
    {
        if (value["blank"] is not null || value["empty"] is not null)
            return [];
        DataType type = TypeNames.Parse((string)value["t"]!);
        byte[] content = new byte[RwfContent.MostBytes];
        switch (type)
        {
            case DataType.Int:
                return content[..RwfContent.WriteInt(content, (long)value["v"]!)];
            case DataType.UInt or DataType.Enum:
                return content[..RwfContent.WriteUInt(content, (ulong)value["v"]!)];
            case DataType.Float:
                return content[..RwfContent.WriteFloat(content, SingleOf(value))];
            case DataType.Double:
                return content[..RwfContent.WriteDouble(content, DoubleOf(value))];
            case DataType.Real:
                return content[..RwfContent.WriteReal(content, RealOf(value))];
            case DataType.Date:
                return content[..RwfContent.WriteDate(content, DateOf(value))];
            case DataType.Time:
                return content[..RwfContent.WriteTime(content, TimeOf(value))];
            case DataType.DateTime:
                return content[..RwfContent.WriteDateTime(content, new RwfDateTime(DateOf(value), TimeOf(value)))];
            case DataType.Qos:
                return content[..RwfContent.WriteQos(content, QosOf(value))];
            case DataType.State:
                return StateContent(value);
            default:
                return Hex(value["hex"]);
        }
    }

    // Bare state content has no place of its own in the writer: write it as a field and take the content back.
    private static byte[] StateContent(JsonNode value)
    {
        byte[] room = new byte[40_000];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        writer.BeginField(1);
        writer.WriteState(StateOf(value));
        writer.EndFieldList();
        const int BeforeLength = 5;
        return room[(BeforeLength + (room[BeforeLength] == 0xFE ? 3 : 1))..writer.Written];
    }

    private static void WriteArray(ref RwfWriter writer, JsonNode value)
    {
        DataType type = TypeNames.Parse((string)value["itemType"]!);
        writer.BeginArray(type, (int)value["itemLength"]!);
        foreach (JsonNode? item in value["items"]!.AsArray())
        {
            writer.BeginItem();
            WriteOpenValue(ref writer, type, item!);
        }

        writer.EndArray();
    }

    private static byte[] Hex(JsonNode? hex) => hex is null ? [] : Convert.FromHexString((string)hex!);

    private static float SingleOf(JsonNode value) =>
        BitConverter.UInt32BitsToSingle(uint.Parse((string)value["bits"]!, NumberStyles.HexNumber, CultureInfo.InvariantCulture));

    private static double DoubleOf(JsonNode value) =>
        BitConverter.UInt64BitsToDouble(ulong.Parse((string)value["bits"]!, NumberStyles.HexNumber, CultureInfo.InvariantCulture));

    private static RwfReal RealOf(JsonNode value) => new((long)value["v"]!, (byte)value["hint"]!);

    private static RwfDate DateOf(JsonNode value) => new((byte)value["day"]!, (byte)value["month"]!, (ushort)value["year"]!);

    private static RwfTime TimeOf(JsonNode value) => new(
        (byte)value["hour"]!,
        (byte)value["minute"]!,
        (byte)value["second"]!,
        (ushort)value["ms"]!,
        (ushort)value["us"]!,
        (ushort)value["ns"]!);

    private static RwfQos QosOf(JsonNode value) => new(
        (byte)value["timeliness"]!,
        (byte)value["rate"]!,
        (bool)value["dynamic"]!,
        (ushort)value["timeInfo"]!,
        (ushort)value["rateInfo"]!);

    private static RwfState StateOf(JsonNode value) => new(
        (StreamState)(byte)value["streamState"]!,
        (DataState)(byte)value["dataState"]!,
        (StateCode)(byte)value["code"]!,
        Hex(value["text"]!["hex"]));
}
