// OwnProvider [port] [seconds]: provides 1,000 items, answers requests for them, and publishes an update of each ten times per second.
int port = args.Length > 0 ? int.Parse(args[0]) : 14002;
int seconds = args.Length > 1 ? int.Parse(args[1]) : 3600;

ServedItems items = new();
FieldListTemplate refresh = new FieldListBuilder(FieldDictionary.Default)
    .Add("PROD_PERM", 3056).Add("DSPLY_NAME", "A company").Add("BID", 104.25m).Add("ASK", 104.27m).Add("TRADE_DATE", null) // blank
    .Build();
for (int i = 1; i <= 1_000; i++)
    items.Set($"RDT{i}", refresh);
FieldListTemplate update = new FieldListBuilder(FieldDictionary.Default).Add("BID", 0).Add("ASK", 0).Build().Copy(); // its values are set below

using Reactor reactor = new(options: new WorkerOptions { OnNotice = Console.WriteLine });
ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Dictionary = FieldDictionary.Default };
port = reactor.Provide(options, items.CreateHandler, new ListenOptions { Port = port }); // one handler per consumer
Console.WriteLine($"Listening on port {port}"); // a free one when 0 was given

TickSchedule schedule = new(tickRate: 10);
schedule.Start(Clock.NowNanos);
for (long end = Clock.NowNanos + (seconds * Clock.NanosPerSecond); Clock.NowNanos < end;)
{
    while (schedule.TryTakeTick(Clock.NowNanos, out TickInfo tick))
        Publish(tick.InSecond);
    reactor.Dispatch(TimeSpan.FromMilliseconds((schedule.NextDueNanos - Clock.NowNanos) / 1e6));
}

void Publish(int cents)
{
    update.Set(0, new RwfReal(10_400 + cents, RealHint.Exponent0 - 2)); // 104.00 and more
    update.Set(1, new RwfReal(10_402 + cents, RealHint.Exponent0 - 2));
    for (int item = 0; item < items.Count; item++)
        items.Publish(item, update, stamp: (ulong)Clock.NowMicros); // to all watchers; a slow consumer misses it
}
