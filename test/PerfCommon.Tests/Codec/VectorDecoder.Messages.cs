using System.Text.Json.Nodes;
using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

internal sealed partial class VectorDecoder
{
    private void ReadMsg(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = RwfMsg.TryDecode(content, out RwfMsg msg);
        Demand(opened);
        value["class"] = msg.MsgClass.ToString().ToUpperInvariant();
        value["domain"] = (int)msg.DomainType;
        value["streamId"] = msg.StreamId;
        value["containerType"] = TypeNames.Of(msg.ContainerType);
        value["flags"] = msg.Flags;
        AddMembers(value, msg, depth);
        if (!msg.Payload.IsEmpty)
            value["payload"] = Decode(msg.ContainerType, msg.Payload, default, depth);
    }

    private void AddMembers(JsonObject value, scoped in RwfMsg msg, int depth)
    {
        MessageMembers has = MessageMembers.Of(msg.MsgClass, msg.Flags);
        if (has.Priority)
            (value["priorityClass"], value["priorityCount"]) = (msg.PriorityClass, msg.PriorityCount);
        if (has.UpdateType)
            value["updateType"] = (int)msg.UpdateType;
        if (has.AckId)
            value["ackId"] = msg.AckId;
        if (has.NakCode)
            value["nakCode"] = (int)msg.NakCode;
        if (has.Text)
            value["text"] = new JsonObject { ["hex"] = Convert.ToHexStringLower(msg.Text) };
        if (has.SeqNum)
            value["seqNum"] = msg.SeqNum;
        if (has.SecondarySeqNum)
            value["secondarySeqNum"] = msg.SecondarySeqNum;
        if (has.PostId)
            value["postId"] = msg.PostId;
        if (has.Conflation)
            (value["conflationCount"], value["conflationTime"]) = (msg.ConflationCount, msg.ConflationTime);
        if (has.State)
        {
            JsonObject state = [];
            AddState(state, msg.State);
            value["state"] = state;
        }

        if (has.GroupId)
            value["groupId"] = Convert.ToHexStringLower(msg.GroupId);
        if (has.PermData)
            value["permData"] = Convert.ToHexStringLower(msg.PermData);
        if (has.Qos)
            value["qos"] = QosOf(msg.Qos);
        if (has.WorstQos)
            value["worstQos"] = QosOf(msg.WorstQos);
        if (has.Key)
            value["key"] = ReadKey(msg.Key, depth);
        if (has.ExtendedHeader)
            value["extendedHeader"] = Convert.ToHexStringLower(msg.ExtendedHeader);
        if (has.PostUserInfo)
            value["postUserInfo"] = new JsonObject { ["userAddr"] = msg.PostUserAddress, ["userId"] = msg.PostUserId };
        if (has.PartNum)
            value["partNum"] = msg.PartNum;
        if (has.PostUserRights)
            value["postUserRights"] = msg.PostUserRights;
    }

    private JsonObject ReadKey(scoped in MsgKey key, int depth)
    {
        JsonObject value = new() { ["flags"] = key.Flags };
        if (key.Has(MsgKeyFlags.HasServiceId))
            value["serviceId"] = key.ServiceId;
        if (key.Has(MsgKeyFlags.HasName))
        {
            value["nameHex"] = Convert.ToHexStringLower(key.Name);
            if (key.Has(MsgKeyFlags.HasNameType))
                value["nameType"] = key.NameType;
        }

        if (key.Has(MsgKeyFlags.HasFilter))
            value["filter"] = key.Filter;
        if (key.Has(MsgKeyFlags.HasIdentifier))
            value["identifier"] = key.Identifier;
        if (key.Has(MsgKeyFlags.HasAttrib))
        {
            value["attribContainerType"] = TypeNames.Of(key.AttribType);
            if (key.AttribType != DataType.NoData)
                value["attrib"] = Decode(key.AttribType, key.Attrib, default, depth);
        }

        return value;
    }

    private static JsonObject QosOf(RwfQos qos)
    {
        JsonObject value = [];
        AddQos(value, qos);
        return value;
    }
}
