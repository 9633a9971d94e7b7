using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>
/// Encodes and reads the generic message on the login stream by which a consumer reports whether a provider is the active server of a
/// warm standby pair, or the standby.
/// </summary>
internal static class ConnectionStatus // wire/domains 2.4
{
    private static ReadOnlySpan<byte> Name => "ConsumerConnectionStatus"u8;

    private static ReadOnlySpan<byte> InfoKey => "WarmStandbyInfo"u8;

    private static ReadOnlySpan<byte> Mode => "WarmStandbyMode"u8;

    /// <summary>Encodes the message; 0 when the buffer is too small.</summary>
    public static int Encode(Span<byte> room, bool isStandby)
    {
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.Login,
            StreamId = StreamIds.Login,
            Flags = GenericFlags.HasMsgKey | GenericFlags.MessageComplete,
            ContainerType = DataType.Map,
            Key = new MsgKey { Flags = MsgKeyFlags.HasName, Name = Name },
        });
        writer.BeginMap(DataType.AsciiString, DataType.ElementList);
        writer.BeginMapEntry(MapAction.Add, InfoKey);
        writer.BeginElementList();
        writer.WriteUIntElement(Mode, isStandby ? 1u : 0);
        writer.EndElementList();
        writer.EndEntry();
        return writer.EndMap() ? writer.Written : 0;
    }

    /// <summary>Reads the message, also one that lacks its name.</summary>
    /// <returns>False when it is another message, or cannot be decoded.</returns>
    public static bool TryRead(scoped in RwfMsg msg, out bool isStandby)
    {
        isStandby = false;
        bool isOther = msg.MsgClass != MsgClass.Generic || msg.ContainerType != DataType.Map
            || (msg.Has(GenericFlags.HasMsgKey) && msg.Key.Has(MsgKeyFlags.HasName) && !msg.Key.Name.SequenceEqual(Name));
        if (isOther || MapReader.TryOpen(msg.Payload, out MapReader map) != DecodeResult.Success)
            return false;
        ulong? mode = null;
        while (map.TryReadNext(out MapEntry entry) == DecodeResult.Success)
        {
            if (!ElementLists.TryRead(entry.Content, default, ref mode, TryReadElement))
                return false;
        }

        isStandby = mode == 1;
        return mode is not null;
    }

    private static bool TryReadElement(scoped in ElementEntry element, ref ulong? mode)
    {
        if (!element.Name.SequenceEqual(Mode))
            return true;
        bool isNumber = ElementLists.TryReadUInt(element, out ulong value);
        mode = value;
        return isNumber;
    }
}
