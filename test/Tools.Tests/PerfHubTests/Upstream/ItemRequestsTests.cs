using PerfCommon.Codec;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Requests for items whose images are cached: what the source is requested, and what the consumer receives.</summary>
[Trait("Category", "Fast")]
public sealed class ItemRequestsTests : IDisposable
{
    private const ItemRequestMarks Streaming = ItemRequestMarks.Streaming;

    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Request_OfAnUnknownItem_IsSentToTheSourceOnceAndWatchedByEach()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        Assert.Equal(["Open A"], _bench.Source.Take());
        Assert.Equal((SourceRecord.Watch, item.Slot, SourceBench.AddressOf(5), ""), Described(0));
        Assert.Equal((true, false, false, true), (item.Terms.IsShared, item.Terms.IsPrivate, item.Terms.IsSnapshot, item.Image is
        {
            Exists: false,
            IsOk: false
        }));

        _bench.Request(2, _bench.Feed, 9, "A");
        Assert.Empty(_bench.Source.Take());
        Assert.Equal((SourceRecord.Watch, item.Slot, SourceBench.AddressOf(9), ""), Described(2));
        Assert.Empty(_bench.Read(1));
        Assert.Equal((2, 1), (item.Watchers, _bench.Host.Items.Table.Count));
        Assert.Equal([true, false, true], Enumerable.Range(0, 3).Select(_bench.Host.Items.Table.StateOf(item.Slot).IsWatchedAt));

