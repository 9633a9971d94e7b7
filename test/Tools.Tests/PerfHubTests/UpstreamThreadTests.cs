using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Tools.Tests.PerfHubTests.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The items of a source thread, without its connections.</summary>
[Trait("Category", "Fast")]
public sealed class UpstreamThreadTests : IDisposable
{
    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Update_ForAnItemThatIsGone_DoesNothingToTheOneInItsPlace()
    {
        CachedItem gone = _bench.Create("GONE");
        ItemRef stale = ItemRef.To(gone);
        _bench.Host.Receiver.Receive(stale, Update(7));
        _bench.Host.Items.Free(gone);
        CachedItem item = _bench.Create("NEW");
        Assert.Equal(gone.Slot, item.Slot);
        _bench.Host.Receiver.Receive(ItemRef.To(item), Update(1));
        byte[] held = item.Read(_bench.Host.Items.Merger).ToArray();

        _bench.Host.Receiver.Receive(stale, Update(9));
        Assert.Equal(held, item.Read(_bench.Host.Items.Merger).ToArray());
        Assert.Equal((3, 3), (_bench[HubCounter.UpdatesReceived], _bench[HubCounter.UpdatesUnwatched]));
        _bench.Host.Items.Free(item);
        Assert.Equal(0, _bench.Host.Items.Merger.Store.UsedBytes);
    }

    [Fact]
    public void Image_ForAnItemThatIsGone_TakesNoRoom()
    {
        CachedItem gone = _bench.Create("GONE");
        _bench.Host.Items.Free(gone);
        Assert.True(gone.Replace(List(1), _bench.Host.Items.Merger));
        Assert.True(gone.Merge(List(2), _bench.Host.Items.Merger));
        Assert.Equal(0, _bench.Host.Items.Merger.Store.UsedBytes);
    }

    [Fact]
    public void Watchers_OfSeveralThreads_AreToldApart()
    {
        ItemState state = default;
        for (int host = 0; host < ThreadLimits.MaxThreads; host++)
        {
            state.SetWatched(host, isWatched: true);
            Assert.True(state.IsWatchedAt(host));
        }

        state.SetWatched(3, isWatched: false);
        Assert.Equal([0, 1, 2, 4, 5, 6, 7], Enumerable.Range(0, ThreadLimits.MaxThreads).Where(host => state.IsWatchedAt(host)));
        for (int host = 0; host < ThreadLimits.MaxThreads; host++)
            state.SetWatched(host, isWatched: false);
        Assert.False(state.IsWatched);
    }

    [Fact]
    public void ItemsGone_MoreThanHalf_TheOthersMoveTogether()
    {
        List<CachedItem> items = [.. Enumerable.Range(0, 60_000).Select(i => _bench.Create($"N{i}"))];
        byte[] list = new byte[413];
        list[0] = ListFlags.HasStandardData;
        list[2] = 1;
        (list[4], list[5]) = (1, 200);
        foreach (CachedItem item in items)
        {
            list[6] = (byte)item.Slot;
            Assert.True(item.Replace(list.AsSpan(0, 206), _bench.Host.Items.Merger));
            list[4] = 2;
            Assert.True(item.Merge(list.AsSpan(0, 206), _bench.Host.Items.Merger));
            list[4] = 1;
        }

        foreach (CachedItem item in items[..40_000])
            _bench.Host.Items.Free(item);
        FieldStore store = _bench.Host.Items.Merger.Store;
        Assert.True(store.IsSparse);
        Random random = new(1);
        int turns = 0;
        do
        {
            // some go, come or change meanwhile
            _bench.Host.Mover.MoveWhenSparse();
            turns++;
            int gone = random.Next(40_000, items.Count);
            _bench.Host.Items.Free(items[gone]);
            items.RemoveAt(gone);
            items.Add(_bench.Create($"M{turns}"));
            foreach (CachedItem item in (CachedItem[])[items[^1], items[random.Next(40_000, items.Count)]])
            {
                list[6] = (byte)item.Slot;
                Assert.True(item.Merge(list.AsSpan(0, 206), _bench.Host.Items.Merger));
            }
        }
        while (store.IsMoving);

        Assert.Equal(60_000 / 256 + 1, turns);
        Assert.False(store.IsSparse);
        Assert.All(items[40_000..], item => Assert.Equal((byte)item.Slot, item.Read(_bench.Host.Items.Merger)[6]));
        items[40_000..].ForEach(_bench.Host.Items.Free);
        Assert.Equal(0, store.UsedBytes);
    }

    /// <summary>What is left moves each time that most of the rest is gone, not only the first time.</summary>
    [Fact]
    public void ItemsGone_TimeAndAgain_TheOthersMoveEachTime()
    {
        byte[] list = HostileMessages.List(1, 1, valueBytes: 250);
        CachedItem kept = _bench.Create("KEPT");
        Assert.True(kept.Replace(HostileMessages.List(1, 1, valueBytes: 250, value: 77), _bench.Host.Items.Merger));
        FieldStore store = _bench.Host.Items.Merger.Store;
        long before = store.UsedBytes;
        for (int round = 0; round < 3; round++)
        {
            List<CachedItem> items = [];
            while (!store.IsSparse || store.UsedBytes > before)
            {
                for (int i = 0; items.Count < 70_000; i++)
                {
                    items.Add(_bench.Create($"R{i}"));
                    Assert.True(items[^1].Replace(list, _bench.Host.Items.Merger));
                }

                items.ForEach(_bench.Host.Items.Free);
            }

            do
                _bench.Host.Mover.MoveWhenSparse();
            while (store.IsMoving);
            Assert.False(store.IsSparse);
            Assert.Equal(before, store.UsedBytes);
            Assert.Equal(77, HostileMessages.Read(kept.Read(_bench.Host.Items.Merger))[1][^1]);
        }
    }

