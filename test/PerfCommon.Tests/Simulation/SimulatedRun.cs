using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>One run of both sides on a network with faults: everything in it is determined by its seed.</summary>
internal sealed class SimulatedRun : IDisposable
{
    private const int MaxSteps = 40_000;
    private const long MaxEndingNanos = 120 * Clock.NanosPerSecond;
    private const long Millis = Clock.NanosPerMilli;

    // Arrays of the pools, streams of zlib and the test's own data; beyond that, the allowed bytes per byte transferred.
    private const long AllowedBytes = 24 * 1024 * 1024;
    private const int AllowedPerByte = 40;
    private const int FrameOverheadBytes = 64;

    private readonly Random _random;
    private readonly SeededNetwork _network;
    private readonly ConversationSettings _settings;
    private readonly Conversation _conversation;
    private readonly Worker _server;
    private readonly Worker _client;
    private readonly WorkerListener _listener;
    private readonly List<Connection> _connections = [];
    private readonly int[] _missedTurns = new int[2];
    private bool _isListening = true;
    private int _missedAccepts;

    public SimulatedRun(int seed)
    {
        _random = new Random(seed);
        _network = new SeededNetwork(NetworkWeather.Of(_random), _random);
        _settings = ConversationSettings.Draw(seed, Conversation.ProtocolOf(seed), _random);
        _conversation = Conversation.Create(_settings);
        _server = new Worker(_settings.Worker, new WorkerRecording(), _network);
        _client = new Worker(_settings.Worker, new WorkerRecording(), _network);
        _listener = new WorkerListener(_settings.Listen, _network);
        for (int i = 0; i < _settings.Clients; i++)
            _client.Connect(Add(_conversation.CreateConnecting()), _settings.Connect with { Port = _listener.Port });
    }

    public bool IsEncrypted => _settings.Listen.Tls is not null;

    public FaultCounts Faults => _network.Faults;

    public long Messages { get; private set; }

    public long BytesTaken => _network.BytesTaken;

    public long SimulatedNanos => _network.Time.NowNanos;

    public bool IsComparable { get; private set; }

    public long AllocatedBytes { get; private set; }

    /// <summary>Runs it to its end, and checks the result.</summary>
    public void Play()
    {
        SynchronizationContext.SetSynchronizationContext(null); // continuations of a layer's awaits run here, at once
        long before = GC.GetAllocatedBytesForCurrentThread();
        int firstEnd = _random.Next(20, _random.Next(4) == 0 ? 800 : 200); // most are short, so that more connections open and end
        int secondEnd = firstEnd + (_random.Next(2) * _random.Next(200));
        bool serverEndsFirst = _random.Next(2) == 0;
        long endingNanos = long.MaxValue;
        for (int step = 0; !(_server.HasEnded && _client.HasEnded); step++)
        {
            if (step == firstEnd)
                End(serverEndsFirst);
            if (step == secondEnd)
            {
                End(!serverEndsFirst);
                endingNanos = _network.Time.NowNanos;
            }

            if (step == MaxSteps || SimulatedNanos - endingNanos > MaxEndingNanos)
                Assert.Fail("has not ended");
            TakeTurns();
            CheckLimits();
            _network.Disturb();
            PassTime();
        }

        Close();
        AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - before;
        Check();
    }

    public void Dispose() => Close();

    private Connection Add(Connection connection)
    {
        _connections.Add(connection);
        return connection;
    }

    private void End(bool server)
    {
        Faults.Add(Fault.HalfClose);
        (server ? _server : _client).RequestEnd();
        if (!server)
            return;
        _isListening = false;
        _listener.Dispose();
    }

    private void TakeTurns()
    {
        if (_network.Happens(_network.Weather.MissedTurnsShare))
        {
            Faults.Add(Fault.MissedTurns);
            _missedTurns[_random.Next(2)] = _random.Next(100);
        }

        int first = _random.Next(2);
        TakeTurn(first);
        if (_network.Happens(_network.Weather.MissedTurnsShare))
        {
            Faults.Add(Fault.AcceptsStop);
            _missedAccepts = _random.Next(200);
        }

        if (_missedAccepts > 0)
            _missedAccepts--;
        else if (_isListening && _random.Next(2) == 0)
            _listener.Accept(TimeSpan.Zero, [_server], _ => Add(_conversation.CreateServing()), CancellationToken.None);
        TakeTurn(1 - first);
    }

