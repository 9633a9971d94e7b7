// OwnConsumer [host:port] [messages]: prints bid and ask of three items until so many messages have come.
string[] address = (args.Length > 0 ? args[0] : "localhost:14002").Split(':');
int messages = args.Length > 1 ? int.Parse(args[1]) : 20;
string[] items = ["RDT1", "RDT2", "RDT3"];

using Worker worker = new(new WorkerOptions { OnNotice = Console.WriteLine });
ConsumerSession session = new(new() { ServiceName = "DIRECT_FEED", Items = ItemList.Create(items) }, new Printer(worker, items, messages));
worker.Connect(session, new ConnectOptions { Host = address[0], Port = int.Parse(address[1]) });
worker.Run(); // on this thread, until RequestEnd
Console.WriteLine(session.Failure?.Text ?? "Done.");
return session.Failure is null ? 0 : 1;

internal sealed class Printer(Worker worker, string[] items, int messages) : ConsumerHandler
{
    private int _left = messages;

    protected override void OnRefresh(int item, scoped in RwfMsg refresh) => Print("refresh", item, refresh.Payload);

    protected override void OnUpdate(int item, scoped in UpdateHeader update) => Print("update", item, update.Payload);

    // Also after a login that was refused and a connection that was lost: a session connects once.
    protected override void OnClosed(CloseReason reason) => worker.RequestEnd();

    private void Print(string what, int item, ReadOnlySpan<byte> fields)
    {
        if (_left-- <= 0)
            return; // what was under way when the end was asked for is still read
        Console.Write($"{what,-7} {items[item]}:");
        FieldListReader.TryOpen(fields, out FieldListReader reader); // empty when it cannot be opened
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            if (Session.Dictionary.TryFind(entry.FieldId, out FieldDefinition? field) && field.Acronym is "BID" or "ASK")
                Console.Write($"  {field.Acronym} {Session.Dictionary.TextOf(entry)}");
        }

        Console.WriteLine();
        if (_left == 0)
            worker.RequestEnd();
    }
}
