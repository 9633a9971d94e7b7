using PerfCommon.Measurement;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>A consumer of two servers, each of which is started and killed, over memory and with a clock that the test advances.</summary>
internal sealed class StandbyBench : IDisposable
{
    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly MemoryNetwork _network;
    private readonly Worker _client;
    private readonly Server?[] _servers = new Server?[2];

    public StandbyBench(StandbyMode mode, int items = 3)
    {
        _network = new MemoryNetwork(_time);
        _client = new Worker(new WorkerOptions(), new WorkerRecording(), _network);
        Consumer = new StandbyConsumer(_client, SessionPair.Items(items), Log, (At(0), At(1)), mode, new RecoveryOptions { Watchlist = true });
    }

    public ConsumerLog Log { get; } = new();

    public StandbyConsumer Consumer { get; }

    public CounterSet Counts => _client.Recording.Counters;

    public List<string> Notices => SessionPair.Notices(_client);

    /// <summary>The session of a server that currently serves the consumer.</summary>
    public ProviderSession this[int server] => _servers[server]!.Log.Session;

    /// <summary>True when the given number of items is open at a server.</summary>
    public bool HasItems(int server, int count) => _servers[server]!.Sessions > 0 && this[server].OpenItems == count;

    public void Start(int server, bool supportsStandby = true) => _servers[server] = new Server(_network, At(server).Port, supportsStandby);

    public void Kill(int server)
    {
        _servers[server]!.Dispose();
        _servers[server] = null;
    }

    /// <summary>Sends an update of an item from a server at which it is open.</summary>
    public void Update(int server, int slot = 0) => Assert.True(this[server].TrySendUpdate(slot, SessionSamples.Messages.Updates[0]));

    public int Count(string begin) => Log.Lines.Count(line => line.StartsWith(begin, StringComparison.Ordinal));

    public void Until(Func<bool> condition, int limitMillis = 60_000)
    {
        for (int passed = 0; !condition(); passed++)
        {
            Assert.True(passed < limitMillis, $"the condition never held: {string.Join('|', Log.Lines)}");
            Pass(1);
        }
    }

    public void Pass(int millis)
    {
        for (int i = 0; i < millis; i++)
        {
            for (int turn = 0; turn < 4; turn++)
                Turn();
            _time.Advance(Clock.NanosPerMilli);
        }
    }

    public void End()
    {
        _client.RequestEnd();
        Until(() => _client.HasEnded);
    }

    public void Dispose()
    {
        foreach (Server? server in _servers)
            server?.Dispose();
        _client.Dispose();
    }

    private static ConnectOptions At(int server) => new() { Host = MemoryNetwork.Host, Port = 77 + server };

    private void Turn()
    {
        foreach (Server? server in _servers)
            server?.Turn();
        if (!_client.HasEnded)
            _client.Turn(0);
    }

    private sealed class Server(Network network, int port, bool supportsStandby) : IDisposable
    {
        private readonly Worker _worker = new(new WorkerOptions(), new WorkerRecording(), network);
        private readonly RsslListener _listener = RsslListener.Bind(new ListenOptions { Port = port }, network);
        private readonly ProviderSessionOptions _options = SessionSamples.Provider with
        {
            Offer = SessionSamples.Provider.Offer! with { SupportStandby = supportsStandby },
        };

        public ProviderLog Log { get; private set; } = new();

        public int Sessions { get; private set; }

        public void Turn()
        {
            if (_listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
            {
                Sessions++;
                _worker.Serve(accepted, new ProviderSession(_options, Log = new()));
            }

            _worker.Turn(0);
        }

        public void Dispose()
        {
            _listener.Dispose();
            _worker.Dispose();
        }
    }
}
