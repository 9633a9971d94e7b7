using System.Buffers.Binary;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Tools.Tests.PerfHubTests;

/// <summary>Messages of a peer that tries to exhaust a hub at the expense of others.</summary>
internal static class HostileMessages
{
    private const int RoomBytes = 4 * 1024 * 1024;
    private const int HeadBytes = 3; // of a list

    /// <summary>A directory of some services, whole or as a change.</summary>
    public static byte[] Directory(IReadOnlyList<ServiceOffer> services, bool isWhole = true)
    {
        RwfMsg msg = new()
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.Source,
            StreamId = StreamIds.PublishedDirectory,
            Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | (isWhole ? RefreshFlags.ClearCache : 0),
            ContainerType = DataType.Map,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
            Key = new MsgKey { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers },
        };
        byte[] room = new byte[RoomBytes];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(msg);
        ServiceWriter.WriteMap(ref writer, services, onlyId: null);
        return room[..writer.Written];
    }

    /// <summary>Services of these numbers.</summary>
    public static ServiceOffer[] Services(int first, int count) =>
        [.. Enumerable.Range(first, count).Select(number => new ServiceOffer { Name = $"S{number}", Id = (ushort)number })];

    /// <summary>An image of an item.</summary>
    public static byte[] Image(int streamId, ushort serviceId, string name, byte[] list, StreamState stream = StreamState.Open) =>
        Write(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | RefreshFlags.ClearCache,
            ContainerType = DataType.FieldList,
            State = new RwfState(stream, DataState.Ok),
            GroupId = DomainMsg.GroupId,
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
                ServiceId = serviceId,
                Name = Encoding.ASCII.GetBytes(name),
            },
            Payload = list,
        });

    /// <summary>A post of an update, acknowledged when it has an id.</summary>
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

    /// <summary>A status that ends a stream.</summary>
    public static byte[] End(int streamId) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = StatusFlags.HasState,
        ContainerType = DataType.NoData,
        State = new RwfState(StreamState.Closed, DataState.Suspect),
    });

    /// <summary>An update.</summary>
    public static byte[] Update(int streamId, byte[] list)
    {
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, streamId, DataType.FieldList, UpdateType.Quote);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }

    /// <summary>A field list with a number of fields from an id on, each with a value of the given bytes.</summary>
    public static byte[] List(int firstId, int count, int valueBytes = 1, byte value = 1)
    {
        byte[] list = new byte[HeadBytes + (count * (HeadBytes + valueBytes))];
        list[0] = ListFlags.HasStandardData;
        BinaryPrimitives.WriteUInt16BigEndian(list.AsSpan(1), (ushort)count);
        for (int i = 0, at = HeadBytes; i < count; i++, at += HeadBytes + valueBytes)
        {
            BinaryPrimitives.WriteInt16BigEndian(list.AsSpan(at), (short)(firstId + i));
            list[at + 2] = (byte)valueBytes;
            list.AsSpan(at + HeadBytes, valueBytes).Fill(value);
        }

        return list;
    }

    /// <summary>The fields of a list by their ids.</summary>
    public static Dictionary<short, byte[]> Read(ReadOnlySpan<byte> list)
    {
        Dictionary<short, byte[]> fields = [];
        FieldListReader.TryOpen(list, out FieldListReader reader);
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
            fields[entry.FieldId] = entry.Content.ToArray();
        return fields;
    }

    private static byte[] Write(scoped in RwfMsg msg)
    {
        byte[] room = new byte[256 + (2 * msg.Key.Name.Length) + msg.Payload.Length];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(msg);
        writer.WriteRaw(msg.Payload);
        return room[..writer.Written];
    }
}
