using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A consumer that stops reading among others that continue, tick by tick on a network in memory with its own clock.</summary>
public sealed class SlowReaderTests : IDisposable
{
    private const int Readers = 9;
    private const int Items = 3;
    private const int OutputBuffers = 100;
    private const int UpdatesInTick = 10;

    private readonly MemoryNetwork _network = new(TimeSource.StartAt(Clock.NanosPerSecond));
    private readonly Worker _server;
    private readonly Worker _client;
    private readonly Worker _slow;
    private readonly WorkerListener _listener;
    private readonly List<ProviderSession> _sessions = [];
    private readonly List<CountingConsumer> _readers = [];
    private CountingConsumer _stopped = new();

    public SlowReaderTests()
    {
        (_server, _client, _slow) = (CreateWorker(), CreateWorker(), CreateWorker());
        _listener = new WorkerListener(new ListenOptions { Port = 0, OutputBuffers = OutputBuffers }, _network);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
        _slow.Dispose();
        _listener.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public void Turn_OneOfTenStops_TheOtherNineGetEverything(int packCount)
    {
        for (int i = 0; i < Readers; i++)
            _readers.Add(Connect(_client, packCount));
        _stopped = Connect(_slow, packCount);
        Until(() => _readers.Append(_stopped).All(reader => reader is { Images: Items, Updates: > 0 }), slowReads: true);
        RsslChannel slow = _sessions[^1].Channel;
        long[] before = [.. _readers.Select(reader => reader.Updates)];
        int mostBuffers = 0;
        int mostBytes = 0;
        for (int tick = 0; tick < 2_000; tick++)
        {
            Turn(slowReads: false);
            (mostBuffers, mostBytes) = (Math.Max(mostBuffers, slow.OutputBuffersInUse), Math.Max(mostBytes, slow.BytesQueued));
        }

        _server.Recording.RequestInterval();
        _server.Turn();
        Assert.Equal(_sessions.Sum(session => session.Channel.BytesQueued), _server.Recording[Gauge.QueuedBytes]);
        Assert.InRange(_server.Recording[Gauge.QueuedBytes], slow.BytesQueued, mostBytes + (Readers * slow.Info.MaxFragmentBytes));
        Assert.All(_readers.Zip(before), pair => Assert.Equal(2_000 * UpdatesInTick, pair.First.Updates - pair.Second));
        Assert.InRange(mostBuffers, OutputBuffers / 2, OutputBuffers);
        Assert.InRange(mostBytes, 1, OutputBuffers * slow.Info.MaxFragmentBytes);
        ExpectCounts();
    }

    // To the end in order: the one that stopped reads the messages it was sent, and its account has those that were not sent.
    private void ExpectCounts()
    {
        _server.RequestEnd();
        Until(() => _server.HasEnded, slowReads: true);
        Until(() => _client.OpenConnections + _slow.OpenConnections == 0, slowReads: true);

        Assert.Equal(_readers.Append(_stopped).Select(reader => reader.Updates),
            _sessions.Select(session => session.Counters[Counter.UpdatesSent]));
        Assert.All(_sessions.SkipLast(1), session => Assert.Equal(0, session.Counters[Counter.UpdatesNotSent]));
        ConnectionAccount worst = _server.Recording.Connections[0];
        Assert.Equal(_stopped.Updates, worst.Counts[Counter.UpdatesSent]);
        Assert.Equal(_server.Recording.Counters[Counter.UpdatesNotSent], worst.NotSent);
        Assert.InRange(worst.Counts[Counter.UpdatesStopped], 10_000, worst.NotSent); // of 20,000
    }

    private Worker CreateWorker() => new(new WorkerOptions(), new WorkerRecording(), _network);

    private CountingConsumer Connect(Worker worker, int packCount)
    {
        CountingConsumer consumer = new();
        worker.Connect(new ConsumerSession(SessionPair.Items(Items), consumer),
            new ConnectOptions { Host = MemoryNetwork.Host, Port = _listener.Port });
        ProviderSession? session = null;
        Until(
            () =>
            {
                _listener.Accept(TimeSpan.Zero, [_server], _ => session = CreateSession(packCount), CancellationToken.None);
                return session is not null;
            },
            slowReads: true);
        _sessions.Add(session!);
        return consumer;
    }

    private static ProviderSession CreateSession(int packCount) => new(
        SessionSamples.Provider with { MaxPackCount = packCount, PackBufferBytes = 3_000 },
        new SampleLoad(SessionSamples.Updates(rate: UpdatesInTick * 1_000)));

    private void Until(Func<bool> condition, bool slowReads)
    {
        for (int turns = 0; !condition(); turns++)
        {
            Assert.True(turns < 10_000,
                $"the condition never held; {string.Join(' ', _readers.Select(reader => reader.Updates))}, {_stopped.Updates}");
            Turn(slowReads);
        }
    }

    // A millisecond passes: a tick.
    private void Turn(bool slowReads)
    {
        _network.Time.Advance(Clock.NanosPerMilli);
        _server.Turn();
        _client.Turn();
        if (slowReads)
            _slow.Turn();
    }
}
