// LossCheck [updates] [seconds]: a provider and a consumer in one program. Every update has 100 bytes and a count of its item's updates, by which the
// consumer detects those that are missing, repeated or out of order. Exit code 1 where there are any.
int rate = args.Length > 0 ? int.Parse(args[0]) : 100_000, seconds = args.Length > 1 ? int.Parse(args[1]) : 5;
const int TickRate = 1_000;
LossCounts counts = new();
using Reactor providing = new(options: new WorkerOptions { TickRate = TickRate }), consuming = new();
ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Dictionary = FieldDictionary.Default };
int port = providing.Provide(options, () => new Sender(new RatePerTick(rate, TickRate), counts), new ListenOptions { Port = 0 });
RecoveringConsumer consumer = consuming.Consume(
    new() { ServiceName = "DIRECT_FEED" }, new Receiver(counts), new() { Host = "localhost", Port = port });
consumer.Session.Subscribe([.. Enumerable.Range(0, 100).Select(i => $"ITEM{i}")]);
providing.Start();
consuming.Start();
Thread.Sleep(TimeSpan.FromSeconds(seconds));
foreach (Reactor reactor in (Reactor[])[providing, consuming]) // what was sent arrives before the end of its connection
{
    reactor.RequestEnd();
    reactor.Join(TimeSpan.FromSeconds(10));
}

Console.WriteLine($"Updates: {counts.Sent} sent, {counts.Received} received, {counts.Missing} missing, {counts.Misplaced} repeated or out of order");
return counts.Sent > 0 && (counts.Received, counts.Missing, counts.Misplaced) == (counts.Sent, 0, 0) ? 0 : 1;

internal sealed class LossCounts { public long Sent, Received, Missing, Misplaced; }

internal sealed class Sender(RatePerTick rate, LossCounts counts) : ProviderHandler
{
    private static readonly SizedMessages Messages = new(bytes: 100, fields: 9);
    private readonly int[] _counts = [.. Enumerable.Repeat(SizedMessages.FirstCount, 100)];
    private int _next, _left; // updates that are due

    private int Item => Session.UpdatingItemAt(_next % Session.UpdatingItems);
    protected override bool WantsTicks => true;
    protected override bool IsBlocked => _left > 0;
    protected override int MaxRefreshBytes => Messages.MaxRefreshBytes;
    protected override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.EncodeRefresh(ref writer, _counts[item]);
    protected override bool OnTick(in TickInfo tick) => (_left += Session.UpdatingItems > 0 ? rate.InTick(tick.InSecond) : 0) > 0;

    protected override void OnContinue()
    {
        for (; _left > 0 && Session.UpdatingItems > 0 && Session.TrySendSizedUpdate(Item, Messages, ref _counts[Item]); _left--, counts.Sent++)
            _next = (_next + 1) & int.MaxValue;
    }
}

internal sealed class Receiver(LossCounts counts) : ConsumerHandler
{
    private readonly SizedSequence[] _items = new SizedSequence[100];

    protected override void OnRefresh(int item, scoped in RwfMsg refresh) => _items[item].Begin(SizedCount.OfImage(refresh.Payload));

    protected override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        SequenceStep step = _items[item].Receive(SizedCount.Read(update.Payload), out int skipped);
        counts.Received++;
        counts.Missing += skipped - (step == SequenceStep.Late ? 1 : 0);
        counts.Misplaced += step is SequenceStep.Next or SequenceStep.Skipped ? 0 : 1;
    }
}
