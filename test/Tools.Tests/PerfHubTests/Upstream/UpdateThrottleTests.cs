using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Updates that follow each other too soon: which wait, when they are sent, and what is counted.</summary>
[Trait("Category", "Fast")]
public sealed class UpdateThrottleTests : IDisposable
{
    private const long Interval = 20 * Clock.NanosPerMilli;

    private readonly SourceBench _bench = new();
    private readonly CachedItem _item;
    private readonly long _start;

    public UpdateThrottleTests()
    {
        _item = Open("A");
        _bench.Settings.Tuning.ThrottleNanos = Interval;
        _start = _bench.Time.NowNanos;
    }

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Updates_OfAnInterval_AreOneAtItsEnd()
    {
        for (int round = 0; round < 3; round++)
        {
            long begin = _bench.Time.NowNanos;
            Update(1, 22);
            Assert.Equal(["Update 22=1"], Sent());
            Update(2, 22);
            Update(3, 23);
            Update(4, 22);
            Assert.Equal(begin + Interval, _bench.Host.NextDueNanos);
            Pass(Interval - 1);
            Assert.Empty(Sent());
            Pass(1);
            Assert.Equal(["Update 22=4 23=3"], Sent());
            Assert.Equal((round + 1) * 2, _bench[HubCounter.UpdatesThrottled]);
            Update(5, 22);
            Assert.Empty(Sent()); // the interval begins anew with what was sent
            Pass(Interval - 1);
            Assert.Empty(Sent());
            Pass(1);
            Assert.Equal(["Update 22=5"], Sent());
            Pass(Interval);
        }

        Assert.Equal((15L, 0L, long.MaxValue), (_bench[HubCounter.UpdatesReceived], _bench[HubCounter.UpdatesUnwatched], _bench.Host.NextDueNanos));
    }

