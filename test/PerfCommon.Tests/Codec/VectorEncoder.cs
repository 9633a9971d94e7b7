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
        if (TypeNames.IsStructured(type) || (type == DataType.Array && decoded["blank"] is null))
            WriteContainer(ref writer, type, decoded, null);
        else
            writer.WriteRaw(ContentOf(decoded));
        Assert.Equal(EncodeProblem.None, writer.Problem);
        return room[..writer.Written];
    }

    /// <summary>Fills the open entry with a value: a container or array in place, anything else as encoded content.</summary>
    private static void WriteEntryValue(ref RwfWriter writer, JsonNode value, JsonNode? definitions)
    {
        DataType type = TypeNames.Parse((string)value["t"]!);
        bool inPlace = value["blank"] is null && value["empty"] is null;
        if (inPlace && (TypeNames.IsStructured(type) || type == DataType.Array))
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
        if (value["hex"] is JsonNode hex)
            return Hex(hex);

        // The writer has no call for bare content: write it as a field and extract the content.
        byte[] room = new byte[40_000];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        writer.BeginField(1);
        WriteOpenValue(ref writer, TypeNames.Parse((string)value["t"]!), value);
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
