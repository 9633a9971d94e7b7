// OwnConsumer [host:port] [messages]: prints bid and ask of three items until that number of messages has arrived, and reconnects to a lost provider.
string[] address = (args.Length > 0 ? args[0] : "localhost:14002").Split(':');
int messages = args.Length > 1 ? int.Parse(args[1]) : 20;

using Reactor reactor = new(options: new WorkerOptions { OnNotice = Console.WriteLine });
RecoveringConsumer consumer = reactor.Consume(
    new() { ServiceName = "DIRECT_FEED" }, new Printer(reactor, messages), new() { Host = address[0], Port = int.Parse(address[1]) });
foreach (string name in (string[])["RDT1", "RDT2", "RDT3"])
    consumer.Session.Subscribe(name); // returns a handle; several handles may share an item

while (!reactor.HasEnded && consumer.Failure is null) // null also while it is reconnecting
    reactor.Dispatch(TimeSpan.FromSeconds(1)); // on this thread; Start would use a new one
Console.WriteLine(consumer.Failure?.Text ?? "Done.");
return consumer.Failure is null ? 0 : 1;

internal sealed class Printer(Reactor reactor, int messages) : ConsumerHandler
{
    private int _left = messages;

    protected override void OnRefresh(int item, scoped in RwfMsg refresh) => Print("refresh", item, Session.ValuesOf(refresh));

    protected override void OnUpdate(int item, scoped in UpdateHeader update) => Print("update", item, Session.ValuesOf(update));

    // The connection or the service was lost or has recovered: the item received no status message.
    protected override void OnItemState(int item, scoped in RwfState state) =>
        Console.WriteLine($"{NameOf(item)} is {state.StreamState}, {state.DataState}");

    private void Print(string what, int item, scoped FieldValues values)
    {
        if (_left-- <= 0)
            return; // messages that were under way are still read after the end
        Console.WriteLine($"{what,-7} {NameOf(item)}:  BID {values.TextOf("BID")}  ASK {values.TextOf("ASK")}");
        if (_left == 0)
            reactor.RequestEnd();
    }

    private string NameOf(int item) => Encoding.UTF8.GetString(Session.NameOf(item));
}
