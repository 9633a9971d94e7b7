using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class MarketPriceTests
{
    private static readonly ServiceOffer Offer = new() { Name = "DIRECT_FEED", Id = 1, OpenLimit = 5 };
    private static readonly ServiceInfo Service = new() { Id = 1, Name = "DIRECT_FEED", Qos = RwfQos.RealTimeTickByTick };

    [Fact]
    public void EncodeRequest_Streaming_IsTheRecordedForm() => Assert.Equal(
        "00120106000000064400228007030104" + "52445431",
        Convert.ToHexString(Wire.Encode(room => MarketPriceConsumer.EncodeRequest(room, StreamIds.FirstItem, Service, "RDT1"u8, true))));

    [Fact]
    public void EncodeRequest_SnapshotWithoutQos_LeavesBothOut()
    {
        RwfMsg msg = Wire.Decode(Wire.Encode(
            room => MarketPriceConsumer.EncodeRequest(room, 7, Service with { Id = 700, Qos = null }, "RDT1"u8, false)));

        Assert.Equal(0, msg.Flags);
        Assert.Equal(700, msg.Key.ServiceId);
        Assert.False(new ItemRequest(msg).IsStreaming);
    }

    [Fact]
    public void ItemRequest_Members_AreThoseOfTheMessage()
    {
        RwfMsg msg = Wire.Decode(Wire.Encode(room => MarketPriceConsumer.EncodeRequest(room, 8, Service, "RDT3"u8, true)));
        msg.Flags |= RequestFlags.NoRefresh | RequestFlags.PrivateStream;

        ItemRequest request = new(msg);

        Assert.Equal((DomainType.MarketPrice, 8, (ushort)1), (request.Domain, request.StreamId, request.ServiceId));
        Assert.Equal("RDT3", Encoding.ASCII.GetString(request.Name));
        Assert.Equal((true, true, true, false), (request.IsStreaming, request.IsWithoutRefresh, request.IsPrivate, request.IsBatch));
        Assert.Equal(0, request.NameType);
    }

    [Theory]
    [InlineData(4, 1, ItemStreamUse.New, ItemRejection.None)]
    [InlineData(5, 9, ItemStreamUse.KeyOpenElsewhere, ItemRejection.OpenLimit)]
    [InlineData(5, 1, ItemStreamUse.Reissue, ItemRejection.None)]
    [InlineData(0, 9, ItemStreamUse.KeyOpenElsewhere, ItemRejection.ServiceId)]
    [InlineData(0, 1, ItemStreamUse.KeyOpenElsewhere, ItemRejection.AlreadyOpen)]
    [InlineData(0, 1, ItemStreamUse.OtherKeyOnStream, ItemRejection.StreamInUse)]
    internal void Check_InThePrescribedOrder_FindsTheFirst(int open, ushort serviceId, ItemStreamUse use, ItemRejection expected)
    {
        RwfMsg msg = RequestFor("RDT1", RequestFlags.Streaming, default, default);
        msg.Key = msg.Key with { ServiceId = serviceId };

        Assert.Equal(expected, new MarketPriceProvider(Offer).Check(new ItemRequest(msg), open, use));
    }

    [Fact]
    public void Check_NoServiceId_IsRefused()
    {
        RwfMsg msg = RequestFor("RDT1", 0, default, default);
        msg.Key = new MsgKey { Flags = MsgKeyFlags.HasName, Name = "RDT1"u8, ServiceId = 1 };

        Assert.Equal(ItemRejection.ServiceId, new MarketPriceProvider(Offer).Check(new ItemRequest(msg), 0, ItemStreamUse.New));
    }

    [Fact]
    public void Check_NoOpenLimit_NeverCounts() => Assert.Equal(
        ItemRejection.None,
        new MarketPriceProvider(Offer with { OpenLimit = 0 }).Check(
            new ItemRequest(RequestFor("RDT1", 0, default, default)), int.MaxValue, ItemStreamUse.New));

    [Theory]
    [InlineData(0, 0, 0, 0, 0, true)]
    [InlineData(RequestFlags.HasQos, 1, 1, 0, 0, true)]
    [InlineData(RequestFlags.HasQos, 2, 1, 0, 0, false)]
    [InlineData(RequestFlags.HasQos, 1, 2, 0, 0, false)]
    [InlineData(RequestFlags.HasQos | RequestFlags.HasWorstQos, 1, 1, 3, 3, true)]
    [InlineData(RequestFlags.HasQos | RequestFlags.HasWorstQos, 2, 1, 3, 3, false)]
    [InlineData(RequestFlags.HasQos | RequestFlags.HasWorstQos, 1, 2, 1, 3, false)]
    public void Check_Qos_AcceptsNoneEqualOrARangeAroundOurs(int flags, byte time, byte rate, byte worstTime, byte worstRate, bool good)
    {
        RwfMsg msg = RequestFor("RDT1", flags, new RwfQos(time, rate), new RwfQos(worstTime, worstRate));

        ItemRejection found = new MarketPriceProvider(Offer).Check(new ItemRequest(msg), 0, ItemStreamUse.New);

        Assert.Equal(good ? ItemRejection.None : ItemRejection.Qos, found);
    }

    [Fact]
    public void Check_OtherDomainOrBatch_IsRefused()
    {
        MarketPriceProvider provider = new(Offer);
        RwfMsg batch = RequestFor("", RequestFlags.HasBatch, default, default);
        RwfMsg other = RequestFor("RDT1", 0, default, default);
        other.DomainType = DomainType.MarketByOrder;

        Assert.Equal(ItemRejection.Batch, provider.Check(new ItemRequest(batch), 0, ItemStreamUse.New));
        Assert.Equal(ItemRejection.Domain, provider.Check(new ItemRequest(other), 9, ItemStreamUse.New));
    }

    [Theory]
    [InlineData(ItemRejection.OpenLimit, "ClosedRecover/Suspect/TooManyItems", "item count reached for this channel")]
    [InlineData(ItemRejection.ServiceId, "Closed/Suspect/UsageError", "service id invalid")]
    [InlineData(ItemRejection.Qos, "Closed/Suspect/UsageError", "QoS not supported")]
    [InlineData(ItemRejection.AlreadyOpen, "ClosedRecover/Suspect/AlreadyOpen", "item already open with exact same key on another stream")]
    [InlineData(ItemRejection.StreamInUse, "ClosedRecover/Suspect/UsageError", "stream already in use with a different key")]
    [InlineData(ItemRejection.Domain, "Closed/Suspect/UsageError", "this provider does not support domain 7")]
    [InlineData(ItemRejection.Batch, "Closed/Suspect/UnableToRequestAsBatch", "batch requests are not supported")]
    public void EncodeRejection_EachCause_HasItsStateAndText(ItemRejection why, string states, string text)
    {
        byte[] status = Wire.Encode(room => MarketPriceProvider.EncodeRejection(room, DomainType.MarketByOrder, -12345, why));
        RwfMsg msg = Wire.Decode(status);

        Assert.Equal((MsgClass.Status, DomainType.MarketByOrder, -12345, 0x20), (msg.MsgClass, msg.DomainType, msg.StreamId, msg.Flags));
        Assert.Equal($"{states} \"Item request rejected for stream id -12345 - {text}\"", DomainMsg.Show(msg.State));
    }

    [Theory]
    [InlineData(true, true, false, 0x1e8, StreamState.Open)]
    [InlineData(false, true, false, 0x1e8, StreamState.NonStreaming)]
    [InlineData(true, false, false, 0xc8, StreamState.Open)]
    [InlineData(true, true, true, 0x5e8, StreamState.Open)]
    public void TryWriteRefreshHeader_Request_DecidesFlagsAndState(bool streaming, bool solicited, bool isPrivate, int flags,
        StreamState state)
    {
        byte[] room = new byte[64];
        RwfWriter writer = new(room);

        Assert.True(MarketPriceHeaders.TryWriteRefreshHeader(ref writer, 6, Offer, "RDT1"u8, null, streaming, solicited, isPrivate));
        RwfMsg msg = Wire.Decode(room.AsSpan(0, writer.Written));

        Assert.Equal((flags, state, DataType.FieldList), (msg.Flags, msg.State.StreamState, msg.ContainerType));
        Assert.Equal(RwfQos.RealTimeTickByTick, msg.Qos);
        Assert.Equal(MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, msg.Key.Flags);
    }

    [Fact]
    public void Close_Always_IsTenBytes() =>
        Assert.Equal("00080506000000050000", Convert.ToHexString(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 5))));

    [Theory]
    [InlineData(StreamState.Open, DataState.Ok, true, ItemChange.Image)]
    [InlineData(StreamState.NonStreaming, DataState.Ok, true, ItemChange.Image)]
    [InlineData(StreamState.Open, DataState.Ok, false, ItemChange.None)]
    [InlineData(StreamState.Open, DataState.Suspect, true, ItemChange.Suspect)]
    [InlineData(StreamState.ClosedRecover, DataState.Suspect, true, ItemChange.Closed)]
    [InlineData(StreamState.Redirected, DataState.Ok, true, ItemChange.Closed)]
    internal void Classify_Refresh_FollowsItsState(StreamState stream, DataState data, bool complete, ItemChange expected)
    {
        RwfMsg msg = Wire.Empty(MsgClass.Refresh, DomainType.MarketPrice, 6);
        msg.State = new RwfState(stream, data);
        msg.Flags = complete ? RefreshFlags.RefreshComplete : 0;

        Assert.Equal(expected, ItemChanges.Of(msg));
    }

    [Theory]
    [InlineData(StreamState.Closed, DataState.Suspect, ItemChange.Closed)]
    [InlineData(StreamState.Open, DataState.Suspect, ItemChange.Suspect)]
    [InlineData(StreamState.Open, DataState.Ok, ItemChange.Good)]
    [InlineData(StreamState.Open, DataState.NoChange, ItemChange.None)]
    internal void Classify_Status_FollowsItsState(StreamState stream, DataState data, ItemChange expected)
    {
        RwfMsg msg = Wire.Status(DomainType.MarketPrice, 6, stream, data);
        RwfMsg stateless = Wire.Empty(MsgClass.Status, DomainType.MarketPrice, 6);

        Assert.Equal(expected, ItemChanges.Of(msg));
        Assert.Equal(ItemChange.None, ItemChanges.Of(stateless));
    }

    [Fact]
    public void Check_AndRefreshHeader_AllocateNothing()
    {
        byte[] bytes = Wire.Encode(room => MarketPriceConsumer.EncodeRequest(room, 8, Service, "RDT3"u8, true));
        MarketPriceProvider provider = new(Offer);
        byte[] buffer = new byte[256];
        Answer(provider, bytes, buffer);

        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                Answer(provider, bytes, buffer);
        });
    }

    private static void Answer(MarketPriceProvider provider, byte[] request, byte[] buffer)
    {
        RwfMsg.TryDecode(request, out RwfMsg msg);
        ItemRequest item = new(msg);
        if (provider.Check(item, 1, ItemStreamUse.New) == ItemRejection.None)
        {
            RwfWriter writer = new(buffer);
            MarketPriceHeaders.TryWriteRefreshHeader(ref writer, item.StreamId, Offer, item.Name, null, item.IsStreaming,
                isSolicited: true);
        }

        MarketPriceProvider.EncodeRejection(buffer, item.Domain, item.StreamId, ItemRejection.OpenLimit);
    }

    private static RwfMsg RequestFor(string name, int flags, RwfQos qos, RwfQos worst) => new()
    {
        MsgClass = MsgClass.Request,
        DomainType = DomainType.MarketPrice,
        StreamId = 6,
        Flags = flags,
        Qos = qos,
        WorstQos = worst,
        Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = 1, Name = Encoding.ASCII.GetBytes(name) },
    };
}
