// OwnProvider [port] [seconds]: answers every item with a refresh, and sends each an update ten times a second.
int port = args.Length > 0 ? int.Parse(args[0]) : 14002;
int seconds = args.Length > 1 ? int.Parse(args[1]) : 3600;
ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Dictionary = FieldDictionary.Default };

using CancellationTokenSource end = new(TimeSpan.FromSeconds(seconds));
using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = port });
using Worker worker = new(new WorkerOptions { TickRate = 10, OnNotice = Console.WriteLine });
Task running = Task.Run(() => worker.Run(end.Token)); // where latency counts: a thread of its own
Console.WriteLine($"Listening on port {listener.Port}"); // a free one when 0 was asked for

while (!end.IsCancellationRequested && !running.IsCompleted)
{
    if (listener.TryAccept(TimeSpan.FromMilliseconds(100), out AcceptedConnection? accepted))
        worker.Serve(accepted, new ProviderSession(options, new Publisher())); // a session and a handler for each consumer
}

await running;

internal sealed class Publisher : ProviderHandler
{
    private readonly FieldListTemplate _refresh = new FieldListBuilder(FieldDictionary.Default)
        .Add("PROD_PERM", 3056).Add("DSPLY_NAME", "A company").Add("BID", 104.25m).Add("ASK", 104.27m).Add("TRADE_DATE", null) // blank
        .Build();

    protected override bool WantsTicks => Session.UpdatingItems > 0; // without this there are none

    protected override int MaxRefreshBytes => _refresh.EncodedBytes;

    protected override void EncodeRefresh(int item, ref RwfWriter writer) => _refresh.EncodeList(ref writer);

    protected override bool OnTick(in TickInfo tick)
    {
        decimal bid = 104.00m + (0.01m * tick.InSecond);
        FieldListTemplate update = new FieldListBuilder(FieldDictionary.Default).Add("BID", bid).Add("ASK", bid + 0.02m).Build();
        for (int i = 0; i < Session.UpdatingItems; i++)
            Session.TrySendUpdate(Session.UpdatingItemAt(i), update); // false: its consumer reads too slowly, and misses this one
        return true;
    }
}
