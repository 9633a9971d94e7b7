using PerfCommon.Measurement;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>
/// A consumer that reconnects, and a provider that is killed and restarted, over memory and with a clock that the test advances.
/// </summary>
internal sealed class RecoveryBench : IDisposable
{
    private const int Port = 77;

    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly MemoryNetwork _network;
    private readonly Worker _client;
    private readonly ProviderSessionOptions _options;
    private Worker? _server;
    private RsslListener? _listener;

    public RecoveryBench(int items, RecoveryOptions? recovery, ProviderSessionOptions? provider = null, ConsumerHandler? handler = null)
    {
        _network = new MemoryNetwork(_time);
        _options = provider ?? SessionSamples.Provider;
        _client = new Worker(new WorkerOptions(), new WorkerRecording(), _network);
        Log = new ConsumerLog();
        Consumer = new RecoveringConsumer(
            _client, SessionPair.Items(items), handler ?? Log, new ConnectOptions { Host = MemoryNetwork.Host, Port = Port }, recovery);
    }

    public ConsumerLog Log { get; }

    public RecoveringConsumer Consumer { get; }

    /// <summary>Connections that the provider closes as soon as they are open.</summary>
    public int Cuts { get; set; }

    public CounterSet Counts => _client.Recording.Counters;

    /// <summary>The current provider.</summary>
    public ProviderLog Provider { get; private set; } = new();

    public void StartProvider(ProviderLog? provider = null)
    {
        Provider = provider ?? new();
        _server = new Worker(new WorkerOptions(), new WorkerRecording(), _network);
        _listener = RsslListener.Bind(new ListenOptions { Port = Port }, _network);
    }

    public void KillProvider()
    {
        _listener!.Dispose();
        _server!.Dispose();
        (_listener, _server) = (null, null);
    }

    /// <summary>Sends a message from the provider.</summary>
    public void Say(byte[] message)
    {
        Assert.True(Provider.Session.Output.TrySend(message, MessageKind.Other));
        Provider.Session.Channel.Flush();
    }

    /// <summary>Advances the time until a condition holds.</summary>
    /// <returns>Milliseconds elapsed.</returns>
    public int Until(Func<bool> condition, int limitMillis = 60_000)
    {
        int passed = 0;
        for (; !condition(); passed++)
        {
            Assert.True(passed < limitMillis,
                $"the condition never held; stage {Consumer.Session.Stage}, {Consumer.Session.Failure}, {string.Join('|', Log.Lines)}");
            Pass(1);
        }

        return passed;
    }

    public void Pass(int millis)
    {
        for (int i = 0; i < millis; i++)
        {
            for (int turn = 0; turn < 4; turn++)
                TurnOnce();
            _time.Advance(Clock.NanosPerMilli);
        }
    }

    public void TurnOnce()
    {
        if (_listener?.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted) == true)
            _server!.Serve(accepted, Cuts-- > 0 ? new CuttingPeer() : new ProviderSession(_options, Provider));
        _server?.Turn(0);
        if (!_client.HasEnded)
            _client.Turn(0);
    }

    /// <summary>Counts the lines of the consumer with this beginning.</summary>
    public int Count(string begin) => Log.Lines.Count(line => line.StartsWith(begin, StringComparison.Ordinal));

    public void End()
    {
        _client.RequestEnd();
        Until(() => _client.HasEnded);
    }

    public void Dispose()
    {
        if (_server is not null)
            KillProvider();
        _client.Dispose();
    }

    private sealed class CuttingPeer : Connection
    {
        internal override void OnOpened(long nowNanos) => Channel.Close();

        internal override void OnReadable(long untilNanos)
        {
        }
    }
}