    private void TakeTurn(int side)
    {
        Worker worker = side == 0 ? _server : _client;
        if (_missedTurns[side] > 0)
            _missedTurns[side]--;
        else if (!worker.HasEnded)
            worker.Turn(untilNanos: 0);
    }

    private void PassTime()
    {
        bool leaps = _network.Happens(_network.Weather.LeapShare);
        if (leaps)
            Faults.Add(Fault.ClockLeap);
        _network.Time.Advance(_random.NextInt64(leaps ? 500 * Millis : _random.Next(8) == 0 ? 20 * Millis : Millis));
    }

    private void CheckLimits()
    {
        foreach (RsslChannel channel in _server.Poller.Channels.Concat(_client.Poller.Channels))
        {
            if (channel.State is not (ChannelState.Active or ChannelState.Closing))
                continue;
            int limit = channel.OutputBufferLimit;
            if (channel.MessagesWritten - channel.MessagesSent != 1) // a message of more fragments than there are buffers is sent alone
                Assert.InRange(channel.OutputBuffersInUse, 0, limit);
            Assert.InRange(channel.BytesQueued, 0, limit * (channel.Info.MaxMessageBytes + FrameOverheadBytes));
        }
    }

    private void Close()
    {
        _isListening = false;
        _listener.Dispose();
        _server.Dispose();
        _client.Dispose();
    }

    private void Check()
    {
        Assert.Equal(0, _network.OpenEnds);
        Assert.True(AllocatedBytes < AllowedBytes + (AllowedPerByte * BytesTaken),
            $"{AllocatedBytes:N0} bytes were allocated for {BytesTaken:N0} moved");
        Connection[] opened = [.. _connections.Where(connection => connection.OpenedNanos > 0)];
        foreach (Connection connection in opened)
            Assert.True(IsOfTheNetwork(connection.Closed), $"ended by {connection.Closed}");
        _conversation.CheckEach();
        IsComparable = opened.All(connection => connection is { WasCut: false, Closed.Kind: CloseKind.PeerClosed })
            && opened.CountBy(connection => connection.Channel.Info.LocalAddress!).All(ends => ends.Value == 2); // the other end may not have opened
        foreach ((string name, long sent, long received) in _conversation.Balance(_server.Recording.Counters, _client.Recording.Counters))
        {
            Messages += received;
            Assert.True(received <= sent, $"{name}: {sent} sent, {received} received");
            Assert.True(received == sent || !IsComparable,
                $"{name}: {sent} sent, {received} received, and every connection ended in good order");
        }
    }

    // Both sides obey the protocol and its limits: only the network, and our own end, may end a connection.
    private static bool IsOfTheNetwork(CloseReason? reason) =>
        reason is { Kind: CloseKind.PeerClosed or CloseKind.Local or CloseKind.Reset or CloseKind.PingTimeout };

    /// <summary>Describes the settings, and the progress of each connection, for a failure.</summary>
    public string Describe() => string.Join('\n', _connections.Where(connection => connection.OpenedNanos > 0).Select(Describe)
        .Prepend($"{_network.Weather}").Prepend($"{_settings}").Prepend($"{Faults}"));

    private static string Describe(Connection connection)
    {
        CounterSnapshot counts = connection.Counters.Snapshot();
        IEnumerable<string> booked = Enum.GetValues<Counter>().Where(counter =>
            counts[counter] != 0).Select(counter => $"{counter} {counts[counter]}");
        return $"{connection.GetType().Name} {connection.Channel.State}, finishing {connection.IsFinishing}, {connection.Channel.MessagesSent} messages sent, "
            + $"{connection.Channel.BytesQueued} bytes queued, {connection.Closed}: {string.Join(", ", booked)}";
    }
}