        _bench.DeliverImage(item);
        Assert.Equal(("Image", "", "Image"), (_bench.Kinds(0), _bench.Kinds(1), _bench.Kinds(2)));
    }

    [Theory]
    [InlineData(true, false, "Refresh 5 Open/Ok A@11 solicited clear complete [22=1]")]
    [InlineData(false, false, "Refresh 5 Open/Suspect A@11 solicited clear complete [22=1]")]
    [InlineData(true, true, "Refresh 5 Open/Ok A@11 solicited clear complete typed [22=1]")]
    public void Request_OfAnItemWithItsImage_IsAnsweredFromTheCache(bool isOk, bool hasNameType, string answer)
    {
        _bench.Request(0, _bench.Feed, 4, "A");
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        _bench.DeliverImage(item, isOk: isOk);
        _bench.Source.Take();
        _bench.Request(1, _bench.Feed, 5, "A", Streaming | (hasNameType ? ItemRequestMarks.NameType : 0));
        Assert.Equal((SourceRecord.WatchWithAnswer, item.Slot, SourceBench.AddressOf(5), answer), Described(1));
        Assert.Empty(_bench.Source.Take());
        Assert.Equal(2, item.Watchers);
    }

    /// <summary>The images of an item state a type of the name where the first request had one.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Image_OfAnItem_HasTheTypeOfTheNameOfItsFirstRequest(bool first)
    {
        _bench.Request(0, _bench.Feed, 4, "A", Streaming | (first ? ItemRequestMarks.NameType : 0));
        _bench.Request(0, _bench.Feed, 5, "A", Streaming | (first ? 0 : ItemRequestMarks.NameType));
        _bench.Read(0);
        _bench.DeliverImage(_bench.Find(_bench.Feed, "A")!);
        Assert.Equal($"Refresh 0 Open/Ok A@11 clear complete{(first ? " typed" : "")} [22=1]", SourceBench.Describe(_bench.Read(0)[0].Bytes));
    }

    [Fact]
    public void Request_OfAPrivateStream_IsAnItemOfItsOwnAtTheSource()
    {
        _bench.Request(0, _bench.Feed, 4, "A");
        CachedItem common = _bench.Find(_bench.Feed, "A")!;
        _bench.DeliverImage(common);
        _bench.Request(0, _bench.Feed, 5, "A", Streaming | ItemRequestMarks.Private);
        Assert.Equal(["Open A", "Open A"], _bench.Source.Take());
        Assert.Equal(2, _bench.Host.Items.Table.Count);
        Assert.Same(common, _bench.Find(_bench.Feed, "A"));
        (SourceRecord kind, int slot, _) = _bench.Read(0)[^1];
        Assert.Equal((SourceRecord.Watch, false), (kind, slot == common.Slot));
        CachedItem own = _bench.Host.Items.Table[slot]!;
        Assert.Equal((true, false, 1, 1), (own.Terms.IsPrivate, own.Terms.IsShared, own.Watchers, common.Watchers));

        _bench.DeliverImage(own, value: 9);
        Assert.Equal("Refresh 0 Open/Ok A@11 clear complete private [22=9]", SourceBench.Describe(Assert.Single(_bench.Read(0)).Bytes));
    }

    [Fact]
    public void Request_WithoutACache_IsSentToTheSourceEachTime()
    {
        using SourceBench bench = new(new SourceSettings { Services = new ServiceTable(), IsCaching = false });
        bench.Request(0, bench.Feed, 4, "A");
        bench.Request(0, bench.Feed, 5, "A");
        bench.Request(0, bench.Unsourced, 6, "A");
        bench.Request(0, bench.Unsourced, 7, "A");
        Assert.Equal(["Open A", "Open A"], bench.Source.Take());
        Assert.Null(bench.Find(bench.Feed, "A"));
        Assert.Equal(2, bench.Find(bench.Unsourced, "A")!.Watchers); // what is not requested is shared anyway
        Assert.Equal(3, bench.Host.Items.Table.Count);
    }

    [Fact]
    public void Request_OfAnOrderBook_IsAnotherItemThanThePriceOfItsName()
    {
        _bench.Request(0, _bench.Feed, 4, "A");
        _bench.Request(0, _bench.Feed, 5, "A", Streaming | ItemRequestMarks.OrderBook);
        Assert.Equal(["Open A", "Open A"], _bench.Source.Take());
        CachedItem price = _bench.Find(_bench.Feed, "A")!, book = _bench.Find(_bench.Feed, "A", DomainType.MarketByOrder)!;
        Assert.Equal((DomainType.MarketPrice, DomainType.MarketByOrder, 1, 1), (price.Domain, book.Domain, price.Watchers, book.Watchers));
    }

    [Theory]
    [InlineData(0, "")]
    [InlineData((int)ItemRequestMarks.Private, " private")]
    [InlineData((int)ItemRequestMarks.Streaming, "")]
    [InlineData((int)(ItemRequestMarks.Streaming | ItemRequestMarks.Private), " private")]
    public void Request_OfAServiceThatIsGone_IsRefused(int marks, string isPrivate)
    {
        ServiceItems gone = new(_bench.Feed.Service with { Serial = 99 }, _bench.Source);
        _bench.Request(1, gone, 5, "A", (ItemRequestMarks)marks);
        Assert.Equal((SourceRecord.Answer, 0, SourceBench.AddressOf(5),
            $"Status 5 Closed/Suspect/SourceUnknown the service is not known{isPrivate}"), Described(1));
        Assert.Empty(_bench.Source.Take());
        Assert.Equal(0, _bench.Host.Items.Table.Count);
    }

    /// <summary>An item that no publisher has published, by the setting of the hub.</summary>
    [Theory]
    [InlineData(nameof(UncachedAnswer.Image), true, "WatchWithAnswer Refresh 5 Open/Suspect A@12 solicited clear complete []", 1)]
    [InlineData(nameof(UncachedAnswer.Image), false, "Answer Refresh 5 NonStreaming/Suspect A@12 solicited clear complete []", 0)]
    [InlineData(nameof(UncachedAnswer.Status), true, "WatchWithAnswer Status 5 Open/Suspect/None the item is not published yet", 1)]
    [InlineData(nameof(UncachedAnswer.Status), false, "Answer Status 5 Closed/Suspect/NotFound the item is not published", 0)]
    [InlineData(nameof(UncachedAnswer.Closed), true, "Answer Status 5 Closed/Suspect/NotFound the item is not published", 0)]
    [InlineData(nameof(UncachedAnswer.Closed), false, "Answer Status 5 Closed/Suspect/NotFound the item is not published", 0)]
    public void Request_OfAnUnpublishedItem_IsAnsweredAsTheHubIsSet(string uncached, bool isStreaming, string answer, int items)
    {
        using SourceBench bench = new(new SourceSettings { Services = new ServiceTable(), Uncached = Enum.Parse<UncachedAnswer>(uncached) });
        for (int round = 0; round < 2; round++)
        {
            bench.Request(0, bench.Published, 5, "A", isStreaming ? Streaming : 0);
            (SourceRecord kind, _, StreamAddress address, byte[] message) = bench.ReadAddressed(0);
            Assert.Equal((answer, SourceBench.AddressOf(5)), ($"{kind} {SourceBench.Describe(message)}", address));
            Assert.Equal(items, bench.Host.Items.Table.Count);
        }

        bench.Publish("A");
        bench.DeliverImage(bench.Find(bench.Published, "A")!);
        bench.Read(0);
        bench.Request(0, bench.Published, 5, "A", isStreaming ? Streaming : 0);
        Assert.Equal($"Refresh 5 {(isStreaming ? "Open" : "NonStreaming")}/Ok A@12 solicited clear complete [22=1]", Described(bench, 0).Message);
        Assert.Empty(bench.Source.Take());
    }

    /// <summary>An image in parts answers requests once its last part is there, also one in place of an earlier image.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Request_BetweenThePartsOfAnImage_WaitsForTheLast(bool hadImage)
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        if (hadImage)
            _bench.DeliverImage(item, field: 30);
        _bench.Read(0);
        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 1), flags: RefreshFlags.ClearCache));
        _bench.Request(1, _bench.Feed, 6, "A");
        Assert.Equal(SourceRecord.Watch, _bench.ReadAddressed(1).Kind);
        _bench.Request(1, _bench.Feed, 7, "A", 0);
        Assert.Equal(SourceRecord.Await, _bench.ReadAddressed(1).Kind);
        _bench.Reissue(0, item.Slot, 5, "A");
        (SourceRecord kind, _, _, string message) = Described(0);
        Assert.Equal((SourceRecord.Reissued, ""), (kind, message));

        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(25, 1)));
        Assert.Equal("Image", _bench.Kinds(0));
        List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = _bench.Read(1);
        Assert.Equal([SourceRecord.Image, SourceRecord.Answer], records.Select(record => record.Kind));
        Assert.Equal("Refresh 0 Open/Ok A@11 clear complete [22=1 25=1]", SourceBench.Describe(records[0].Bytes));
        Assert.Equal("Refresh 7 NonStreaming/Ok A@11 solicited clear complete [22=1 25=1]",
            SourceBench.Describe(records[1].Bytes[StreamAddress.Bytes..]));
        Assert.Equal(["Open A"], _bench.Source.Take());
    }

    /// <summary>Of a publisher they are answered at once, by an image that is not good yet.</summary>
    [Fact]
    public void Request_BetweenThePartsOfAPublishedImage_IsAnsweredAsSuspect()
    {
        CachedItem item = _bench.Publish("A");
        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 1), flags: RefreshFlags.ClearCache));
        _bench.Request(0, _bench.Published, 5, "A");
        Assert.Equal("Refresh 5 Open/Suspect A@12 solicited clear complete [22=1]", Described(0).Message);
        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(25, 1)));
        Assert.Equal("Refresh 0 Open/Ok A@12 clear complete [22=1 25=1]", SourceBench.Describe(Assert.Single(_bench.Read(0)).Bytes));
    }

    /// <summary>An item of a service without a source is there, good and empty, and gone with its watcher.</summary>
    [Theory]
    [InlineData(true, "WatchWithAnswer Refresh 5 Open/Ok A@13 solicited clear complete []", 1)]
    [InlineData(false, "Answer Refresh 5 NonStreaming/Ok A@13 solicited clear complete []", 0)]
    public void Request_OfAServiceWithoutASource_IsAnEmptyImage(bool isStreaming, string answer, int items)
    {
        _bench.Request(0, _bench.Unsourced, 5, "A", isStreaming ? Streaming : 0);
        (SourceRecord kind, int slot, _, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((answer, items), ($"{kind} {SourceBench.Describe(message)}", _bench.Host.Items.Table.Count));
        if (!isStreaming)
            return;
        _bench.Send(0, SessionRecord.Unwatch, slot, []);
        Assert.Equal(0, _bench.Host.Items.Table.Count);
    }

    [Theory]
    [InlineData(false, "Refresh 5 Open/Ok A@12 solicited clear complete [22=1]")]
    [InlineData(true, "Refresh 5 Open/Ok A@12 solicited clear complete private [22=1]")]
    public void Request_OfAPublishedItem_IsPrivateAsAFormOfIt(bool isPrivate, string answer)
    {
        CachedItem item = _bench.Publish("A");
        _bench.DeliverImage(item);
        _bench.Request(0, _bench.Published, 5, "A", Streaming | (isPrivate ? ItemRequestMarks.Private : 0));
        (SourceRecord kind, int slot, _, string message) = Described(0);
        Assert.Equal((SourceRecord.WatchWithAnswer, answer, isPrivate), (kind, message, slot != item.Slot));
        Assert.Equal((1, 1, false), (item.Watchers, _bench.Host.Items.Table.Count, item.Terms.IsPrivate));
        Assert.Equal(isPrivate ? 1 : 0, item.Forms?.Count ?? 0);
    }

    /// <summary>The time since which an image of a publisher is kept goes on; an item without a source is wanted again.</summary>
    [Fact]
    public void Request_OfAnItemThatIsKept_LeavesItsTimeToThePublisher()
    {
        CachedItem published = _bench.Publish("A");
        _bench.DeliverImage(published);
        published.LeftNanos = 77;
        _bench.Request(0, _bench.Published, 5, "A");
        Assert.Equal(77, published.LeftNanos);
        _bench.Request(0, _bench.Unsourced, 6, "A");
        CachedItem own = _bench.Find(_bench.Unsourced, "A")!;
        own.LeftNanos = 78;
        _bench.Request(0, _bench.Unsourced, 7, "A");
        Assert.Null(own.LeftNanos);
    }

    private (SourceRecord Kind, int Slot, StreamAddress Address, string Message) Described(int session) => Described(_bench, session);

    private static (SourceRecord Kind, int Slot, StreamAddress Address, string Message) Described(SourceBench bench, int session)
    {
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = bench.ReadAddressed(session);
        return (kind, slot, address, SourceBench.Describe(message));
    }
}
