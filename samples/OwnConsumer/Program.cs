// OwnConsumer [host:port] [messages]: prints bid and ask of three items until so many messages came, over losses of the provider.
string[] address = (args.Length > 0 ? args[0] : "localhost:14002").Split(':');
int messages = args.Length > 1 ? int.Parse(args[1]) : 20;

using Reactor reactor = new(new RecoveryOptions { Watchlist = true }, new WorkerOptions { OnNotice = Console.WriteLine });
RecoveringConsumer consumer = reactor.Consume(
    new() { ServiceName = "DIRECT_FEED" }, new Printer(reactor, messages), new() { Host = address[0], Port = int.Parse(address[1]) });
foreach (string name in (string[])["RDT1", "RDT2", "RDT3"])
    consumer.Session.Subscribe(name); // a handle; of items that are shared there may be many

while (!reactor.HasEnded && consumer.Failure is null) // null also while it is away and will be back
    reactor.Dispatch(TimeSpan.FromSeconds(1)); // on this thread; Start would take one of its own
Console.WriteLine(consumer.Failure?.Text ?? "Done.");
return consumer.Failure is null ? 0 : 1;

internal sealed class Printer(Reactor reactor, int messages) : ConsumerHandler
{
    private int _left = messages;

    protected override void OnRefresh(int item, scoped in RwfMsg refresh) => Print("refresh", item, Session.ValuesOf(refresh));

    protected override void OnUpdate(int item, scoped in UpdateHeader update) => Print("update", item, Session.ValuesOf(update));

    // The connection or the service is gone, or back: no message of the item's own said so.
    protected override void OnItemState(int item, scoped in RwfState state) =>
        Console.WriteLine($"{NameOf(item)} is {state.StreamState}, {state.DataState}");

    private void Print(string what, int item, scoped FieldValues values)
    {
        if (_left-- <= 0)
            return; // what was under way when the end was asked for is still read
        Console.WriteLine($"{what,-7} {NameOf(item)}:  BID {values.TextOf("BID")}  ASK {values.TextOf("ASK")}");
        if (_left == 0)
            reactor.RequestEnd();
    }

    private string NameOf(int item) => Encoding.UTF8.GetString(Session.NameOf(item));
}
