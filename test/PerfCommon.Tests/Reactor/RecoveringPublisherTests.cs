using PerfCommon.Measurement;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>A publisher whose hub is killed and restarted, over memory and with a clock that the test advances.</summary>
public sealed class RecoveringPublisherTests : IDisposable
{
    private const int Port = 77;
    private const int Items = 20;

    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly MemoryNetwork _network;
    private readonly Worker _client;
    private HubPeer _hub = new();
    private Worker? _server;
    private RsslListener? _listener;

    public RecoveringPublisherTests()
    {
        _network = new MemoryNetwork(_time);
        _client = new Worker(new WorkerOptions(), new WorkerRecording(), _network);
    }

    [Fact]
    public void Hub_KilledAndBack_EverythingIsPublishedAgain()
    {
        RecoveringPublisher publisher = Publish(new RecoveryOptions());
        StartHub(new HubPeer());
        Until(() => _hub.Images.Count == Items && _hub.Updates > 100);
        PublisherSession first = publisher.Session;
        KillHub();
        Until(() => publisher.Losses == 1);
        StartHub(new HubPeer());
        int millis = Until(() => _hub.Images.Count == Items && _hub.Updates > 100);

        Assert.InRange(millis, 490, 530); // half a second after the loss, all at once
        Assert.Equal([-1], _hub.Directories);
        Assert.Empty(_hub.Faults);
        Assert.NotSame(first, publisher.Session);
        Assert.Null(publisher.Failure);
    }

    [Fact]
    public void Hub_AwayForLong_IsAskedEverLater()
    {
        RecoveringPublisher publisher =
            Publish(new RecoveryOptions { FirstRetry = TimeSpan.FromMilliseconds(100), MaxRetry = TimeSpan.FromMilliseconds(400) });
        StartHub(new HubPeer());
        Until(() => _hub.Images.Count == Items);
        KillHub();
        Until(() => publisher.Losses == 1);
        Pass(100 + 100 + 200 + 400 + 50); // the next in 350 ms
        StartHub(new HubPeer());
        Assert.InRange(Until(() => _hub.Images.Count == Items), 330, 370);
    }

    [Fact]
    public void Hub_ThatRefusesTheLogin_IsAskedAgainAfterALossOnly()
    {
        RecoveringPublisher publisher = Publish(new RecoveryOptions());
        StartHub(new HubPeer { Refusal = "no" });
        Until(() => publisher.Session.Stage == PublisherStage.Rejected);
        Pass(2_000);
        Assert.Equal((0, 0), (publisher.Losses, _hub.Images.Count));
        KillHub();
        StartHub(new HubPeer());
        Until(() => _hub.Images.Count == Items);
        Assert.Equal(1, publisher.Losses);
    }

    [Fact]
    public void WithoutRecovery_ALossIsTheEnd()
    {
        RecoveringPublisher publisher = Publish(null);
        StartHub(new HubPeer());
        Until(() => _hub.Images.Count == Items);
        KillHub();
        Until(() => publisher.Failure is not null);
        Assert.Equal(0, publisher.Losses);
    }

    [Fact]
    public void Publish_ServedItems_GoOutAgainAfterALoss()
    {
        ServedItems items = new();
        items.Set("RDT1", SessionSamples.Messages.Refresh);
        RecoveringPublisher publisher = new(
            _client, PublisherPair.Items(0) with { Items = items.ToList() }, items.CreatePublisher(), Connect(), new RecoveryOptions());
        Assert.Equal(0, items.Publish(0, SessionSamples.Messages.Updates[0])); // no watcher is connected
        StartHub(new HubPeer());
        Until(() => _hub.Images.Count == 1);
        KillHub();
        Until(() => publisher.Losses == 1);
        Assert.Equal(0, items.Publish(0, SessionSamples.Messages.Updates[0]));
        StartHub(new HubPeer());
        Until(() => _hub.Images.Count == 1);
        Assert.Equal(1, items.Publish(0, SessionSamples.Messages.Updates[0], stamp: 5));
        Until(() => _hub.Updates == 1);
        Assert.Equal(5ul, _hub.LastStamp);
    }

    public void Dispose()
    {
        if (_server is not null)
            KillHub();
        _client.Dispose();
    }

    private static ConnectOptions Connect() => new() { Host = MemoryNetwork.Host, Port = Port };

    private RecoveringPublisher Publish(RecoveryOptions? recovery) =>
        new(_client, PublisherPair.Items(Items), new PublisherLoad(SessionSamples.Updates(rate: 10_000)), Connect(), recovery);

    private void StartHub(HubPeer hub)
    {
        _hub = hub;
        _server = new Worker(new WorkerOptions(), new WorkerRecording(), _network);
        _listener = RsslListener.Bind(new ListenOptions { Port = Port }, _network);
    }

    private void KillHub()
    {
        _listener!.Dispose();
        _server!.Dispose();
        (_listener, _server) = (null, null);
    }

    private int Until(Func<bool> condition)
    {
        int passed = 0;
        for (; !condition(); passed++)
        {
            Assert.True(passed < 60_000, $"the condition never held; {_hub.Images.Count} images");
            Pass(1);
        }

        return passed;
    }

    private void Pass(int millis)
    {
        for (int i = 0; i < 4 * millis; i++)
        {
            if (_listener?.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted) == true)
                _server!.Serve(accepted, _hub);
            _server?.Turn(0);
            _client.Turn(0);
            if (i % 4 == 3)
                _time.Advance(Clock.NanosPerMilli);
        }
    }
}
