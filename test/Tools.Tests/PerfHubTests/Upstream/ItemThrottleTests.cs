using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfHub.Cache;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The waiting update of one item.</summary>
[Trait("Category", "Fast")]
public sealed class ItemThrottleTests
{
    private readonly ItemThrottle _throttle = new();

    [Fact]
    public void Updates_Merged_AreOneOfTheLastTypeOnTheGivenStream()
    {
        FieldLimit limit = new();
        for (int round = 0; round < 3; round++)
        {
            Assert.False(_throttle.IsWaiting);
            Assert.True(Merge(limit, 22, 1, UpdateType.Quote));
            Assert.True(_throttle.IsWaiting);
            Assert.True(Merge(limit, 23, 2, UpdateType.Trade));
            Assert.True(Merge(limit, 22, 3, UpdateType.NewsAlert));
            Assert.Equal((UpdateType.NewsAlert, 70_000, "22=3 23=2"), Dequeue(70_000));
            Assert.False(_throttle.IsWaiting);
            Assert.True(Merge(limit, 30, 9, UpdateType.Trade));
            Assert.Equal((UpdateType.Trade, 4, "30=9"), Dequeue(4)); // nothing of before
        }
    }

    [Fact]
    public void Update_OfAnotherForm_HasNoType()
    {
        byte[] message = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            Flags = UpdateFlags.HasSeqNum,
            SeqNum = 7,
            UpdateType = UpdateType.Trade,
            ContainerType = DataType.FieldList,
            Payload = HostileMessages.List(22, 1),
        });
        Assert.True(_throttle.TryMerge(message, HostileMessages.List(22, 1), new FieldLimit()));
        Assert.Equal(UpdateType.Unspecified, Dequeue(4).Type);
    }

    /// <summary>An update with more fields than fit is not merged: it is sent by itself, after what waits.</summary>
    [Fact]
    public void Update_OfMoreFieldsThanFit_IsNotMergedAndWhatWaitsStays()
    {
        FieldLimit limit = new(maxFields: 2);
        Assert.True(Merge(limit, 22, 1, UpdateType.Quote));
        Assert.True(Merge(limit, 23, 2, UpdateType.Quote));
        Assert.False(Merge(limit, 24, 3, UpdateType.Trade));
        Assert.Equal((true, 1L), (_throttle.IsWaiting, limit.Dropped));
        Assert.Equal((UpdateType.Quote, 4, "22=1 23=2"), Dequeue(4));
        Assert.False(_throttle.TryMerge(SourceBench.Update(HostileMessages.List(22, 3)), HostileMessages.List(22, 3), limit));
        Assert.False(_throttle.IsWaiting);
    }

    /// <summary>The bytes of a small update are kept for the next; those of a large one are freed.</summary>
    [Theory]
    [InlineData(4, false)]
    [InlineData(5, true)]
    public void HeldBytes_AfterTheUpdateIsSent_AreNoMoreThanAKilobyte(int fields, bool areFreed)
    {
        byte[] list = HostileMessages.List(1, fields, valueBytes: 240);
        Assert.True(_throttle.TryMerge(SourceBench.Update(list), list, new FieldLimit()));
        Assert.Equal(fields * 248, _throttle.HeldBytes); // 8 for each field
        byte[] room = new byte[_throttle.MaxBytes];
        _throttle.Dequeue(room, 4);
        Assert.Equal(areFreed ? 0 : fields * 248, _throttle.HeldBytes);
    }

    private bool Merge(FieldLimit limit, short field, byte value, UpdateType type)
    {
        byte[] list = HostileMessages.List(field, 1, value: value);
        return _throttle.TryMerge(SourceBench.Update(list, type), list, limit);
    }

    private (UpdateType Type, int StreamId, string Fields) Dequeue(int streamId)
    {
        byte[] room = new byte[_throttle.MaxBytes];
        byte[] message = room[.._throttle.Dequeue(room, streamId)];
        RwfMsg update = Wire.Decode(message);
        Assert.Equal((MsgClass.Update, DomainType.MarketPrice, DataType.FieldList), (update.MsgClass, update.DomainType, update.ContainerType));
        return (update.UpdateType, update.StreamId, SourceBench.Fields(message));
    }
}
