// LatencyTest: an xUnit test that asserts the 99th percentile of latency between a provider and a consumer in one process.
public sealed class LatencyTests
{
    private static readonly FieldListTemplate Quote = new FieldListBuilder(FieldDictionary.Default).Add("BID", 104.25m).Build();

    [Fact]
    public void Updates_AtOneThousandASecond_HaveTheirP99Below100Milliseconds()
    {
        using Reactor provider = new(), consumer = new();
        ServedItems items = new();
        int item = items.Set("RDT1", Quote);
        ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Dictionary = FieldDictionary.Default };
        int port = provider.Provide(options, items.CreateHandler, new ListenOptions { Port = 0 });
        Meter meter = new();
        consumer.Consume(new() { ServiceName = "DIRECT_FEED" }, meter, new() { Host = "localhost", Port = port }).Session.Subscribe("RDT1");
        consumer.Start(); // starts its own thread; the provider uses this one
        TickSchedule schedule = new(tickRate: 1_000);
        schedule.Start(Clock.NowNanos);
        for (int published = 0; published < 2_000; provider.Dispatch(TimeSpan.FromMilliseconds(1)))
        {
            while (published < 2_000 && schedule.TryTakeTick(Clock.NowNanos, out TickInfo tick))
                published += items.Publish(item, Quote, stamp: (ulong)tick.DueNanos / 1_000); // the time when it was due: stalls of the provider count too
        }

        consumer.RequestEnd();
        while (!consumer.Join(TimeSpan.Zero))
            provider.Dispatch(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2_000, meter.Latency.TotalCount);
        Assert.InRange(meter.Latency.GetValueAtPercentile(99), 1, 100_000);
    }

    private sealed class Meter : ConsumerHandler
    {
        public LongHistogram Latency { get; } = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);

        protected override void OnUpdate(int item, scoped in UpdateHeader update) => // TIM_TRK_1
            Latency.RecordValue(Session.ValuesOf(update).TryGet(3902, out long stamp) ? Clock.NowMicros - stamp : long.MaxValue);
    }
}
