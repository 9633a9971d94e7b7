using System.Collections.Concurrent;
using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>A server of TransportPerf with too few output buffers for what it sends, or sends back: nothing is lost, swapped or counted twice.</summary>
[Trait("Category", "Fast")]
public sealed class TransportReflectTests : IDisposable
{
    private const int Bytes = 76;
    private const int Buffers = 2; // of one message each
    private const int MessagesOfATick = 997;
    private const string Protocol = "tr_json2";
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly MemoryNetwork _network;
    private readonly ConcurrentQueue<TransportPeer> _ended = new();
    private readonly Worker _server;
    private readonly Worker _client;
    private WorkerListener? _listener;
    private TransportPerfOptions? _returns; // of the server

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

    /// <summary>A client that sends and reads nothing, until it goes: what was received and could not be sent back is counted as not sent.</summary>
    [Fact]
    public void Messages_ThatWaitWhenTheClientGoes_AreCountedAsNotSent()
    {
        const int sent = 20_000; // more than the network takes in both directions
        using ChannelPoller poller = new(busyRead: true, _network);
        Listen(new TransportPerfOptions { MsgBytes = Bytes, Reflect = true });
        RsslChannel channel = poller.Connect(new ConnectOptions { Host = MemoryNetwork.Host, Port = _listener!.Port });
        Accept(() => poller.Wait(0), () => channel.State == ChannelState.Active);
        for (int i = 0; i < sent && channel.TryBeginMessage(Bytes, out Span<byte> room); i++)
        {
            RawMessage.Write(room[..Bytes], i, 0);
            channel.EndMessage(Bytes);
            channel.Flush();
            Turn(_server);
        }

        channel.Close();
        for (Stopwatch waited = Stopwatch.StartNew(); _ended.IsEmpty; Turn(_server))
            Assert.True(waited.Elapsed < Limit);
        Assert.True(Back(Counter.MessagesNotSent) > 0);
        Assert.Equal(Back(Counter.MessagesReceived), Back(Counter.MessagesSent) + Back(Counter.MessagesNotSent));
    }

    /// <summary>A client that neither reads nor sends, until its ping timeout: what is left then is counted as not sent.</summary>
    [Fact]
    public void Messages_ThatWaitWhenTheClientIsSilent_AreCountedAsNotSent()
    {
        using ChannelPoller poller = new(busyRead: true, _network);
        TransportPerfOptions options = new() { MsgBytes = Bytes, MsgRate = MessagesOfATick * 1_000 }; // ticks a second
        Listen(options);
        RsslChannel channel = poller.Connect(new ConnectOptions { Host = MemoryNetwork.Host, Port = _listener!.Port });
        Accept(() => poller.Wait(0), () => channel.State == ChannelState.Active);
        for (Stopwatch waited = Stopwatch.StartNew(); _ended.IsEmpty; Turn(_server))
            Assert.True(waited.Elapsed < Limit);
        Assert.True(Back(Counter.MessagesStopped) > 0, "the network takes everything");
        int left = (TransportPerfRole.CreateMessages(options, worker: 0).TicksCarried + 1) * MessagesOfATick; // none of them sent in part
        Assert.Equal(left + Buffers, Back(Counter.MessagesNotSent) - Back(Counter.MessagesStopped));
    }

    private long Sent(Counter counter) => _client.Recording.Counters[counter];

    private long Back(Counter counter) => _server.Recording.Counters[counter];

    private void Connect(bool isJson, bool objects, int packed)
    {
        TransportPerfOptions sends = new() { MsgRate = 1_000_000, MsgBytes = Bytes, PackCount = packed, JsonObjects = objects };
        Listen(sends with { Reflect = true });
        TransportPeer client = Create(sends);
        _client.Connect(client, new ConnectOptions
        {
            Host = MemoryNetwork.Host,
            Port = _listener!.Port,
            WebSocketProtocols = isJson ? Protocol : null,
        });
        Accept(() => Turn(_client), () => client.IsOpen);
    }

    private void Listen(TransportPerfOptions options)
    {
        _listener = new(new ListenOptions { Port = 0, WebSocketProtocols = Protocol, OutputBuffers = Buffers, MaxOutputBuffers = Buffers }, _network);
        _returns = options;
    }

    private void Accept(Action turn, Func<bool> isOpen)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); !isOpen() || _server.ServedConnections == 0;)
        {
            Assert.True(waited.Elapsed < Limit, "no connection");
            turn();
            _listener!.Accept(TimeSpan.Zero, [_server], _ => Create(_returns!), CancellationToken.None);
            Turn(_server);
        }
    }

    private TransportPeer Create(TransportPerfOptions options) => new(options, TransportPerfRole.CreateMessages(options, worker: 0), _ended);

    private void Until(Func<bool> condition)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held: {Sent(Counter.MessagesReceived)}, {Back(Counter.MessagesReceived)}");
            if (!_client.HasEnded)
                Turn(_client);
            Turn(_server);
        }
    }

    private void Turn(Worker worker)
    {
        _time.Advance(Clock.NanosPerMilli / 2);
        worker.Turn(0);
    }
}
