using System.Buffers.Binary;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Floods;

/// <summary>Encodes the messages of attacks on a hub.</summary>
internal static class HubMessages
{
    /// <summary>The service that attackers publish and request.</summary>
    public const string Service = "HOSTILE";

    /// <summary>Its id.</summary>
    public const ushort ServiceId = 7_001;

    public static ServiceOffer[] Services(int count, int first = ServiceId) =>
        [.. Enumerable.Range(first, count).Select(number => new ServiceOffer { Name = number == ServiceId ? Service : $"S{number}", Id = (ushort)number })];

    public static byte[] Directory(IReadOnlyList<ServiceOffer> services, bool isWhole = true)
    {
        byte[] room = new byte[1_024 + services.Sum(service => service.MaxEntryBytes)];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.Source,
            StreamId = StreamIds.PublishedDirectory,
            Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | (isWhole ? RefreshFlags.ClearCache : 0),
            ContainerType = DataType.Map,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
            Key = new MsgKey { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers },
        });
        ServiceWriter.WriteMap(ref writer, services, onlyId: null);
        return room[..writer.Written];
    }

    public static byte[] Image(int streamId, string name, byte[] list) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | RefreshFlags.ClearCache,
        ContainerType = DataType.FieldList,
        State = new RwfState(StreamState.Open, DataState.Ok),
        GroupId = DomainMsg.GroupId,
        Key = KeyOf(name, ServiceId),
        Payload = list,
    });

    public static byte[] End(int streamId) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = StatusFlags.HasState,
        ContainerType = DataType.NoData,
        State = new RwfState(StreamState.Closed, DataState.Suspect),
    });

    public static byte[] Update(int streamId, byte[] list)
    {
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, streamId, DataType.FieldList, UpdateType.Quote);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }

    public static byte[] Request(int streamId, string name, bool isStreaming = true, ushort serviceId = ServiceId) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Request,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = isStreaming ? RequestFlags.Streaming : 0,
        Key = KeyOf(name, serviceId),
    });

    public static byte[] Batch(int streamId, int names)
    {
        byte[] room = new byte[256 * 1_024];
        RwfWriter writer = new(room);
        BatchRequest.Begin(ref writer, streamId, new ServiceInfo { Id = ServiceId }, isStreaming: true);
        for (int i = 0; i < names; i++)
            writer.WriteItem(Encoding.ASCII.GetBytes($"B{streamId + i:X}"));
        return room[..BatchRequest.End(ref writer)];
    }

    public static byte[] Close(int streamId) =>
        Write(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId });

    public static byte[] Post(int streamId, byte[] list, uint? id = null) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Post,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = PostFlags.PostComplete | (id is null ? 0 : PostFlags.Ack | PostFlags.HasPostId),
        PostId = id ?? 0,
        ContainerType = DataType.FieldList,
        Payload = list,
    });

    public static byte[] List(int firstId, int count, int valueBytes = 1)
    {
        byte[] list = new byte[3 + (count * (3 + valueBytes))];
        list[0] = ListFlags.HasStandardData;
        BinaryPrimitives.WriteUInt16BigEndian(list.AsSpan(1), (ushort)count);
        for (int i = 0, at = 3; i < count; i++, at += 3 + valueBytes)
        {
            BinaryPrimitives.WriteInt16BigEndian(list.AsSpan(at), (short)(firstId + i));
            list[at + 2] = (byte)valueBytes;
        }

        return list;
    }

    public static MsgKey KeyOf(string name, ushort serviceId) => new()
    {
        Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
        ServiceId = serviceId,
        Name = Encoding.ASCII.GetBytes(name),
    };

    public static byte[] Write(scoped in RwfMsg msg)
    {
        byte[] room = new byte[512 + msg.Payload.Length];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(msg);
        writer.WriteRaw(msg.Payload);
        return room[..writer.Written];
    }
}
