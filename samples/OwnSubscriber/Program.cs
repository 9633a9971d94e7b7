// OwnSubscriber [host:port] [events] [items]: reads bid and ask of some items with await foreach until that number of events has arrived;
// Ctrl+C ends it earlier.
string[] address = (args.Length > 0 ? args[0] : "localhost:14002").Split(':');
int left = args.Length > 1 ? int.Parse(args[1]) : 20;
int items = args.Length > 2 ? int.Parse(args[2]) : 3;

using CancellationTokenSource stop = new();
Console.CancelKeyPress += (_, pressed) => (pressed.Cancel, _) = (true, stop.CancelAsync());

ItemSubscriberOptions options = new()
{
    Server = new() { Host = address[0], Port = int.Parse(address[1]) },
    ServiceName = "DIRECT_FEED",
    OnNotice = Console.WriteLine,
};
try
{
    await using ItemSubscriber consumer = await ItemSubscriber.ConnectAsync(options, stop.Token);
    ItemSubscription events = consumer.SubscribeAsync(
        Enumerable.Range(1, items).Select(i => $"RDT{i}"), new() { Conflates = true }, stop.Token); // a slow reader gets the newest values
    await foreach (ItemEvent e in events)
    {
        Console.WriteLine($"{e.Kind,-7} {e.Item}: {e.DataState}  BID {e.Fields.TextOf("BID")}  ASK {e.Fields.TextOf("ASK")}");
        if (--left == 0)
            break; // closes the items
    }

    Console.WriteLine($"Done: {events.Counts}.");
    return left == 0 ? 0 : 1;
}
catch (Exception e) when (e is ConsumerException or OperationCanceledException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
