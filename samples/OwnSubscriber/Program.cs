// OwnSubscriber [host:port] [events] [seconds]: reads bid and ask of three items with await foreach, until that number of events has arrived.
string[] address = (args.Length > 0 ? args[0] : "localhost:14002").Split(':');
int left = args.Length > 1 ? int.Parse(args[1]) : 20;
using CancellationTokenSource limit = new(TimeSpan.FromSeconds(args.Length > 2 ? int.Parse(args[2]) : 3600));

ItemSubscriberOptions options = new()
{
    Server = new() { Host = address[0], Port = int.Parse(address[1]) },
    ServiceName = "DIRECT_FEED",
    OnNotice = Console.WriteLine,
};
try
{
    await using ItemSubscriber consumer = await ItemSubscriber.ConnectAsync(options, limit.Token); // reconnects after a loss
    SubscriptionOptions conflating = new() { Conflates = true }; // a slow reader gets the newest values of each item
    await foreach (ItemEvent e in consumer.SubscribeAsync(["RDT1", "RDT2", "RDT3"], conflating, limit.Token))
    {
        Console.WriteLine($"{e.Kind,-7} {e.Item}: {e.DataState}  BID {e.Fields.TextOf("BID")}  ASK {e.Fields.TextOf("ASK")}");
        if (--left == 0)
            break; // closes the items
    }

    Console.WriteLine(left == 0 ? "Done." : "The provider has closed all items.");
    return left == 0 ? 0 : 1;
}
catch (Exception problem) when (problem is ConsumerException or OperationCanceledException)
{
    Console.Error.WriteLine(problem.Message);
    return 1;
}
