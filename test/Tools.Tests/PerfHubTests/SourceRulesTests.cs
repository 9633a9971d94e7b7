using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The images and states that a source thread keeps of an item, rule by rule.</summary>
[Trait("Category", "Fast")]
public sealed class SourceRulesTests : SourceRulesBench
{
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
        Assert.Equal([delayed, delayed], Read(0).Where(record => record.Kind == SourceRecord.Image).Select(record => Wire.Decode(record.Bytes).Qos));
    }
}
