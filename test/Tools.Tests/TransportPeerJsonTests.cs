using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>A peer of TransportPerf that sends JSON texts: the messages before the first odd one count, and the end names it. Over memory.</summary>
[Trait("Category", "Fast")]
public sealed class TransportPeerJsonTests : IDisposable
{
    private const int Bytes = 64;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly MemoryNetwork _network = new(TimeSource.System);
    private readonly TransportPerfOptions _options = new() { MsgRate = 0 };
    private readonly ConcurrentQueue<TransportPeer> _ended = new();
    private readonly Worker _server;
    private readonly WorkerListener _listener;
    private readonly ChannelPoller _client;

    public TransportPeerJsonTests()
    {
        _server = new Worker(new WorkerOptions(), TransportPerfRole.CreateRecording(_options), _network);
        _listener = new WorkerListener(new ListenOptions { Port = 0, WebSocketProtocols = "tr_json2" }, _network);
        _client = new ChannelPoller(busyRead: true, _network);
    }

    public void Dispose()
    {
        _client.Dispose();
        _listener.Dispose();
        _server.Dispose();
    }

    [Theory]
    [InlineData("0", 1, false, null)]
    [InlineData("0,1,2", 3, false, null)]
    [InlineData("0,2", 1, true, "sequence number 2 where 1 was due")]
    [InlineData("0,1,1", 2, true, "sequence number 1 where 2 was due")]
    [InlineData("0;1", 1, false, "a text of 131 bytes is no message of this tool")]
    [InlineData("0,", 1, false, "a text of 67 bytes is no message of this tool")]
    [InlineData("{}", 0, false, "a text of 4 bytes is no message of this tool")]
    public void Take_Text_CountsTheMessagesBeforeTheFirstOddOne(string shape, int counted, bool isLost, string? violation)
    {
        TransportPeer? peer = null;
        RsslChannel channel = _client.Connect(new ConnectOptions { Host = MemoryNetwork.Host, Port = _listener.Port, WebSocketProtocols = "tr_json2" });
        Until(() => channel.State == ChannelState.Active && peer is not null);
        Send(channel, shape);
        Until(() => channel.State != ChannelState.Active || Count(Counter.MessagesReceived) == counted);
        if (violation is null)
            channel.Close();
        Until(() => _ended.Contains(peer));
        Assert.Equal((counted, counted * Bytes), (Count(Counter.MessagesReceived), Count(Counter.BytesReceived)));
        Assert.Equal((isLost, violation is null), (peer!.LostMessages, peer.WasPartner));
        Assert.Equal(violation ?? peer.EndText, peer.EndText);

        void Until(Func<bool> condition)
        {
            for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
            {
                Assert.True(waited.Elapsed < Limit, $"the condition never held: {channel.State}");
                _client.Wait(0);
                _listener.Accept(TimeSpan.Zero, [_server], _ => peer = new(_options, TransportPerfRole.CreateMessages(_options, 0), _ended, null),
                    CancellationToken.None);
                _server.Wake(); // nothing to wait for
                _server.Turn();
            }
        }
    }

    // A digit of the shape is the message with that number; the channel puts it into an array.
    private static void Send(RsslChannel channel, string shape)
    {
        byte[] message = new byte[Bytes];
        StringBuilder text = new();
        foreach (char letter in shape)
        {
            if (char.IsAsciiDigit(letter))
                JsonMessage.Write(message, letter - '0', 0);
            text.Append(char.IsAsciiDigit(letter) ? Encoding.ASCII.GetString(message) : letter.ToString());
        }

        byte[] bytes = Encoding.ASCII.GetBytes(text.ToString());
        Assert.True(channel.TryBeginMessage(bytes.Length, out Span<byte> room));
        bytes.CopyTo(room);
        channel.EndMessage(bytes.Length);
        channel.Flush();
    }

    private long Count(Counter counter) => _server.Recording.Counters[counter];
}
