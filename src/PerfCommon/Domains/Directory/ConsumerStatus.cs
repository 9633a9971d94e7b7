using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes and reads the generic message on the directory stream by which a consumer reports how it uses each service.</summary>
internal static class ConsumerStatus // wire/domains 3.5
{
    private const ulong ActiveWithStandby = 1; // 0: active, without another provider
    private const ulong Standby = 2;

    private static ReadOnlySpan<byte> Name => "ConsumerStatus"u8;

    private static ReadOnlySpan<byte> Mode => "SourceMirroringMode"u8;

    /// <summary>Encodes the message about one service; 0 when the buffer is too small.</summary>
    public static int Encode(Span<byte> room, ushort serviceId, bool isStandby)
    {
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.Source,
            StreamId = StreamIds.Directory,
            Flags = GenericFlags.HasMsgKey | GenericFlags.MessageComplete,
            ContainerType = DataType.Map,
            Key = new MsgKey { Flags = MsgKeyFlags.HasName, Name = Name },
        });
        writer.BeginMap(DataType.UInt, DataType.ElementList);
        writer.BeginMapEntry(MapAction.Add, (ulong)serviceId);
        writer.BeginElementList();
        writer.WriteUIntElement(Mode, isStandby ? Standby : ActiveWithStandby);
        writer.EndElementList();
        writer.EndEntry();
        return writer.EndMap() ? writer.Written : 0;
    }

    /// <summary>Recognises the message by its class and name.</summary>
    public static bool Is(scoped in RwfMsg msg) =>
        msg.MsgClass == MsgClass.Generic && msg.Has(GenericFlags.HasMsgKey) && msg.Key.Name.SequenceEqual(Name);

    /// <summary>Reads the status of one service.</summary>
    /// <returns>False when it is another message, does not name the service, or cannot be decoded.</returns>
    public static bool TryRead(scoped in RwfMsg msg, ushort serviceId, out bool isStandby)
    {
        Found found = new() { ServiceId = serviceId };
        bool isRead = Is(msg) && DirectoryMap.TryRead(msg, ref found, TryReadEntry) && found.Mode is not null;
        isStandby = found.Mode == Standby;
        return isRead;
    }

    /// <summary>Reads the status of each service in the message.</summary>
    /// <param name="msg">The message.</param>
    /// <param name="said">Receives the services.</param>
    /// <returns>False when it is another message, or cannot be decoded.</returns>
    public static bool TryRead(scoped in RwfMsg msg, List<(ushort ServiceId, bool IsStandby)> said) =>
        Is(msg) && DirectoryMap.TryRead(msg, ref said, TryReadEntry);

    private static bool TryReadEntry(
        scoped in MapEntry entry, ushort serviceId, DataType containerType, ref List<(ushort ServiceId, bool IsStandby)> said)
    {
        ulong? mode = null;
        if (containerType != DataType.ElementList || !ElementLists.TryRead(entry.Content, default, ref mode, TryReadEntry))
            return false;
        if (mode is not null)
            said.Add((serviceId, mode == Standby));
        return true;
    }

    private static bool TryReadEntry(scoped in MapEntry entry, ushort serviceId, DataType containerType, ref Found found) =>
        serviceId != found.ServiceId
        || (containerType == DataType.ElementList && ElementLists.TryRead(entry.Content, default, ref found.Mode, TryReadEntry));

    private static bool TryReadEntry(scoped in ElementEntry element, ref ulong? mode)
    {
        if (!element.Name.SequenceEqual(Mode))
            return true;
        bool isNumber = ElementLists.TryReadUInt(element, out ulong value);
        mode = value;
        return isNumber;
    }

    private struct Found
    {
        public ushort ServiceId;
        public ulong? Mode;
    }
}
