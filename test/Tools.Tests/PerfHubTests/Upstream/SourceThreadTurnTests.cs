using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The turns of a source thread: how much of its work it does in each, and when it may sleep.</summary>
[Trait("Category", "Fast")]
public sealed class SourceThreadTurnTests : IDisposable
{
    private readonly HubMemory _memory = new(static () => 0);
    private readonly SourceBench _bench;

    public SourceThreadTurnTests() => _bench = new SourceBench(new SourceSettings { Services = new ServiceTable(), Memory = _memory });

    private UpstreamThread Host => _bench.Host;

    public void Dispose() => _bench.Dispose();

    /// <summary>A turn handles 256 records of each session thread.</summary>
    [Fact]
    public void Records_OfASessionThread_AreHandledSomeInEachTurn()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        for (int i = 1; i < 600; i++)
            item.AddWatcher(0);
        for (int i = 0; i < 300; i++)
            item.AddWatcher(2);
        for (int i = 0; i < 600; i++)
            _bench.Queue(0, SessionRecord.Unwatch, item.Slot, []);
        for (int i = 0; i < 300; i++)
            _bench.Queue(2, SessionRecord.Unwatch, item.Slot, []);
        int[] left = new int[4];
        for (int turn = 0; turn < left.Length; turn++)
        {
            Assert.Equal(turn < 3, !Host.TrySleep());
            Host.Work();
            left[turn] = item.Watchers;
        }

        Assert.Equal([900 - 512, 900 - 512 - 256 - 44, 0, 0], left);
    }

    /// <summary>While a source takes no more requests, records of session threads wait; the source is given its turns.</summary>
    [Fact]
    public void Records_WhileASourceIsFull_Wait()
    {
        _bench.Source.Full = true;
        _bench.Request(0, _bench.Feed, 5, "A");
        Assert.Empty(_bench.Source.Take());
        Assert.True(Host.TrySleep());
        _bench.Source.Full = false;
        Assert.False(Host.TrySleep());
        int turns = _bench.Source.Turns;
        Host.Work();
        Assert.Equal((turns + 1, "Open A"), (_bench.Source.Turns, Assert.Single(_bench.Source.Take())));
        Assert.True(Host.TrySleep());
        _bench.Source.Waits = true;
        Assert.False(Host.TrySleep());
    }

    /// <summary>While a ring has no room, nothing is handled; the reader that frees it wakes the thread.</summary>
    [Fact]
    public void Records_WhileARingIsFull_WaitForRoom()
    {
        ByteRing ring = Host.Broadcaster.Rings[1];
        for (int round = 0; round < 3; round++)
        {
            while (ring.HasRoom())
                ring.Add((byte)SourceRecord.Status, 0, new byte[50_000]);
            Assert.False(Host.MayRead());
            _bench.Request(0, _bench.Feed, 5, "A" + round);
            Assert.Equal((0, true), (_bench.Source.Take().Count, Host.TrySleep()));
            _bench.Read(1);
            Assert.Equal((true, false), (Host.MayRead(), Host.TrySleep()));
            Host.Work();
            Assert.Equal("Open A" + round, Assert.Single(_bench.Source.Take()));
        }
    }

    [Theory]
    [InlineData(false, false, true)]
    [InlineData(true, false, false)]
    [InlineData(true, true, true)] // the run ends: what comes is counted, and nothing kept
    public void MayRead_WhileMemoryIsTight_IsFalseUntilTheEnd(bool isTight, bool hasEnded, bool mayRead)
    {
        if (isTight)
            _memory.Tighten();
        if (hasEnded)
            _memory.End();
        Assert.Equal((mayRead, hasEnded), (Host.MayRead(), Host.Items.HasStopped));
    }

    /// <summary>Once memory has run out nothing is kept any more, and everything is still counted.</summary>
    [Fact]
    public void Messages_AfterMemoryHasRunOut_AreCountedAndNotKept()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        _memory.End();
        _bench.DeliverImage(item);
        Assert.Equal((false, 1L, 1L), (item.Image.Exists, _bench[Counter.RefreshesReceived], _bench[Counter.MessagesDropped]));
        CachedItem passed = _bench.Publish("P", DomainType.MarketByPrice);
        _bench.Deliver(passed, PerfCommon.Tests.Domains.Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketByPrice,
            StreamId = 5,
            Flags = RefreshFlags.RefreshComplete,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
            ContainerType = DataType.NoData,
        }));
        Assert.Equal((false, 2L), (passed.Image.Exists, _bench[Counter.MessagesDropped]));
        NiProvider provider = new(Host);
        provider.Receive(PerfCommon.Tests.Domains.Wire.Decode(HostileMessages.Image(5, 12, "NEW", HostileMessages.List(22, 1))), _bench.Published.Service.Key);
        Assert.Equal((null, 3L), (_bench.Find(_bench.Published, "NEW"), _bench[Counter.MessagesDropped]));
    }

    [Fact]
    public void Gauges_AfterATurn_AreThoseOfItsItemsAndSources()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        _bench.Request(0, _bench.Unsourced, 6, "BB");
        _bench.DeliverImage(_bench.Find(_bench.Feed, "A")!);
        Host.Work();
        Assert.Equal((2L, 2L, Host.Items.HeldBytes), (_bench.Worker.Recording[HubGauge.Items], _bench.Worker.Recording[HubGauge.Sources],
            _bench.Worker.Recording[HubGauge.ItemBytes]));
        Assert.Equal((Host.Items.HeldBytes, (2 * CachedItem.OverheadBytes) + 3 + Host.Items.Merger.Store.UsedBytes), (Host.KeptBytes, Host.Items.HeldBytes));
        _bench.Worker.RequestEnd();
        _bench.Send(0, SessionRecord.Unwatch, _bench.Find(_bench.Feed, "A")!.Slot, []);
        Assert.Equal((1, 2L), (Host.Items.Table.Count, _bench.Worker.Recording[HubGauge.Items])); // the last values stay
    }

    /// <summary>The first source thread removes services whose time has elapsed; the next due time is that of the earliest work.</summary>
    [Fact]
    public void NextDueNanos_OfAllWork_IsTheEarliest()
    {
        Assert.Equal(long.MaxValue, Host.NextDueNanos);
        CachedItem item = _bench.Publish("P");
        _bench.DeliverImage(item);
        item.Publishers--;
        Host.Receiver.LosePublisher(item);
        long kept = _bench.Time.NowNanos + (60 * Clock.NanosPerSecond);
        Assert.Equal(kept, Host.NextDueNanos);
        Host.Items.SetDown([_bench.Unsourced]);
        long swept = _bench.Time.NowNanos + (2 * Clock.NanosPerSecond);
        Assert.Equal(swept, Host.NextDueNanos);
        _bench.Request(0, _bench.Feed, 5, "A");
        CachedItem watched = _bench.Find(_bench.Feed, "A")!;
        _bench.Settings.Tuning.ThrottleNanos = Clock.NanosPerSecond;
        _bench.DeliverUpdate(watched);
        _bench.DeliverUpdate(watched);
        Assert.Equal(_bench.Time.NowNanos + Clock.NanosPerSecond, Host.NextDueNanos);
        _bench.Time.Advance(2 * Clock.NanosPerSecond);
        Host.Work();
        Assert.Equal((null, kept), (_bench.Settings.Services.Find("OWN"), Host.NextDueNanos));
    }

    [Fact]
    public void FindGreatest_WithoutPublishers_IsNoneAndCountsTheSources()
    {
        HubShare share = Host.FindGreatest();
        Assert.Equal((0L, 2, null), (share.Bytes, share.Connections, share.Close));
    }
}
