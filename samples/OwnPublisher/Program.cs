// OwnPublisher [host:port] [seconds]: publishes three items to a hub, ten updates of each per second; republishes all after a reconnect.
string[] address = (args.Length > 0 ? args[0] : "localhost:14003").Split(':');
int seconds = args.Length > 1 ? int.Parse(args[1]) : 3600;

ServedItems items = new();
foreach (string name in (string[])["RDT1", "RDT2", "RDT3"])
    items.Set(name, Quote(104.25m));

using Reactor reactor = new(new RecoveryOptions { MaxRetry = TimeSpan.FromSeconds(5) }, new WorkerOptions { OnNotice = Console.WriteLine });
PublisherSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Items = items.ToList() };
ConnectOptions connect = new() { Host = address[0], Port = int.Parse(address[1]) };
RecoveringPublisher publisher = reactor.Publish(options, items.CreatePublisher(), connect);

TickSchedule schedule = new(tickRate: 10);
schedule.Start(Clock.NowNanos);
for (long end = Clock.NowNanos + (seconds * Clock.NanosPerSecond); Clock.NowNanos < end && publisher.Failure is null;)
{
    while (schedule.TryTakeTick(Clock.NowNanos, out TickInfo tick))
    {
        for (int item = 0; item < items.Count; item++)
            items.Publish(item, Quote(104.00m + (0.01m * tick.InSecond)));
    }

    reactor.Dispatch(TimeSpan.FromMilliseconds((schedule.NextDueNanos - Clock.NowNanos) / 1e6));
}

reactor.RequestEnd();
while (!reactor.HasEnded)
    reactor.Dispatch(TimeSpan.FromSeconds(1));
Console.WriteLine(publisher.Failure ?? $"Done; lost and back: {publisher.Losses}.");
return publisher.Failure is null ? 0 : 1;

static FieldListTemplate Quote(decimal bid) =>
    new FieldListBuilder(FieldDictionary.Default).Add("BID", bid).Add("ASK", bid + 0.02m).Build();