    /// <summary>It is sent whole, by itself: the image alone leaves out fields.</summary>
    [Fact]
    public void Update_OfMoreFieldsThanAreKept_CountsThoseThatTheImageLeavesOut()
    {
        using SourceBench bench = new(new SourceSettings { Services = new ServiceTable(), MaxFields = 2 });
        bench.Request(0, bench.Feed, 5, "A");
        CachedItem item = bench.Find(bench.Feed, "A")!;
        bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 2)));
        bench.Settings.Tuning.ThrottleNanos = Interval;
        for (int i = 0; i < 3; i++)
            bench.Deliver(item, SourceBench.Update(HostileMessages.List(22, 5)));
        item.Read(bench.Host.Items.Merger);
        bench.Host.Work();
        Assert.Equal(3, bench[HubCounter.FieldsNotKept]);
    }

    /// <summary>An update that cannot be merged sends the waiting one before it.</summary>
    [Fact]
    public void Update_WithoutValues_IsSentAfterWhatWaits()
    {
        Update(1, 22);
        Update(2, 22);
        Assert.Equal(["Update 22=1"], Sent());
        _bench.Deliver(_item, SourceBench.Update([], UpdateType.Trade));
        Assert.Equal(["Update 22=2", "Update "], Sent());
        Update(3, 22);
        Assert.Empty(Sent());
        Pass(Interval);
        Assert.Equal(["Update 22=3"], Sent());
        Assert.Equal(0, _bench[HubCounter.UpdatesThrottled]);
    }

    /// <summary>A reflected post keeps its user, and what the source forbids to conflate is sent as it came.</summary>
    [Theory]
    [InlineData(UpdateFlags.HasPostUserInfo)]
    [InlineData(UpdateFlags.DoNotConflate)]
    public void Update_ThatMustNotBeMerged_IsSentAsItCame(int flags)
    {
        byte[] special = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = 101,
            Flags = flags,
            ContainerType = DataType.FieldList,
            PostUserAddress = 17,
            PostUserId = 18,
            Payload = HostileMessages.List(22, 1, value: 9),
        });
        Update(1, 22);
        Update(2, 22);
        Sent();
        _bench.Deliver(_item, special);
        _bench.Deliver(_item, special);
        byte[][] sent = [.. _bench.Read(0).Select(record => record.Bytes)];
        Assert.Equal(["Update 101 [22=2]", "Update 101 [22=9]", "Update 101 [22=9]"], sent.Select(SourceBench.Describe));
        Assert.Equal(flags, Wire.Decode(sent[1]).Flags);
        Update(3, 22);
        Assert.Empty(Sent());
        Pass(Interval);
        Assert.Equal(["Update 22=3"], Sent());
        Assert.Equal(0, _bench[HubCounter.UpdatesThrottled]);
    }

    [Fact]
    public void Update_OfAnItemThatIsNotWatched_DoesNotWait()
    {
        _bench.Send(0, SessionRecord.Unwatch, _item.Slot, []);
        CachedItem item = _bench.Publish("P");
        _bench.DeliverUpdate(item);
        _bench.DeliverUpdate(item);
        Assert.Null(item.Throttle);
        Assert.Equal(2, _bench[HubCounter.UpdatesUnwatched]);
    }

    [Fact]
    public void Update_ThatWaitsForWatchersThatLeft_IsCountedAsUnwatched()
    {
        CachedItem item = _bench.Publish("P");
        _bench.DeliverImage(item);
        _bench.Request(0, _bench.Published, 6, "P");
        _bench.DeliverUpdate(item);
        _bench.DeliverUpdate(item);
        _bench.Read(0);
        _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
        Pass(Interval);
        Assert.Equal((0, 1L), (_bench.Read(0).Count, _bench[HubCounter.UpdatesUnwatched]));
    }

    [Fact]
    public void Update_ThatWaitsWhenItsItemEnds_IsSentBeforeTheEnd()
    {
        Update(1, 22);
        Update(2, 22);
        _bench.Read(0);
        _bench.Deliver(_item, SourceBench.Status(StreamState.Closed));
        Assert.Equal("Update Final", _bench.Kinds(0));
        Pass(Interval);
        Assert.Empty(_bench.Read(0));
        Assert.Equal(0, _bench[HubCounter.UpdatesUnwatched]);
    }

    /// <summary>A turn sends 1,000 of them, and has more to do then.</summary>
    [Fact]
    public void Updates_OfManyItems_AreSentSomeInEachTurn()
    {
        CachedItem[] items = [.. Enumerable.Range(0, 1_001).Select(i => Open($"N{i}"))];
        foreach (CachedItem item in items)
        {
            _bench.DeliverUpdate(item);
            _bench.DeliverUpdate(item, value: 3);
        }

        _bench.Read(0);
        Pass(Interval);
        List<(SourceRecord Kind, int Slot, byte[] Bytes)> sent = _bench.Read(0);
        Assert.Equal(1_000, sent.Count);
        Assert.Equal(_start + Interval, _bench.Host.NextDueNanos);
        _bench.Host.Work();
        sent.Add(Assert.Single(_bench.Read(0)));
        Assert.Equal(items.Select(item => item.Slot), sent.Select(record => record.Slot).Order());
        Assert.Equal(long.MaxValue, _bench.Host.NextDueNanos);
    }

    [Fact]
    public void Throttle_SwitchedOff_ForwardsWhatComesOnceNothingWaits()
    {
        Update(1, 22);
        Update(2, 22);
        _bench.Settings.Tuning.ThrottleNanos = 0;
        Update(3, 23);
        Assert.Equal(["Update 22=1"], Sent()); // merged with what waits, so that the order is kept
        Pass(Interval);
        Assert.Equal(["Update 22=2 23=3"], Sent());
        Update(4, 22);
        Update(5, 22);
        Assert.Equal(["Update 22=4", "Update 22=5"], Sent());
        Assert.Equal(1, _bench[HubCounter.UpdatesThrottled]);
    }

    /// <summary>An image sends what waits before it; the place in time then has nothing to send, and is used for later updates.</summary>
    [Fact]
    public void Image_WhileAnUpdateWaits_ComesAfterItAndTheNextWaitsAnew()
    {
        Update(1, 22);
        Update(2, 22);
        Pass(Interval / 2);
        Sent();
        _bench.DeliverImage(_item, value: 7);
        Assert.Equal(["Update 22=2", "Image 22=7"], Sent());
        Update(8, 22);
        Pass(Interval / 2);
        Assert.Empty(Sent());
        Assert.Equal(_start + Interval + (Interval / 2), _bench.Host.NextDueNanos);
        Pass(Interval / 2);
        Assert.Equal(["Update 22=8"], Sent());
    }

    [Fact]
    public void HeldBytes_OfWhatWaits_AreCountedAndGivenBackWhereLarge()
    {
        Update(1, 22);
        long before = _bench.Host.Items.HeldBytes - _bench.Host.Items.Merger.Store.UsedBytes;
        for (int round = 0; round < 3; round++)
        {
            _bench.Deliver(_item, SourceBench.Update(HostileMessages.List(22, 15, valueBytes: 200)));
            Assert.Equal(before + _item.Throttle!.HeldBytes, _bench.Host.Items.HeldBytes - _bench.Host.Items.Merger.Store.UsedBytes);
            Assert.InRange(_item.Throttle.HeldBytes, 3_000, 6_000);
            Pass(Interval);
            Assert.Equal((before, 0), (_bench.Host.Items.HeldBytes - _bench.Host.Items.Merger.Store.UsedBytes, _item.Throttle.HeldBytes));
        }
    }

    private CachedItem Open(string name)
    {
        _bench.Request(0, _bench.Feed, 5, name);
        CachedItem item = _bench.Find(_bench.Feed, name)!;
        _bench.DeliverImage(item);
        _bench.Read(0);
        return item;
    }

    private void Update(byte value, short field) => _bench.DeliverUpdate(_item, field, value);

    private void Pass(long nanos)
    {
        _bench.Time.Advance(nanos);
        _bench.Host.Work();
    }

    private List<string> Sent() => [.. _bench.Read(0).Select(record => $"{record.Kind} {SourceBench.Fields(record.Bytes)}")];
}
