using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The items of a source thread: how long each is there, its bytes, and what is sent to the source when it goes.</summary>
[Trait("Category", "Fast")]
public sealed class ItemCacheTests : IDisposable
{
    private const long Keep = 5 * Clock.NanosPerSecond;

    private readonly HubMemory _memory = new(static () => 0);
    private readonly SourceBench _bench;

    public ItemCacheTests() =>
        _bench = new SourceBench(new SourceSettings { Services = new ServiceTable(), KeepImagesNanos = Keep, Memory = _memory });

    private ItemCache Items => _bench.Host.Items;

    public void Dispose() => _bench.Dispose();

    /// <summary>An item that has ended, or that is no longer in the table, has no publisher that could be lost.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void LosePublisher_ItemThatIsGone_ChangesNothing(bool isOver)
    {
        CachedItem item = _bench.Create("N1");
        item.StreamId = 5;
        item.Image.IsOk = true;
        if (isOver)
            item.IsOver = true;
        else
            _bench.Host.Items.Table.Remove(item);
        _bench.Host.Receiver.LosePublisher(item);
        Assert.Equal((5, null, true), (item.StreamId, item.LeftNanos, item.Image.IsOk));
    }

    [Fact]
    public void Item_OfAnInteractiveSource_GoesWithItsLastWatcher()
    {
        for (int round = 0; round < 3; round++)
        {
            _bench.Request(0, _bench.Feed, 5, "A");
            _bench.Request(1, _bench.Feed, 5, "A");
            CachedItem item = _bench.Find(_bench.Feed, "A")!;
            _bench.DeliverImage(item);
            _bench.Source.Take();
            Assert.Equal(CachedItem.OverheadBytes + 1, item.HeldBytes);
            Assert.Equal(CachedItem.OverheadBytes + 1 + Items.Merger.Store.UsedBytes, Items.HeldBytes);
            _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
            Assert.Empty(_bench.Source.Take());
            _bench.Send(1, SessionRecord.Unwatch, item.Slot, []);
            Assert.Equal(["Close A"], _bench.Source.Take());
            Assert.Equal((0, 0L, true, false), (Items.Table.Count, Items.HeldBytes, item.IsFreed, Items.Table.Has(item)));
            Assert.Null(_bench.Find(_bench.Feed, "A"));
        }
    }

