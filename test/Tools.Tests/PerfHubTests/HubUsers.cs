using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfHub;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Peers that use a hub as any program could: sessions of the library's public API, all on the test's thread.</summary>
internal sealed class HubUsers : IDisposable
{
    public const string Service = "TEST_FEED";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly Reactor _reactor = new(new RecoveryOptions { Watchlist = true, MaxRetry = TimeSpan.FromSeconds(1) });
    private readonly ServedItems _items = new();

    public HubUsers(params ReadOnlySpan<string> items)
    {
        foreach (string item in items)
            _items.Set(item, Quote(0));
    }

    public static FieldListTemplate Quote(decimal bid) => new FieldListBuilder(FieldDictionary.Default).Add("BID", bid).Build();

    /// <summary>Connects a publisher of the items, and waits for the hub to have their images: a request before has an empty one first.</summary>
    public void Publish(Hub hub)
    {
        ItemList items = _items.ToList();
        _reactor.Publish(
            new PublisherSessionOptions { Service = new() { Name = Service, Id = 1 }, Items = items }, _items.CreatePublisher(),
            new() { Host = "localhost", Port = hub.PublisherPort });
        Await(hub, found => found.RefreshesReceived == items.Count);
    }

    /// <summary>Serves the items to who connects.</summary>
    /// <returns>The port.</returns>
    public int Provide() => _reactor.Provide(
        new ProviderSessionOptions { Service = new() { Name = Service, Id = 1 }, Dictionary = FieldDictionary.Default }, _items.CreateHandler,
        new() { Port = 0, InterfaceName = "127.0.0.1" });

    /// <summary>Connects a consumer.</summary>
    public Received Subscribe(int port, string service, params IReadOnlyList<string> items)
    {
        Received received = new();
        RecoveringConsumer consumer = _reactor.Consume(
            new ConsumerSessionOptions { ServiceName = service }, received, new() { Host = "localhost", Port = port });
        foreach (string item in items)
            consumer.Session.Subscribe(item);
        return received;
    }

    /// <summary>Publishes numbered updates of one item, after the refresh.</summary>
    public void Update(int item, int count)
    {
        for (int sent = 0; sent < count;)
        {
            Until(() => _items.Publish(item, Quote(sent + 1)) > 0);
            sent++;
        }
    }

    /// <summary>Dispatches once.</summary>
    /// <returns>True, for conditions of others.</returns>
    public bool Dispatch()
    {
        _reactor.Dispatch(TimeSpan.Zero);
        return true;
    }

    /// <summary>Dispatches until a condition holds.</summary>
    public void Until(Func<bool> condition)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
        {
            Assert.True(waited.Elapsed < Limit, "the condition never held");
            _reactor.Dispatch(TimeSpan.FromMilliseconds(1));
        }
    }

    /// <summary>Dispatches until a hub has what is expected, and gets it.</summary>
    public HubSnapshot Await(Hub hub, Func<HubSnapshot, bool> condition)
    {
        Task<HubSnapshot> asked = hub.SnapshotAsync();
        Until(() =>
        {
            if (!asked.IsCompleted)
                return false;
            if (condition(asked.GetAwaiter().GetResult()))
                return true;
            asked = hub.SnapshotAsync();
            return false;
        });
        return asked.GetAwaiter().GetResult();
    }

    public void Dispose() => _reactor.Dispose();

    /// <summary>What one consumer received.</summary>
    internal sealed class Received : ConsumerHandler
    {
        public int Refreshes { get; private set; }

        public List<double> Bids { get; } = [];

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => Refreshes++;

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
        {
            Assert.True(Session.ValuesOf(update).TryGet("BID", out double bid));
            Bids.Add(bid);
        }
    }
}
