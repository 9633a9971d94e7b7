using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items without publisher and consumer, whose images are kept until a time is over.</summary>
[Trait("Category", "Fast")]
public sealed class UnwantedItemsTests : IDisposable
{
    private readonly Worker _worker = new(new WorkerOptions(), new WorkerRecording());
    private readonly ServiceTable _services = new();
    private readonly UpstreamThread _host;
    private readonly ServiceItems _service;

    public UnwantedItemsTests()
    {
        _host = new UpstreamThread(0, _worker, new SourceSettings { Services = _services }, [new SleepFlag(_worker)]);
        HubService offered = new()
        {
            Offer = new ServiceOffer { Name = "FEED", Id = 1 },
            Dictionary = new DictionaryProvider(FieldDictionary.Default),
        };
        _service = _host.Items.Offer([offered], _host.Items.Publishers)[0]!;
    }

    public void Dispose() => _worker.Dispose();

    [Fact]
    public void Item_ForTheTimeThatImagesAreKept_GoesThenAndNotBefore()
    {
        const long Keep = 100;
        UnwantedItems unwanted = new(Keep);
        CachedItem item = Create("KEPT");
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
        CachedItem wanted = Create("WANTED"), later = Create("LATER"), freed = Create("FREED");
        foreach (CachedItem item in (CachedItem[])[wanted, later, freed])
        {
            item.Image.Exists = true;
            Assert.True(unwanted.TryKeep(item, 1_000));
        }

        wanted.AddWatcher(0);
        later.LeftNanos = 1_050;
        _host.Items.Free(freed);
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

    private CachedItem Create(string name) => _host.Items.Create(_service, System.Text.Encoding.ASCII.GetBytes(name), DomainType.MarketPrice);
}