    /// <summary>A service whose source is gone is known as long as there is an item of it, however long that is.</summary>
    [Fact]
    public void Service_WithoutASource_StaysWhileOneItemOfItDoes()
    {
        CachedItem[] items = [_bench.Create("A"), _bench.Create("B"), _bench.Create("C")];
        _bench.Host.Items.SetDown([_bench.Published]);
        foreach (CachedItem item in items)
        {
            _bench.Settings.Services.Sweep(long.MaxValue);
            Assert.NotNull(_bench.Settings.Services.Find("PUBLISHED"));
            _bench.Host.Items.Free(item);
        }

        Assert.NotNull(_bench.Settings.Services.Find("PUBLISHED")); // consumers are first notified that it is down
        _bench.Settings.Services.Sweep(long.MaxValue);
        Assert.Null(_bench.Settings.Services.Find("PUBLISHED"));
    }

    public static TheoryData<DomainType> Domains => new(Enum.GetValues<DomainType>());

    [Theory, MemberData(nameof(Domains))]
    public void Item_OfADomain_IsKeptAsWhatItConsistsOf(DomainType domain)
    {
        ItemTable table = new();
        CachedItem item = new(table, _bench.Published, "N"u8.ToArray(), domain);
        table.Enter(item);
        ItemState state = table.StateOf(item.Slot);
        Assert.Equal((domain == DomainType.MarketPrice, domain == DomainType.MarketByOrder), (state.IsFieldList, state.IsOrderBook));
        Assert.Equal(!state.IsFieldList && !state.IsOrderBook, item.PassThrough is not null);
    }

    /// <summary>The room of slots is kept for the next item: it is not made anew for each that comes and goes.</summary>
    [Fact]
    public void Item_ThatComesAndGoes_TakesNoRoomForManyEachTime()
    {
        const int Rounds = 1_000, MaxBytesOfItem = 2_048; // a segment's room has 256 times the state of an item
        for (int i = 0; i < 10; i++)
            _bench.Host.Items.Free(_bench.Create("N"));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Rounds; i++)
            _bench.Host.Items.Free(_bench.Create("N"));
        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / Rounds, 0, MaxBytesOfItem);
    }

    /// <summary>
    /// An item with several publishers is lost with the last of them: it has no stream, its data are suspect, and its watchers are notified.
    /// </summary>
    [Fact]
    public void PublishersGone_TheLastOne_LeavesTheItemWithoutAStream()
    {
        CachedItem item = _bench.Host.Items.Publish(_bench.Published, "P"u8, DomainType.MarketPrice);
        Assert.Same(item, _bench.Host.Items.Publish(_bench.Published, "P"u8, DomainType.MarketPrice));
        Assert.NotSame(item, _bench.Host.Items.Publish(_bench.Published, "P"u8, DomainType.MarketByOrder));
        Assert.NotSame(item, _bench.Host.Items.Publish(_bench.Published, "Q"u8, DomainType.MarketPrice));
        (item.StreamId, item.Image.IsOk) = (7, true);
        item.AddWatcher(0);
        Assert.Equal(2, item.Publishers);

        item.Publishers--;
        _bench.Host.Receiver.LosePublisher(item);
        Assert.Equal((7, true, null), (item.StreamId, item.Image.IsOk, item.LeftNanos));
        item.Publishers--;
        _bench.Host.Receiver.LosePublisher(item);
        Assert.Equal((0, false, true), (item.StreamId, item.Image.IsOk, item.LeftNanos is not null));
        Assert.True(_bench.Host.Items.Table.Has(item));
        ByteRing ring = _bench.Host.Broadcaster.Rings[0];
        ring.Publish();
        Assert.True(ring.TryRead(out RingRecord record) && record.Kind == (byte)SourceRecord.Received);
        Assert.True(ring.TryRead(out record) && record.Kind == (byte)SourceRecord.Status);
        Assert.False(ring.TryRead(out _));

        Assert.Same(item, _bench.Host.Items.Publish(_bench.Published, "P"u8, DomainType.MarketPrice));
        Assert.Null(item.LeftNanos);
        item.RemoveWatcher(0);
        item.Publishers--;
        _bench.Host.Receiver.LosePublisher(item); // without an image, and without a watcher
        Assert.False(_bench.Host.Items.Table.Has(item));
    }


    private static UpdateHeader Update(byte value)
    {
        byte[] message = new byte[UpdateHeader.Length + 7];
        UpdateHeader.Write(message, DomainType.MarketPrice, 5, DataType.FieldList, UpdateType.Quote);
        List(value).CopyTo(message, UpdateHeader.Length);
        Assert.True(UpdateHeader.TryRead(message, out UpdateHeader update));
        return update;
    }

    private static byte[] List(byte value) => [ListFlags.HasStandardData, 0, 1, 0, 22, 1, value];
}
