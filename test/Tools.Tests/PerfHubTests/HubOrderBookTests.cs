using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items of market by order through a hub: images from the cache, and every change of a book once and in order.</summary>
[Trait("Category", "Fast")]
public class HubOrderBookTests
{
    private const int ProviderPort = 201;
    private const int MaxQueueBytes = 65_536;
    private static readonly string[] Names = [.. Enumerable.Range(1, 20).Select(i => $"B{i}")];

    [Fact]
    public void Books_OfASource_AreAskedForOnceAndComeInOrderToWhoeverComesLater()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, BookProvider.CreateSession);
        BookConsumer[] handlers = [new(), new(), new()];
        foreach (BookConsumer handler in handlers)
        {
            Consume(hub, handler, NumberProvider.ServiceName);
            hub.Until(() => handler.Updates > 200, () => $"{handler.Images} images, {string.Join(", ", handler.Faults)}");
        }

        Assert.All(handlers, handler => Assert.Empty(handler.Faults));
        Assert.All(handlers, handler => Assert.Equal(Names.Length, handler.Images));
        Assert.Equal(Names.Length, hub.Count(Counter.RequestsSent));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped));
    }

    [Fact]
    public void Source_KilledAndBack_ItsBooksAreReplaced()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, BookProvider.CreateSession);
        BookConsumer first = new();
        ConsumerSession session = Consume(hub, first, NumberProvider.ServiceName);
        hub.Until(() => first.Updates > 200);
        hub.KillProvider(ProviderPort);
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 0);
        hub.Stop(session); // its books are ahead of those that begin anew
        hub.StartProvider(ProviderPort, BookProvider.CreateSession);
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        BookConsumer second = new();
        Consume(hub, second, NumberProvider.ServiceName);
        hub.Until(() => second.Images >= Names.Length && second.Updates > 200);
        Assert.Empty(second.Faults);
    }

    [Fact]
    public void OneName_InBothDomains_IsTwoItems()
    {
        using MemoryHub hub = new();
        foreach (ItemList items in (ItemList[])[Books(["A"]), ItemList.Create(["A"])])
            Publish(hub, items);
        hub.Until(() => hub.Sources.Recording[HubGauge.Items] == 2);
        (BookConsumer books, NumberConsumer prices) = (new(), new());
        hub.Connect(CreateConsumer(books, "PUBLISHED", Books(["A"])));
        hub.Connect(CreateConsumer(prices, "PUBLISHED", ItemList.Create(["A"])));
        hub.Until(() => books.Updates > 50 && prices.Updates > 50, () => $"{books.Updates} and {prices.Updates} updates");

        Assert.Empty(books.Faults);
        Assert.Empty(prices.Faults);
        Assert.Equal((1, 1), (books.Images, prices.Images));
        Assert.Equal(2L, hub.Sources.Recording[HubGauge.Items]);
    }

    [Fact]
    public void UnpublishedBook_IsAnEmptyMapUntilItIsThere()
    {
        using MemoryHub hub = new();
        BookConsumer early = new();
        hub.Publish(new NumberPublisher(), "PUBLISHED", "N1"); // the service is there, the book is not
        Consume(hub, early, "PUBLISHED");
        hub.Until(() => early.TemporaryImages == Names.Length);
        Publish(hub, Books(Names));
        hub.Until(() => early.Images == Names.Length && early.Updates > 50);
        Assert.Empty(early.Faults);
    }

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.Conflate)]
    internal void StoppedReader_OfBooks_IsCutOrGetsThemWholeAndHoldsNobodyUp(SlowConsumerPolicy slow)
    {
        using MemoryHub hub = new(new HubPerfOptions { Slow = slow, MaxQueueBytes = MaxQueueBytes });
        hub.AddProvider(ProviderPort, BookProvider.CreateSession);
        (BookConsumer stopped, BookConsumer running) = (new(), new());
        ConsumerSession sleeper = Consume(hub, stopped, NumberProvider.ServiceName);
        Consume(hub, running, NumberProvider.ServiceName);
        hub.Until(() => stopped.Updates > 100 && running.Updates > 100);
        hub.Stop(sleeper);
        int before = running.Updates;
        hub.Until(() =>
            hub.Count(HubCounter.ConnectionsCut) + hub.Count(HubCounter.UpdatesConflated) > 0 && running.Updates > before + 20_000);
        hub.Resume(sleeper);
        hub.Until(() => slow == SlowConsumerPolicy.Disconnect
            ? sleeper.Closed is not null
            : Enumerable.Range(0, Names.Length).All(item => stopped.LastOf(item) + 10 > running.LastOf(item)),
            () => string.Join(", ", stopped.Faults));

        Assert.Empty(running.Faults);
        Assert.Empty(stopped.Faults);
        Assert.Equal(Names.Length, running.Images);
        Assert.Equal(slow == SlowConsumerPolicy.Disconnect, hub.Count(HubCounter.ConnectionsCut) == 1);
        Assert.Equal(slow == SlowConsumerPolicy.Conflate, stopped.Images > Names.Length);
        Assert.Equal(0, hub.Count(HubCounter.UpdatesDropped));
        Assert.InRange(hub.Sessions.Recording[Gauge.QueuedBytesMax], MaxQueueBytes, 4 * MaxQueueBytes);
    }

    [Fact]
    public void Posts_ToABookWithoutASource_AreMergedOrderByOrder()
    {
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", 5)] });
        TalkingPeer peer = hub.Talk();
        peer.Say(Wire.Encode(RequestOf("A")));
        hub.Until(() => peer.Answers.Count == 1);
        Assert.Equal(0, Read(peer.Last(MsgClass.Refresh)));
        Post(peer, 1, MapAction.Add);
        Post(peer, 2, MapAction.Add);
        Post(peer, 1, MapAction.Delete);
        Post(peer, 3, MapAction.Update);
        hub.Until(() => peer.Updates == 4);

        peer.Say(Wire.Encode(RequestOf("A"))); // again
        hub.Until(() => peer.Answers.Count == 2);
        Assert.Equal(2, Read(peer.Last(MsgClass.Refresh)));
        Assert.Equal((4L, 0L), (hub.Count(Counter.PostsReflected), hub.Count(HubCounter.PostsCopied)));
    }

    private static ConsumerSession Consume(MemoryHub hub, BookConsumer handler, string service)
    {
        ConsumerSession session = CreateConsumer(handler, service, Books(Names));
        hub.Connect(session);
        return session;
    }

    private static ConsumerSession CreateConsumer(ConsumerHandler handler, string service, ItemList items) =>
        new(new ConsumerSessionOptions { ServiceName = service, Items = items, Dictionary = FieldDictionary.Default }, handler);

    private static void Publish(MemoryHub hub, ItemList items)
    {
        PublisherSessionOptions options = new()
        {
            Service = new ServiceOffer { Name = "PUBLISHED", Id = 9, HasOrderBooks = true },
            Items = items,
        };
        hub.Connect(new PublisherSession(options, new BookPublisher()), asPublisher: true);
    }

    private static ItemList Books(string[] names) => ItemList.Create(names, ItemFlags.MarketByOrder);

    private static RwfMsg RequestOf(string name)
    {
        RwfMsg request = TalkingPeer.Request(6, 5, name);
        request.DomainType = DomainType.MarketByOrder;
        return request;
    }

    private static int Read(scoped in RwfMsg image)
    {
        Assert.Equal((DomainType.MarketByOrder, DataType.Map), (image.DomainType, image.ContainerType));
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(image.Payload, out MapReader map));
        return map.Shared.Entries.Count;
    }

    private static void Post(TalkingPeer peer, ulong order, MapAction action)
    {
        byte[] room = new byte[64];
        RwfWriter writer = new(room);
        writer.BeginMap(DataType.UInt, DataType.FieldList);
        writer.BeginMapEntry(action, order);
        if (action != MapAction.Delete)
        {
            writer.BeginFieldList();
            writer.WriteUIntField(22, order);
            writer.EndFieldList();
        }

        writer.EndEntry();
        writer.EndMap();
        peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketByOrder,
            StreamId = 6,
            Flags = PostFlags.PostComplete,
            ContainerType = DataType.Map,
            Payload = room.AsSpan(0, writer.Written),
        }));
    }
}