    /// <summary>An item that has ended leaves without a close, once its watchers are gone.</summary>
    [Fact]
    public void Item_ThatHasEnded_GoesWithItsLastWatcherAndIsNotClosed()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        _bench.Deliver(item, SourceBench.Status(StreamState.Closed));
        Assert.Equal(["Open A", "Remove A"], _bench.Source.Take());
        Assert.Null(_bench.Find(_bench.Feed, "A"));
        _bench.Request(1, _bench.Feed, 6, "A");
        CachedItem next = _bench.Find(_bench.Feed, "A")!;
        Assert.Equal((false, 2), (next == item, Items.Table.Count));
        _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
        Assert.Equal(["Open A"], _bench.Source.Take());
        Assert.Equal((1, next), (Items.Table.Count, _bench.Find(_bench.Feed, "A")));
    }

    [Fact]
    public void Item_OfAPublisher_StaysWithItsImageForItsTime()
    {
        CachedItem item = Watched("A");
        _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
        Assert.True(Items.Table.Has(item)); // it is published
        item.Publishers--;
        _bench.Host.Receiver.LosePublisher(item);
        Assert.Equal(_bench.Time.NowNanos + Keep, Items.NextDueNanos);
        Pass(Keep - 1);
        Assert.True(Items.Table.Has(item));
        Pass(1);
        Assert.Equal((false, 0, 0L, long.MaxValue), (Items.Table.Has(item), Items.Table.Count, Items.HeldBytes, Items.NextDueNanos));
    }

    [Fact]
    public void Item_OfAPublisherWithoutAnImage_GoesAtOnce()
    {
        CachedItem item = _bench.Publish("A");
        item.Publishers--;
        _bench.Host.Receiver.LosePublisher(item);
        Assert.Equal((0, true), (Items.Table.Count, item.IsFreed));
    }

    /// <summary>When memory is nearly used up, images that no consumer watches are freed at once.</summary>
    [Fact]
    public void Items_WithoutWatchers_GoWhenMemoryIsTight()
    {
        CachedItem kept = Watched("A"), watched = Watched("B");
        foreach (CachedItem item in (CachedItem[])[kept, watched])
        {
            item.Publishers--;
            _bench.Host.Receiver.LosePublisher(item);
        }

        _bench.Send(0, SessionRecord.Unwatch, kept.Slot, []);
        Assert.Equal(2, Items.Table.Count);
        _memory.Tighten();
        _bench.Host.Work();
        Assert.Equal((false, true), (Items.Table.Has(kept), Items.Table.Has(watched)));
        _bench.Send(0, SessionRecord.Unwatch, watched.Slot, []);
        Assert.Equal(0, Items.Table.Count);
        _memory.Ease();
    }

    /// <summary>A turn frees 256 items, and further turns the others.</summary>
    [Fact]
    public void Items_ThatAreDueTogether_AreFreedSomeInEachTurn()
    {
        for (int i = 0; i < 257; i++)
        {
            CachedItem item = Watched($"N{i}");
            item.Publishers--;
            _bench.Host.Receiver.LosePublisher(item);
            _bench.Queue(0, SessionRecord.Unwatch, item.Slot, []);
        }

        _bench.Host.Work();
        _bench.Host.Work();
        Assert.Equal(257, Items.Table.Count);
        Pass(Keep);
        Assert.Equal(1, Items.Table.Count);
        _bench.Host.Work();
        Assert.Equal(0, Items.Table.Count);
    }

    [Fact]
    public void Fields_BeyondTheLimit_AreReportedOnceAndCounted()
    {
        using SourceBench bench = new(new SourceSettings { Services = new ServiceTable(), MaxFields = 2 });
        bench.Request(0, bench.Feed, 5, "A");
        CachedItem item = bench.Find(bench.Feed, "A")!;
        bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 5)));
        Assert.Equal(0, bench[HubCounter.FieldsNotKept]);
        bench.Host.Work();
        Assert.Equal(3, bench[HubCounter.FieldsNotKept]);
        bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 4)));
        bench.Host.Work();
        bench.Host.Work();
        Assert.Equal(5, bench[HubCounter.FieldsNotKept]);
        Assert.True(bench.Worker.Recording.Notices.TryDequeue(out string notice));
        Assert.Contains("2", notice, StringComparison.Ordinal);
        Assert.False(bench.Worker.Recording.Notices.TryDequeue(out _));
    }

    /// <summary>The memory is looked at after a change of more than a megabyte, in either direction.</summary>
    [Fact]
    public void Memory_AfterALargeChange_IsLookedAt()
    {
        int looks = 0;
        using SourceBench bench = new(new SourceSettings { Services = new ServiceTable(), Memory = new HubMemory(() => looks++) });
        bench.Host.Items.CountBytes(1 << 20);
        bench.Host.Work();
        Assert.Equal(0, looks);
        bench.Host.Items.CountBytes(1);
        bench.Host.Work();
        Assert.Equal(1, looks);
        bench.Host.Work();
        Assert.Equal(1, looks);
        bench.Host.Items.CountBytes(-(1 << 20));
        bench.Host.Work();
        Assert.Equal(1, looks);
        bench.Host.Items.CountBytes(-1);
        bench.Host.Work();
        Assert.Equal(2, looks);
    }

    [Fact]
    public void FindService_OfANameOrAKey_IsThisThreadsAlone()
    {
        Assert.Same(_bench.Feed, Items.FindService("FEED"));
        Assert.Same(_bench.Feed, Items.FindService(_bench.Feed.Service.Key));
        Assert.Null(Items.FindService("ANOTHER"));
        Assert.Null(Items.FindService(new ServiceKey(_bench.Feed.Service.Id, 77)));
        HubService elsewhere = new()
        {
            Offer = new PerfCommon.Domains.ServiceOffer { Name = "ELSEWHERE", Id = 40 },
            UpstreamIndex = 1,
            Owner = new object(),
            Dictionary = _bench.Feed.Service.Dictionary,
        };
        HubService other = _bench.Settings.Services.Offer([elsewhere])[0]!;
        Assert.Null(Items.FindService("ELSEWHERE"));
        Assert.Null(Items.FindService(other.Key));
        HubService published = _bench.Settings.Services.Offer([elsewhere with { Offer = elsewhere.Offer with { Name = "MORE" },
            Owner = new ItemOwners(1) }])[0]!;
        Assert.Equal((Items.Publishers, published.Key), (Items.FindService(published.Key)!.Source, Items.FindService(published.Key)!.Service.Key));
    }

    /// <summary>A service without a source is known while it has items, and as long as the table lingers.</summary>
    [Fact]
    public void SetDown_OfAService_KeepsItForItsItems()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        Items.SetDown([_bench.Feed, _bench.Unsourced]);
        ServiceTable services = _bench.Settings.Services;
        Assert.Equal((false, false), (services.Find("FEED")!.Offer.IsUp, services.Find("OWN")!.Offer.AcceptsRequests));
        services.Sweep(long.MaxValue);
        Assert.Equal((true, false), (services.Find("FEED") is not null, services.Find("OWN") is not null));
        Assert.Same(_bench.Feed, Items.FindService(_bench.Feed.Service.Key));
        _bench.Send(0, SessionRecord.Unwatch, _bench.Find(_bench.Feed, "A")!.Slot, []);
        services.Sweep(long.MaxValue);
        Assert.Null(services.Find("FEED"));
    }

    private CachedItem Watched(string name)
    {
        CachedItem item = _bench.Publish(name);
        _bench.DeliverImage(item);
        _bench.Request(0, _bench.Published, 5, name);
        _bench.Read(0);
        return item;
    }

    private void Pass(long nanos)
    {
        _bench.Time.Advance(nanos);
        _bench.Host.Work();
    }
}
