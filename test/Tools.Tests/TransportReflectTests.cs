using System.Collections.Concurrent;
using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>A server of TransportPerf that sends back what it receives, with too few output buffers for it: nothing is lost, swapped or counted twice.</summary>
[Trait("Category", "Fast")]
public sealed class TransportReflectTests : IDisposable
{
    private const int Bytes = 76;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly MemoryNetwork _network;
    private readonly ConcurrentQueue<TransportPeer> _ended = new();
    private readonly Worker _server;
    private readonly Worker _client;
    private WorkerListener? _listener;

    public TransportReflectTests()
    {
        _network = new(_time);
        _server = new(new WorkerOptions(), TransportPerfRole.CreateRecording(new()), _network);
        _client = new(new WorkerOptions(), TransportPerfRole.CreateRecording(new()), _network);
    }

    public void Dispose()
    {
        _listener?.Dispose();
        _server.Dispose();
        _client.Dispose();
    }

    [Theory]
    [InlineData(false, false, 1)]
    [InlineData(false, false, 10)]
    [InlineData(true, true, 1)]
    [InlineData(true, true, 10)]
    [InlineData(true, false, 1)]
    public void Messages_SentBackWithTwoBuffers_AllArriveInTheirOrder(bool isJson, bool objects, int packed)
    {
        Connect(isJson, objects, packed);
        Until(() => Sent(Counter.MessagesReceived) > 5_000);
        _client.RequestEnd(); // it reads what is on its way
        Until(() => _ended.Count == 2);
        Assert.Equal(Sent(Counter.MessagesSent), Back(Counter.MessagesReceived));
        Assert.Equal(Back(Counter.MessagesReceived), Back(Counter.MessagesSent) + Back(Counter.MessagesNotSent));
        Assert.Equal(Back(Counter.MessagesSent), Sent(Counter.MessagesReceived));
        Assert.All(_ended, peer => Assert.Equal((false, true), (peer.LostMessages, peer.WasPartner)));
    }

    /// <summary>
    /// A client that reads nothing, and is given up after the ping timeout: each message that then still waits was not sent, each of a pack too.
    /// </summary>
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 10)]
    public void Messages_ThatWaitWhenTheClientGoes_AreCountedAsNotSent(bool isJson, int packed)
    {
        TransportPeer client = Connect(isJson, objects: true, packed);
        Until(() => Back(Counter.MessagesReceived) > 100);
        long before = -1;
        for (Stopwatch waited = Stopwatch.StartNew(); Back(Counter.MessagesReceived) != before; Turn(_server, 200)) // until it can send no more back
        {
            Assert.True(waited.Elapsed < Limit);
            before = Back(Counter.MessagesReceived);
            client.Channel.Flush();
        }

        client.Channel.Close();
        Until(() => _ended.Count == 2);
        Assert.Equal(Back(Counter.MessagesReceived), Back(Counter.MessagesSent) + Back(Counter.MessagesNotSent));
    }

    private long Sent(Counter counter) => _client.Recording.Counters[counter];

    private long Back(Counter counter) => _server.Recording.Counters[counter];

    private TransportPeer Connect(bool isJson, bool objects, int packed)
    {
        const string protocol = "tr_json2";
        TransportPerfOptions sends = new() { MsgRate = 1_000_000, MsgBytes = Bytes, PackCount = packed, JsonObjects = objects };
        TransportPerfOptions returns = sends with { Reflect = true };
        _listener = new(new ListenOptions { Port = 0, WebSocketProtocols = protocol, OutputBuffers = 2, MaxOutputBuffers = 2 }, _network);
        TransportPeer client = Create(sends);
        _client.Connect(client, new ConnectOptions
        {
            Host = MemoryNetwork.Host,
            Port = _listener.Port,
            WebSocketProtocols = isJson ? protocol : null,
        });
        Until(() => client.IsOpen && _server.ServedConnections > 0);
        return client;

        TransportPeer Create(TransportPerfOptions options) => new(options, TransportPerfRole.CreateMessages(options, worker: 0), _ended);

        void Until(Func<bool> condition)
        {
            for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
            {
                Assert.True(waited.Elapsed < Limit, "no connection");
                Turn(_client, 1);
                _listener!.Accept(TimeSpan.Zero, [_server], _ => Create(returns), CancellationToken.None);
                Turn(_server, 1);
            }
        }
    }

    private void Until(Func<bool> condition)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held: {Sent(Counter.MessagesReceived)}, {Back(Counter.MessagesReceived)}");
            if (!_client.HasEnded)
                Turn(_client, 1);
            Turn(_server, 1);
        }
    }

    private void Turn(Worker worker, int turns)
    {
        for (int turn = 0; turn < turns; turn++)
        {
            _time.Advance(Clock.NanosPerMilli / 2);
            worker.Turn(0);
        }
    }
}
