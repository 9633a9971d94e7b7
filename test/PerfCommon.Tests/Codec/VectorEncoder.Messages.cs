using System.Text.Json.Nodes;
using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

internal static partial class VectorEncoder
{
    private static void WriteMsg(ref RwfWriter writer, JsonNode value)
    {
        RwfMsg header = HeaderOf(value);
        JsonNode? attrib = value["key"]?["attrib"];
        if (attrib is null)
        {
            writer.TryWriteHeader(header);
        }
        else
        {
            writer.BeginHeader(header);
            if (attrib["empty"] is null && TypeNames.IsStructured(header.Key.AttribType))
                WriteContainer(ref writer, header.Key.AttribType, attrib, null);
            else
                writer.WriteContent(ContentOf(attrib));
            writer.EndHeader(header);
        }

        if (value["payload"] is not JsonNode payload)
            return;
        if (TypeNames.IsStructured(header.ContainerType))
            WriteContainer(ref writer, header.ContainerType, payload, null);
        else
            writer.WriteRaw(ContentOf(payload));
    }

    private static RwfMsg HeaderOf(JsonNode value) => new()
    {
        MsgClass = Enum.Parse<MsgClass>((string)value["class"]!, ignoreCase: true),
        DomainType = (DomainType)(byte)value["domain"]!,
        StreamId = (int)value["streamId"]!,
        ContainerType = TypeNames.Parse((string)value["containerType"]!),
        Flags = (int)value["flags"]!,
        PriorityClass = (byte?)value["priorityClass"] ?? 1,
        PriorityCount = (ushort?)value["priorityCount"] ?? 1,
        UpdateType = (UpdateType)((byte?)value["updateType"] ?? 0),
        AckId = (uint?)value["ackId"] ?? 0,
        NakCode = (NakCode)((byte?)value["nakCode"] ?? 0),
        Text = Hex(value["text"]?["hex"]),
        SeqNum = (uint?)value["seqNum"] ?? 0,
        SecondarySeqNum = (uint?)value["secondarySeqNum"] ?? 0,
        PostId = (uint?)value["postId"] ?? 0,
        ConflationCount = (ushort?)value["conflationCount"] ?? 0,
        ConflationTime = (ushort?)value["conflationTime"] ?? 0,
        State = value["state"] is JsonNode state ? StateOf(state) : default,
        GroupId = Hex(value["groupId"]),
        PermData = Hex(value["permData"]),
        Qos = value["qos"] is JsonNode qos ? QosOf(qos) : default,
        WorstQos = value["worstQos"] is JsonNode worst ? QosOf(worst) : default,
        Key = value["key"] is JsonNode key ? KeyOf(key) : default,
        ExtendedHeader = Hex(value["extendedHeader"]),
        PostUserAddress = (uint?)value["postUserInfo"]?["userAddr"] ?? 0,
        PostUserId = (uint?)value["postUserInfo"]?["userId"] ?? 0,
        PartNum = (ushort?)value["partNum"] ?? 0,
        PostUserRights = (ushort?)value["postUserRights"] ?? 0,
    };

    private static MsgKey KeyOf(JsonNode key) => new()
    {
        Flags = (int)key["flags"]!,
        ServiceId = (ushort?)key["serviceId"] ?? 0,
        Name = Hex(key["nameHex"]),
        NameType = (byte?)key["nameType"] ?? 0,
        Filter = (uint?)key["filter"] ?? 0,
        Identifier = (int?)key["identifier"] ?? 0,
        AttribType = key["attribContainerType"] is JsonNode type ? TypeNames.Parse((string)type!) : DataType.Unknown,
    };
}
