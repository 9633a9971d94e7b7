// OwnOrderBook [host:port] [item] [updates]: follows the order book of an item, and prints its best prices after each of that many updates.
string[] address = (args.Length > 0 ? args[0] : "localhost:14002").Split(':');
string name = args.Length > 1 ? args[1] : "RDT1";
int updates = args.Length > 2 ? int.Parse(args[2]) : 20;

using Reactor reactor = new(options: new WorkerOptions { OnNotice = Console.WriteLine });
RecoveringConsumer consumer = reactor.Consume(
    new() { ServiceName = "DIRECT_FEED" }, new Book(reactor, updates), new() { Host = address[0], Port = int.Parse(address[1]) });
consumer.Session.Subscribe(name, DomainType.MarketByOrder);
while (!reactor.HasEnded && consumer.Failure is null)
    reactor.Dispatch(TimeSpan.FromSeconds(1));
Console.WriteLine(consumer.Failure?.Text ?? "Done.");
return consumer.Failure is null ? 0 : 1;

internal sealed class Book(Reactor reactor, int updates) : ConsumerHandler
{
    private readonly Dictionary<string, double> _bids = [], _asks = []; // price by order
    private int _left = updates;

    protected override void OnRefresh(int item, scoped in RwfMsg refresh) => Apply(refresh.Payload);

    protected override void OnStatus(int item, scoped in RwfMsg status) => Console.WriteLine(status.State.StreamState);

    protected override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        Apply(update.Payload);
        if (--_left >= 0)
            Console.WriteLine($"{_bids.Values.DefaultIfEmpty().Max():F2} / {_asks.Values.DefaultIfEmpty().Min():F2}, {_bids.Count + _asks.Count} orders");
        if (_left == 0)
            reactor.RequestEnd();
    }

    private void Apply(scoped ReadOnlySpan<byte> payload)
    {
        if (MapReader.TryOpen(payload, out MapReader book) != DecodeResult.Success)
            return;
        while (book.TryReadNext(out MapEntry order) == DecodeResult.Success)
        {
            string key = Encoding.ASCII.GetString(order.Key);
            if (order.Action == MapAction.Delete)
                _ = _bids.Remove(key) || _asks.Remove(key);
            else if (book.TryOpenFieldList(order.Content, out FieldListReader fields) == DecodeResult.Success)
                Set(key, Session.ValuesOf(fields));
        }
    }

    private void Set(string key, scoped FieldValues order)
    {
        if (order.TryGet("BID", out double bid))
            _bids[key] = bid;
        else if (order.TryGet("ASK", out double ask))
            _asks[key] = ask;
    }
}
