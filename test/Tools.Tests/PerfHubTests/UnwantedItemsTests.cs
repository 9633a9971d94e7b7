using PerfHub.Upstream;
using Tools.Tests.PerfHubTests.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items without publisher and consumer, whose images are kept until a time is over.</summary>
[Trait("Category", "Fast")]
public sealed class UnwantedItemsTests : IDisposable
{
    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Item_ForTheTimeThatImagesAreKept_GoesThenAndNotBefore()
    {
        const long Keep = 100;
        UnwantedItems unwanted = new(Keep);
        CachedItem item = _bench.Create("KEPT");
        Assert.False(unwanted.TryKeep(item, 1_000)); // no image
        item.Image.Exists = true;
        Assert.False(new UnwantedItems(0).TryKeep(item, 999));
        item.LeftNanos = null;
        Assert.Equal((false, long.MaxValue), (unwanted.TryDequeueAny(out _), unwanted.NextDueNanos));
        Assert.True(unwanted.TryKeep(item, 1_000));
        Assert.True(unwanted.TryKeep(item, 1_050)); // at its place
        Assert.Equal((1, 1_100, 1_000), (unwanted.Count, unwanted.NextDueNanos, item.LeftNanos));
        Assert.False(unwanted.TryDequeueDue(1_099, out _));
        Assert.True(unwanted.TryDequeueDue(1_100, out CachedItem? due));
        Assert.Equal((item, 0, false), (due, unwanted.Count, item.IsKept));
        Assert.False(unwanted.TryKeep(item, 1_100));
    }

    [Fact]
    public void Item_ThatIsWantedAgain_StaysOrGetsItsTimeAnew()
    {
        UnwantedItems unwanted = new(keepNanos: 100);
        CachedItem wanted = _bench.Create("WANTED"), later = _bench.Create("LATER"), freed = _bench.Create("FREED");
        foreach (CachedItem item in (CachedItem[])[wanted, later, freed])
        {
            item.Image.Exists = true;
            Assert.True(unwanted.TryKeep(item, 1_000));
        }

        wanted.AddWatcher(0);
        later.LeftNanos = 1_050;
        _bench.Host.Items.Free(freed);
        for (int i = 0; i < 3; i++)
        {
            Assert.True(unwanted.TryDequeueDue(1_100, out CachedItem? item));
            Assert.Null(item);
        }

        Assert.Equal((1, 1_150), (unwanted.Count, unwanted.NextDueNanos));
        Assert.False(unwanted.TryDequeueDue(1_149, out _));
        wanted.RemoveWatcher(0);
        Assert.False(unwanted.TryKeep(wanted, 1_120)); // its provider left long ago
        wanted.LeftNanos = 1_120;
        Assert.True(unwanted.TryKeep(wanted, 1_120));
        later.AddWatcher(0);
        Assert.True(unwanted.TryDequeueAny(out CachedItem? any));
        Assert.Null(any);
        Assert.True(unwanted.TryDequeueAny(out any));
        Assert.Same(wanted, any);
        Assert.False(unwanted.TryDequeueAny(out _));
    }
}
