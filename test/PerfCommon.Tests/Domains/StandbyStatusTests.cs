using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>The two messages by which a consumer tells a server that it stands by: of the connection, and of each service.</summary>
public sealed class StandbyStatusTests
{
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 1)]
    public void ConnectionStatus_Encoded_HasTheMembersOfTheWire(bool isStandby, ulong mode) // wire/domains 2.4
    {
        byte[] bytes = Wire.Encode(room => ConnectionStatus.Encode(room, isStandby));
        RwfMsg msg = Wire.Decode(bytes);
        Assert.Equal((MsgClass.Generic, DomainType.Login, 1, 0x14, DataType.Map),
            (msg.MsgClass, msg.DomainType, msg.StreamId, msg.Flags, msg.ContainerType));
        Assert.Equal("ConsumerConnectionStatus", Encoding.ASCII.GetString(msg.Key.Name));
        Assert.Equal((DataType.AsciiString, "WarmStandbyInfo", "WarmStandbyMode", mode), ReadOnly(msg));
        Assert.True(ConnectionStatus.TryRead(msg, out bool isRead));
        Assert.Equal(isStandby, isRead);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 2)]
    public void ConsumerStatus_Encoded_HasTheMembersOfTheWire(bool isStandby, ulong mode) // wire/domains 3.5
    {
        byte[] bytes = Wire.Encode(room => ConsumerStatus.Encode(room, 7, isStandby));
        RwfMsg msg = Wire.Decode(bytes);
        Assert.Equal((MsgClass.Generic, DomainType.Source, 2, 0x14, DataType.Map),
            (msg.MsgClass, msg.DomainType, msg.StreamId, msg.Flags, msg.ContainerType));
        Assert.Equal("ConsumerStatus", Encoding.ASCII.GetString(msg.Key.Name));
        Assert.Equal((DataType.UInt, "\a", "SourceMirroringMode", mode), ReadOnly(msg));
        Assert.True(ConsumerStatus.TryRead(msg, 7, out bool isRead));
        Assert.Equal(isStandby, isRead);
    }

    [Theory]
    [InlineData(5, true)]
    [InlineData(6, false)]
    [InlineData(9, null)]
    public void ConsumerStatus_OfSeveralServices_IsReadOfTheOneAskedFor(int service, bool? isStandby)
    {
        RwfMsg msg = Wire.Decode(Status("ConsumerStatus", (5, "SourceMirroringMode", 2), (6, "SourceMirroringMode", 0)));
        Assert.Equal(isStandby is not null, ConsumerStatus.TryRead(msg, (ushort)service, out bool isRead));
        Assert.Equal(isStandby ?? false, isRead);
        List<(ushort, bool)> all = [];
        Assert.True(ConsumerStatus.TryRead(msg, all));
        Assert.Equal([(5, true), (6, false)], all);
    }

    [Theory]
    [InlineData("ConsumerStatus", "AnotherMode")]
    [InlineData("AnotherStatus", "SourceMirroringMode")]
    public void ConsumerStatus_OtherNames_AreNone(string name, string element)
    {
        RwfMsg msg = Wire.Decode(Status(name, (5, element, 2)));
        Assert.False(ConsumerStatus.TryRead(msg, 5, out bool isStandby));
        Assert.False(isStandby);
        List<(ushort, bool)> all = [];
        ConsumerStatus.TryRead(msg, all);
        Assert.Empty(all);
    }

    // The C edition leaves the key out.
    [Theory]
    [InlineData(null, true)]
    [InlineData("ConsumerConnectionStatus", true)]
    [InlineData("AnotherStatus", false)]
    public void ConnectionStatus_WithAndWithoutItsName_IsRead(string? name, bool isOurs)
    {
        RwfMsg msg = Wire.Decode(Status(name, (5, "WarmStandbyMode", 1)));
        Assert.Equal((isOurs, isOurs), (ConnectionStatus.TryRead(msg, out bool isStandby), isStandby));
    }

    [Fact]
    public void TryRead_CutAnywhere_ReadsNothingAndNeverThrows()
    {
        byte[] ofService = Wire.Encode(room => ConsumerStatus.Encode(room, 5, isStandby: true));
        byte[] ofConnection = Wire.Encode(room => ConnectionStatus.Encode(room, isStandby: true));
        for (int length = 0; length < ofService.Length; length++)
        {
            if (RwfMsg.TryDecode(ofService.AsSpan(0, length), out RwfMsg msg) == DecodeResult.Success)
                Assert.False(ConsumerStatus.TryRead(msg, 5, out _));
        }

        for (int length = 0; length < ofConnection.Length; length++)
        {
            if (RwfMsg.TryDecode(ofConnection.AsSpan(0, length), out RwfMsg msg) == DecodeResult.Success)
                Assert.False(ConnectionStatus.TryRead(msg, out _));
        }
    }

    private static byte[] Status(string? name, params (ulong Service, string Element, ulong Mode)[] entries)
    {
        byte[] room = new byte[500];
        RwfWriter writer = new(room);
        writer.BeginMap(DataType.UInt, DataType.ElementList);
        foreach ((ulong service, string element, ulong mode) in entries)
        {
            writer.BeginMapEntry(MapAction.Update, service);
            writer.BeginElementList();
            writer.WriteUIntElement(Encoding.ASCII.GetBytes(element), mode);
            writer.EndElementList();
            writer.EndEntry();
        }

        Assert.True(writer.EndMap());
        return Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.Source,
            StreamId = 2,
            Flags = name is null ? 0 : GenericFlags.HasMsgKey,
            ContainerType = DataType.Map,
            Key = name is null ? default : new MsgKey { Flags = MsgKeyFlags.HasName, Name = Encoding.ASCII.GetBytes(name) },
            Payload = room.AsSpan(0, writer.Written),
        });
    }

    // The only entry of the map, and the only element of its list.
    private static (DataType KeyType, string Key, string Element, ulong Value) ReadOnly(scoped in RwfMsg msg)
    {
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(msg.Payload, out MapReader map));
        Assert.Equal(DecodeResult.Success, map.TryReadNext(out MapEntry entry));
        Assert.Equal((MapAction.Add, DataType.ElementList), (entry.Action, map.ContainerType));
        Assert.Equal(DecodeResult.Success, ElementListReader.TryOpen(entry.Content, out ElementListReader elements));
        Assert.Equal(DecodeResult.Success, elements.TryReadNext(out ElementEntry element));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadUInt(element.Content, out ulong value));
        Assert.Equal((DecodeResult.EndOfContainer, DecodeResult.EndOfContainer, DataType.UInt),
            (elements.TryReadNext(out _), map.TryReadNext(out _), element.Type));
        return (map.KeyType, Encoding.ASCII.GetString(entry.Key), Encoding.ASCII.GetString(element.Name), value);
    }
}
