using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The images and states that a source thread keeps of an item, rule by rule.</summary>
[Trait("Category", "Fast")]
public sealed class SourceRulesTests : SourceRulesBench
{
    private const int QosAt = 17; // in a refresh with a group of two bytes

    [Theory]
    [InlineData(true, true, true, false)]
    [InlineData(true, true, false, false)]
    [InlineData(true, false, false, false)]
    [InlineData(false, true, true, true)]
    [InlineData(false, true, false, true)]
    [InlineData(false, false, false, true)]
    [InlineData(false, false, true, false)] // what was suspect is good again: nothing of before holds
    public void Refresh_OverAnImage_ReplacesOrMergesAndKeepsItsState(bool clears, bool wasOk, bool isOk, bool keepsOld)
    {
        _item.AddWatcher(0);
        Refresh(wasOk, Old, RefreshFlags.RefreshComplete | RefreshFlags.ClearCache);
        Assert.Equal(wasOk, _item.Image.IsOk);
        Read(0);

        Refresh(isOk, New, RefreshFlags.RefreshComplete | (clears ? RefreshFlags.ClearCache : 0));
        Assert.Equal(isOk, _item.Image.IsOk);
        Assert.Equal(keepsOld ? [1, 2] : [2], Kept());
        RwfMsg image = Wire.Decode(Read(0).Single(record => record.Kind == SourceRecord.Image).Bytes);
        Assert.Equal(isOk ? DataState.Ok : DataState.Suspect, image.State.DataState);
        Assert.Equal(keepsOld ? [1, 2] : [2], HostileMessages.Read(image.Payload).Keys.Order());
    }

    [Theory]
    [InlineData(true, DataState.Ok, true)]
    [InlineData(true, DataState.Suspect, false)]
    [InlineData(true, DataState.NoChange, true)]
    [InlineData(true, null, true)]
    [InlineData(false, DataState.Ok, true)]
    [InlineData(false, DataState.Suspect, false)]
    [InlineData(false, DataState.NoChange, false)]
    [InlineData(false, null, false)]
    public void Status_OfAnItem_ChangesTheStateOfItsDataWhereItSaysOne(bool wasOk, DataState? state, bool isOk)
    {
        _item.AddWatcher(1);
        _item.Image.IsOk = wasOk;
        TakeStatus(state);
        Assert.Equal(isOk, _item.Image.IsOk);
        Assert.Equal([SourceRecord.Received, SourceRecord.Status], Read(1).Select(record => record.Kind));
        Assert.Equal(1, Count(Counter.StatusesReceived));
    }

