using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class DirectoryTests
{
    private static readonly ServiceOffer Offer = new() { Name = "DIRECT_FEED", Id = 300, OpenLimit = 1_000_000 };

    private static readonly ConversationResult NotUp =
        new(ConversationStep.Wait, "Requested service 'DIRECT_FEED' not up. Waiting for service to be up...");

    [Fact]
    public void Directory_BothSides_FindTheService()
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");

        Assert.Equal(ConversationResult.Ready, consumer.Receive(Wire.Decode(AnswerTo(Offer, Wire.Encode(DirectoryConsumer.EncodeRequest)))));

        ServiceInfo expected = new()
        {
            Id = 300,
            Name = "DIRECT_FEED",
            Vendor = "PerfTools",
            Qos = RwfQos.RealTimeTickByTick,
            OpenLimit = 1_000_000,
            IsUp = true,
            AcceptsRequests = true,
        };
        Assert.Equal(expected, consumer.Service);
    }

    /// <summary>Requests for its items name none, too.</summary>
    [Fact]
    public void Service_OfAnUnspecifiedQuality_HasNone()
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");
        consumer.Receive(Wire.Decode(AnswerTo(Offer with { Qos = default }, Wire.Encode(DirectoryConsumer.EncodeRequest))));
        Assert.Null(consumer.Service!.Qos);
        byte[] room = new byte[100];
        int bytes = MarketPriceConsumer.EncodeRequest(room, 5, consumer.Service, "N"u8, isStreaming: true);
        Assert.False(Wire.Decode(room.AsSpan(0, bytes)).Has(RequestFlags.HasQos));
    }

    [Fact]
    public void EncodeRequest_Always_IsTheWorkedExampleWithOurFilter() =>
        Assert.Equal("000F010400000002040080050800000007", Convert.ToHexString(Wire.Encode(DirectoryConsumer.EncodeRequest)));

    [Fact]
    public void EncodeRefresh_Header_EchoesTheKey()
    {
        RwfMsg request = Wire.Request(DomainType.Source, 20, RequestFlags.Streaming);
        request.Key = new MsgKey { Flags = MsgKeyFlags.HasFilter | MsgKeyFlags.HasServiceId, Filter = 0x3f, ServiceId = 300 };

        RwfMsg refresh = Wire.Decode(AnswerTo(Offer, Wire.Encode(request)));

        Assert.Equal((20, 0x168), (refresh.StreamId, refresh.Flags));
        Assert.Equal((0x3fu, (ushort)300), (refresh.Key.Filter, refresh.Key.ServiceId));
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(refresh.Payload, out MapReader map));
        Assert.Equal((0, 1), (map.Shared.Flags, map.Shared.Entries.Count));
    }

    [Fact]
    public void EncodeRefresh_UnknownServiceAsked_ListsNone()
    {
        RwfMsg request = Wire.Request(DomainType.Source, 2, RequestFlags.Streaming);
        request.Key = new MsgKey { Flags = MsgKeyFlags.HasFilter | MsgKeyFlags.HasServiceId, Filter = 7, ServiceId = 77 };
        byte[] refresh = AnswerTo(Offer, Wire.Encode(request));

        MapReader.TryOpen(Wire.Decode(refresh).Payload, out MapReader map);

        Assert.Equal(0, map.Shared.Entries.Count);
        Assert.Equal(NotUp, new DirectoryConsumer("DIRECT_FEED").Receive(Wire.Decode(refresh)));
    }

    [Fact]
    public void EncodeRefresh_NoOpenLimit_SendsAnEmptyLoad()
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");

        consumer.Receive(Wire.Decode(AnswerTo(Offer with { OpenLimit = 0 }, Wire.Encode(DirectoryConsumer.EncodeRequest))));

        Assert.Null(consumer.Service!.OpenLimit);
        Assert.True(consumer.IsReady);
    }

    [Theory]
    [InlineData(null, true, "5 6 7")] // all that it has
    [InlineData("5 6 7 10", true, "5 6 7")] // a domain that it lacks is not announced
    [InlineData("6 7", false, "6")]
    public void EncodeRefresh_AnnouncedDomains_AreThoseOfThemThatItHas(string? announced, bool hasOrderBooks, string expected)
    {
        ServiceOffer offer = Offer with { HasOrderBooks = hasOrderBooks, Announced = announced is null ? null : Numbers(announced) };
        byte[] refresh = AnswerTo(offer, Wire.Encode(DirectoryConsumer.EncodeRequest));
        int behindName = refresh.AsSpan().IndexOf("Capabilities"u8) + "Capabilities".Length;
        ReadOnlySpan<byte> array = refresh.AsSpan(behindName + 4); // after its type, and a length of three bytes
        Assert.Equal(DecodeResult.Success, ArrayReader.TryOpen(array, out ArrayReader domains));
        List<byte> read = [];
        while (domains.TryReadNext(out ReadOnlySpan<byte> domain) == DecodeResult.Success)
            read.Add(domain[0]);
        Assert.Equal(Numbers(expected), read);
    }

    [Fact]
    public void Provider_RequestWithoutFilter_Disconnects() => Assert.Equal(
        new ConversationResult(ConversationStep.Disconnect, "a directory request must have a filter"),
        new DirectoryProvider(Offer).Receive(Wire.Request(DomainType.Source, 2, RequestFlags.Streaming)));

    [Theory]
    [InlineData(MsgClass.Close, ConversationStep.Closed)]
    [InlineData(MsgClass.Refresh, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Update, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Generic, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Post, ConversationStep.Disconnect)]
    internal void Provider_OtherClass_ClosesOrDisconnects(MsgClass msgClass, ConversationStep step) =>
        Assert.Equal(step, new DirectoryProvider(Offer).Receive(Wire.Empty(msgClass, DomainType.Source, 2)).Step);

    [Theory]
    [InlineData(1ul, 1ul, true)]
    [InlineData(1ul, null, true)]
    [InlineData(1ul, 0ul, false)]
    [InlineData(0ul, 1ul, false)]
    [InlineData(null, 1ul, false)]
    public void Consumer_State_DecidesReadiness(ulong? up, ulong? accepting, bool ready)
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");

        ConversationResult result = consumer.Receive(Wire.Decode(Message(MsgClass.Refresh, MapAction.Add, "DIRECT_FEED", up, accepting)));

        Assert.Equal(ready ? ConversationResult.Ready : NotUp, result);
    }

    [Fact]
    public void Consumer_ServiceComesLater_BecomesReady()
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");

        Assert.Equal(NotUp, consumer.Receive(Wire.Decode(Message(MsgClass.Refresh, MapAction.Add, "OTHER", 1, 1))));
        Assert.Null(consumer.Service);
        Assert.Equal(NotUp, consumer.Receive(Wire.Decode(Message(MsgClass.Update, MapAction.Add, "DIRECT_FEED", 0, 1))));
        Assert.Equal(ConversationResult.Ready, consumer.Receive(Wire.Decode(Message(MsgClass.Update, MapAction.Update, null, 1, null))));
        Assert.Equal(ConversationResult.Ignore, consumer.Receive(Wire.Decode(Message(MsgClass.Update, MapAction.Update, null, 1, 1))));
        Assert.Equal(7, consumer.Service!.Id);
    }

    [Fact]
    public void Consumer_ServiceGoesDownOrAway_Waits()
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");
        byte[] up = Message(MsgClass.Refresh, MapAction.Add, "DIRECT_FEED", 1, 1);

        Assert.Equal(ConversationResult.Ready, consumer.Receive(Wire.Decode(up)));
        Assert.Equal(NotUp, consumer.Receive(Wire.Decode(Message(MsgClass.Update, MapAction.Update, null, 0, null))));
        Assert.Equal(ConversationResult.Ready, consumer.Receive(Wire.Decode(up)));
        Assert.Equal(NotUp, consumer.Receive(Wire.Decode(Message(MsgClass.Update, MapAction.Delete, null, null, null))));
        Assert.Null(consumer.Service);
        Assert.Equal(ConversationResult.Ready, consumer.Receive(Wire.Decode(up)));
        Assert.Equal(NotUp, consumer.Receive(Wire.Decode(Message(MsgClass.Refresh, MapAction.Add, "OTHER", 1, 1))));
    }

    [Fact]
    public void Consumer_StreamCloses_SaysWhy()
    {
        DirectoryConsumer consumer = new("DIRECT_FEED");

        Assert.Equal(
            new ConversationResult(ConversationStep.Closed, "directory closed: Closed/Suspect/NotEntitled \"go away\\u000A\""),
            consumer.Receive(Wire.Status(DomainType.MarketPrice, StreamIds.Directory, StreamState.Closed, DataState.Suspect)));
        Assert.Equal(ConversationStep.Ignore, consumer.Receive(Wire.Status(DomainType.Source, 9, StreamState.Closed, DataState.Suspect)).Step);
    }

    [Theory]
    [InlineData("00040700")]
    [InlineData("000407000102010101")]
    [InlineData("000307000102010100")]
    [InlineData("00040400010201010100")]
    [InlineData("0004070001020301000000")]
    public void Consumer_UndecodableMap_Disconnects(string payload)
    {
        byte[] bytes = Convert.FromHexString(payload);
        RwfMsg msg = Wire.Empty(MsgClass.Update, DomainType.Source, StreamIds.Directory);
        msg.ContainerType = DataType.Map;
        msg.Payload = bytes;

        Assert.Equal(ConversationStep.Disconnect, new DirectoryConsumer("X").Receive(msg).Step);
    }

    private static byte[] Numbers(string list) => [.. list.Split(' ').Select(byte.Parse)];

    private static byte[] AnswerTo(ServiceOffer offer, byte[] request)
    {
        DirectoryProvider provider = new(offer);
        Assert.Equal(ConversationResult.Send, provider.Receive(Wire.Decode(request)));
        return Wire.Encode(provider.EncodeRefresh);
    }

    private static byte[] Message(MsgClass msgClass, MapAction action, string? name, ulong? up, ulong? accepting)
    {
        RwfMsg msg = Wire.Empty(msgClass, DomainType.Source, StreamIds.Directory);
        msg.ContainerType = DataType.Map;
        msg.Flags = msgClass == MsgClass.Refresh ? RefreshFlags.RefreshComplete | RefreshFlags.ClearCache : 0;
        byte[] room = new byte[1024];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(msg);
        writer.BeginMap(DataType.UInt, DataType.FilterList);
        writer.BeginMapEntry(action, 7ul);
        if (action != MapAction.Delete)
        {
            writer.BeginFilterList(DataType.ElementList);
            WriteState(ref writer, action, up, accepting);
            WriteName(ref writer, name);
            writer.EndFilterList();
        }

        writer.EndEntry();
        writer.EndMap();
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }

    private static void WriteState(ref RwfWriter writer, MapAction action, ulong? up, ulong? accepting)
    {
        writer.BeginFilterEntry(action == MapAction.Update ? FilterAction.Update : FilterAction.Set, 2);
        writer.BeginElementList();
        if (up is { } state)
            writer.WriteUIntElement("ServiceState"u8, state);
        if (accepting is { } requests)
            writer.WriteUIntElement("AcceptingRequests"u8, requests);
        writer.EndElementList();
        writer.EndEntry();
    }

    private static void WriteName(ref RwfWriter writer, string? name)
    {
        if (name is null)
            return;
        writer.BeginFilterEntry(FilterAction.Set, 1);
        writer.BeginElementList();
        writer.WriteAsciiElement("Name"u8, System.Text.Encoding.ASCII.GetBytes(name));
        writer.EndElementList();
        writer.EndEntry();
    }
}
