using System.Diagnostics;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Workers;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A publisher's session and a hub over memory, each with a worker whose turns the test runs.</summary>
internal sealed class PublisherPair : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly MemoryWorkers _workers = new();

    public PublisherPair(HubPeer hub, PublisherSessionOptions? options = null, PublisherHandler? handler = null)
    {
        Hub = hub;
        Publisher = new PublisherSession(options ?? Items(3), handler ?? new PublisherLoad(SessionSamples.Updates()));
        _workers.Join(hub, Publisher);
    }

    public HubPeer Hub { get; }

    public PublisherSession Publisher { get; }

    public Worker Server => _workers.Server;

    public Worker Client => _workers.Client;

    /// <summary>Creates a publisher of a number of items.</summary>
    public static PublisherSessionOptions Items(int count) => new()
    {
        Identity = new LoginIdentity
        {
            UserName = "u",
            ApplicationName = "test",
            Position = "127.0.0.1/net",
            Role = LoginRole.Provider,
            SingleOpen = false
        },
        Service = new ServiceOffer { Name = "NI_PUB", Id = 1 },
        Items = ItemList.Create(Enumerable.Range(1, count).Select(i => $"RDT{i}")),
    };

    /// <summary>Runs turns of both sides until a condition holds.</summary>
    public void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held; stage {Publisher.Stage}, {Publisher.Failure}");
            Turn();
        }
    }

    public void Turn()
    {
        Server.Turn(Server.Time.NowNanos);
        Client.Turn(Client.Time.NowNanos);
    }

    /// <summary>Ends the publisher, then the hub.</summary>
    public void End()
    {
        Client.RequestEnd();
        Until(() => Publisher.Closed is not null && Hub.Closed is not null);
    }

    public void Dispose() => _workers.Dispose();
}