    [Theory]
    [InlineData(DataType.ElementList)]
    [InlineData(DataType.Map)]
    [InlineData(DataType.NoData)]
    [InlineData(DataType.Opaque)]
    public void Refresh_OfAnotherPayload_IsCountedAndNotKept(DataType type)
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, New, RefreshFlags.RefreshComplete, type);
        Assert.Equal((false, 1L), (_item.Image.Exists, Count(Counter.MessagesDropped)));
        Assert.Empty(Read(0));
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Refresh(isOk: false, New, RefreshFlags.RefreshComplete, type);
        Assert.Equal([1], Kept());
        Assert.Equal((true, 2L, 3L), (_item.Image.IsOk, Count(Counter.MessagesDropped), Count(Counter.RefreshesReceived)));
    }

    [Theory]
    [InlineData(DataType.FieldList, false, true)]
    [InlineData(DataType.FieldList, true, false)] // of the moment only
    [InlineData(DataType.ElementList, false, false)]
    [InlineData(DataType.Map, false, false)]
    public void Update_OfAnyPayload_GoesOnAndIsKeptWhereItIsOfTheImage(DataType type, bool isOfTheMoment, bool isKept)
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Read(0);
        byte[] update = Update(5, UpdateType.Trade, New, type, isOfTheMoment);
        foreach (bool isQuick in (bool[])[true, false])
        {
            Take(update, isQuick);
            (SourceRecord kind, int slot, byte[] bytes) = Assert.Single(Read(0));
            Assert.Equal((SourceRecord.Update, _item.Slot), (kind, slot));
            Assert.Equal(update, bytes);
            Assert.Equal(isKept ? [1, 2] : [1], Kept());
        }

        Assert.Equal((2L, 0L, 0L),
            (Count(HubCounter.UpdatesReceived), Count(HubCounter.UpdatesUnwatched), Count(Counter.MessagesDropped)));
    }

    [Fact]
    public void Refresh_InParts_IsHandedOnOnceTheLastIsThere()
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, flags: 0);
        Assert.Empty(Read(0));
        Refresh(isOk: true, New, RefreshFlags.RefreshComplete);
        byte[] image = Read(0).Single(record => record.Kind == SourceRecord.Image).Bytes;
        Assert.Equal((short[])[1, 2], HostileMessages.Read(Wire.Decode(image).Payload).Keys.Order());
    }

    [Fact]
    public void Refresh_WithAQuality_KeepsItUntilAnotherSaysMore()
    {
        RwfQos delayed = new((byte)QosTimeliness.DelayedUnknown, (byte)QosRate.JitConflated);
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete | RefreshFlags.HasQos, qos: delayed);
        Refresh(isOk: true, New, RefreshFlags.RefreshComplete);
        byte[] unspecified = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            Flags = RefreshFlags.RefreshComplete | RefreshFlags.HasQos,
            ContainerType = DataType.FieldList,
            State = new RwfState(StreamState.Open, DataState.Ok),
            Qos = RwfQos.RealTimeTickByTick,
            Payload = New,
        });
        Assert.Equal(0x22, unspecified[QosAt]);
        unspecified[QosAt] = 0;
        Take(unspecified);
        Assert.Equal([delayed, delayed, delayed], Read(0).Where(record => record.Kind == SourceRecord.Image).Select(record => Wire.Decode(record.Bytes).Qos));
    }

    /// <summary>Orders beyond the limit of a book are left out of its image; its messages reach the consumers.</summary>
    [Fact]
    public void Book_OfMoreOrdersThanAreKept_GoesOnWithoutTheOthers()
    {
        const int Half = 40_000;
        CachedItem book = _bench.Publish("B", DomainType.MarketByOrder);
        book.AddWatcher(0);
        _bench.Deliver(book, Orders(MsgClass.Refresh, 0, MapAction.Add, 0, Half));
        _bench.Deliver(book, Orders(MsgClass.Refresh, RefreshFlags.RefreshComplete, MapAction.Add, Half, Half));
        RwfMsg image = Wire.Decode(Assert.Single(_bench.Read(0)).Bytes);
        Assert.Equal(ushort.MaxValue, CountOf(image));
        Assert.Equal(1, Count(Counter.MessagesDropped));

        byte[] update = Orders(MsgClass.Update, 0, MapAction.Update, (2 * Half) - 1, 1); // of one that is left out
        _bench.Deliver(book, update);
        _bench.Deliver(book, Orders(MsgClass.Update, 0, MapAction.Delete, 0, 10));
        Assert.Equal(update, _bench.Read(0)[0].Bytes);
        Assert.Equal(2, Count(Counter.MessagesDropped));
        _bench.Deliver(book, Orders(MsgClass.Update, 0, MapAction.Add, 2 * Half, 10));
        MapReader.TryOpen(book.Read(_bench.Host.Items.Merger), out MapReader kept);
        Assert.Equal((ushort.MaxValue, 2L), (kept.Shared.Entries.Count, Count(Counter.MessagesDropped)));
    }

    private static int CountOf(scoped in RwfMsg image)
    {
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(image.Payload, out MapReader orders));
        return orders.Shared.Entries.Count;
    }

    private static byte[] Orders(MsgClass msgClass, int flags, MapAction action, int first, int count)
    {
        byte[] room = new byte[64 + (count * 8)];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = msgClass,
            DomainType = DomainType.MarketByOrder,
            StreamId = 5,
            Flags = flags,
            ContainerType = DataType.Map,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
        });
        writer.BeginMap(DataType.UInt, DataType.NoData);
        for (int i = 0; i < count; i++)
        {
            writer.BeginMapEntry(action, (ulong)(first + i));
            writer.EndEntry();
        }

        Assert.True(writer.EndMap());
        return room[..writer.Written];
    }

    /// <summary>With a value that our writers refuse it reaches the consumers as it came, whatever else would be changed.</summary>
    [Theory]
    [InlineData(0, 12, DataType.ElementList)] // no quality
    [InlineData((1 << 5) | (1 << 1), 99, DataType.NoData)] // attributes of no type, and another id of the service
    public void Message_WithAValueThatNoSenderMayWrite_GoesOn(byte qos, ushort serviceId, DataType attrib)
    {
        byte[] message = WithOddValues(MsgClass.Status, qos, serviceId, attrib);
        _item.AddWatcher(0);
        Take(message);
        Assert.Equal(message, Read(0).Single(record => record.Kind == SourceRecord.Status).Bytes);
        CachedItem passed = _bench.Publish("P", DomainType.MarketByPrice);
        passed.AddWatcher(0);
        byte[] image = WithOddValues(MsgClass.Refresh, qos, serviceId, attrib);
        _bench.Deliver(passed, image);
        Assert.Equal(image, Read(0).Single(record => record.Kind == SourceRecord.Image).Bytes);
        byte[] parts = passed.PassThrough!.Encode([], new PassThroughHead(9, 12, StreamState.Open, IsOk: true, IsSolicited: true, IsPrivate: false));
        Assert.Equal(9, Wire.Decode(parts.AsSpan(sizeof(int))).StreamId);
        passed.PassThrough.Request = WithOddValues(MsgClass.Request, qos, serviceId, attrib);
        byte[] room = new byte[passed.PassThrough.Request.Length + PassThroughStream.RoomBeyond];
        Assert.Equal(7, Wire.Decode(room.AsSpan(0, passed.PassThrough.EncodeRequest(room, 7, 12))).StreamId);
    }

    private static byte[] WithOddValues(MsgClass msgClass, byte qos, ushort serviceId, DataType attrib)
    {
        byte[] key = [MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasAttrib, (byte)serviceId, 1, (byte)'P',
            DataTypes.ToScaled(attrib), .. attrib == DataType.NoData ? (byte[])[] : [0]];
        byte[] state = [((int)StreamState.Open << 3) | (int)DataState.Ok, 0, 0];
        (byte[] flags, byte[] members) = msgClass switch
        {
            MsgClass.Refresh => ((byte[])[0x80, RefreshFlags.HasMsgKey | RefreshFlags.HasQos | RefreshFlags.RefreshComplete],
                (byte[])[.. state, 2, 0, 0, qos]),
            MsgClass.Request => ([RequestFlags.Streaming | RequestFlags.HasQos], [qos]),
            _ => ([StatusFlags.HasMsgKey | StatusFlags.HasState], state),
        };
        DomainType domain = msgClass == MsgClass.Status ? DomainType.MarketPrice : DomainType.MarketByPrice;
        byte[] header = [(byte)msgClass, (byte)domain, 0, 0, 0, 5, .. flags, DataTypes.ToScaled(DataType.NoData), .. members, (byte)key.Length, .. key];
        return [0, (byte)header.Length, .. header];
    }
}
