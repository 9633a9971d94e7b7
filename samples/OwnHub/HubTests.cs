// OwnHub: an xUnit test of a publisher and a consumer against a distribution hub in the same process.
public sealed class HubTests
{
    private static readonly FieldListTemplate Quote = new FieldListBuilder(FieldDictionary.Default).Add("BID", 104.25m).Build();

    [Fact]
    public async Task Updates_OfAPublisher_ReachTheConsumerThroughTheHub()
    {
        await using Hub hub = await Hub.StartAsync(new HubOptions());
        using Reactor reactor = new();
        ServedItems items = new();
        int item = items.Set("RDT1", Quote);
        PublisherSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Items = items.ToList() };
        reactor.Publish(options, items.CreatePublisher(), new() { Host = "localhost", Port = hub.PublisherPort });
        Counter counter = new();
        reactor.Consume(new() { ServiceName = "DIRECT_FEED" }, counter, new() { Host = "localhost", Port = hub.ConsumerPort }).Session.Subscribe("RDT1");

        for (long end = Clock.NowNanos + (30 * Clock.NanosPerSecond); counter.Updates < 100 && Clock.NowNanos < end;)
        {
            if (counter.HasImage)
                items.Publish(item, Quote);
            reactor.Dispatch(TimeSpan.FromMilliseconds(1));
        }

        HubSnapshot counted = await hub.SnapshotAsync();
        Assert.Equal((1, 1, 0L), (counted.Publishers, counted.Subscriptions, counted.UpdatesLost));
        Assert.InRange(counter.Updates, 100, counted.UpdatesReceived);
    }

    private sealed class Counter : ConsumerHandler
    {
        public bool HasImage { get; private set; }

        public long Updates { get; private set; }

        protected override void OnRefresh(int item, scoped in RwfMsg refresh) => HasImage = true;

        protected override void OnUpdate(int item, scoped in UpdateHeader update) => Updates++;
    }
}
