// OwnLoad [port] [updates] [seconds]: sends each consumer that many updates a second, of the items that it has requested; one update of every tick
// carries the time at which it was due. Counts and samples are in the worker's recording.
int port = args.Length > 0 ? int.Parse(args[0]) : 14002;
int updates = args.Length > 1 ? int.Parse(args[1]) : 1_000_000;
int seconds = args.Length > 2 ? int.Parse(args[2]) : 3600;
const int TickRate = 1_000;

WorkerRecording recording = new(onNotice: notice => Console.WriteLine(notice.Text));
using Reactor reactor = Reactor.On(new Worker(new WorkerOptions { TickRate = TickRate }, recording), new RecoveryOptions());
UpdateSource source = new(Load.Messages);
BurstPlan plan = new(MessageKind.Update, updates, stampRate: TickRate, TickRate, seed: 1, LatencyUnit.Microseconds, stampsDue: true);
ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1 }, Dictionary = FieldDictionary.Default };
port = reactor.Provide(options, () => new Load(source, plan), new ListenOptions { Port = port });
Console.WriteLine($"Listening on port {port}");

reactor.Start(); // a thread of its own accepts, answers requests, calls OnTick
Thread.Sleep(TimeSpan.FromSeconds(seconds));
reactor.RequestEnd();
reactor.Join(TimeSpan.FromSeconds(10));
CounterSet counts = recording.Counters;
Console.WriteLine($"Updates: {counts[Counter.UpdatesSent]} sent, {counts[Counter.UpdateStampsSent]} of them stamped, "
    + $"{counts[Counter.UpdatesNotSent]} due and not sent");

// The load of one connection: the refreshes and updates of the built-in message file.
internal sealed class Load(UpdateSource source, BurstPlan plan) : ProviderHandler
{
    private readonly ServedLoad _load = new(Messages, source, plan);

    public static MessageData Messages { get; } = MessageData.Default(FieldDictionary.Default);

    protected override bool WantsTicks => _load.WantsTicks;
    protected override bool IsBlocked => _load.IsBlocked;
    protected override int MaxRefreshBytes => _load.MaxRefreshBytes;
    protected override void OnOpened() => _load.Open(Session);
    protected override void EncodeRefresh(int item, ref RwfWriter writer) => _load.EncodeRefresh(item, ref writer);
    protected override bool OnTick(in TickInfo tick) => _load.Begin(tick);
    protected override void OnContinue() => _load.Send();
    protected override void OnFinishing() => _load.Discard();
}
