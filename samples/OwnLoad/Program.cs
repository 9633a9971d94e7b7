// OwnLoad [port] [updates] [seconds]: sends each consumer that many updates a second, of the items that it has requested; one update of every tick
// carries the time at which it was due.
int port = args.Length > 0 ? int.Parse(args[0]) : 14002;
int updates = args.Length > 1 ? int.Parse(args[1]) : 1_000_000;
int seconds = args.Length > 2 ? int.Parse(args[2]) : 3600;
const int TickRate = 1_000;

LoadCounts counts = new();
using Reactor reactor = new(options: new WorkerOptions { TickRate = TickRate, OnNotice = Console.WriteLine });
ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Dictionary = FieldDictionary.Default };
port = reactor.Provide(options, () => new Load(new RatePerTick(updates, TickRate), counts), new ListenOptions { Port = port });
Console.WriteLine($"Listening on port {port}");

reactor.Start(); // a thread of its own accepts, answers requests, calls OnTick
Thread.Sleep(TimeSpan.FromSeconds(seconds));
reactor.RequestEnd();
reactor.Join(TimeSpan.FromSeconds(10));
Console.WriteLine($"Updates: {counts.Sent} sent, {counts.Stamped} of them stamped, {counts.NotSent} due and not sent");

internal sealed class LoadCounts { public long Sent, Stamped, NotSent; }

// The load of one connection.
internal sealed class Load(RatePerTick rate, LoadCounts counts) : ProviderHandler
{
    private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);
    private int _next;
    private int _left; // updates that are due
    private ulong _stamp; // of the next one; 0 for none

    protected override bool WantsTicks => true;
    protected override bool IsBlocked => _left > 0;
    protected override int MaxRefreshBytes => Messages.Refresh.EncodedBytes;
    protected override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.Refresh.EncodeList(ref writer);

    protected override bool OnTick(in TickInfo tick)
    {
        if (Session.UpdatingItems < Session.OpenItems)
            return false; // nothing is due before every item has its image
        counts.NotSent += _left + rate.InTicks(tick.Index - tick.SkippedBefore, tick.SkippedBefore);
        _left = rate.InTick(tick.InSecond);
        _stamp = (ulong)(tick.DueNanos / 1_000);
        OnContinue();
        return true;
    }

    protected override void OnContinue()
    {
        for (; _left > 0 && Session.UpdatingItems > 0; _left--, _stamp = 0)
        {
            int item = Session.UpdatingItemAt(_next % Session.UpdatingItems);
            if (!Session.TrySendUpdate(item, Messages.Updates[_next % Messages.Updates.Count], _stamp))
                return; // called again when there is a free output buffer
            _next = (_next + 1) & int.MaxValue;
            counts.Sent++;
            counts.Stamped += _stamp > 0 ? 1 : 0;
        }
    }

    protected override void OnFinishing() => counts.NotSent += _left;
}
