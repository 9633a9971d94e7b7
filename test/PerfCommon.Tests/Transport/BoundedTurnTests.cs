using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>
/// A peer that endlessly sends bytes without a message cannot keep a thread inside one read: on every layer a call processes a share and
/// returns.
/// </summary>
public class BoundedTurnTests
{
    private const int Turns = 20;
    private const int MaxBytesPerTurn = 1024 * 1024; // the arrays of all layers, filled several times
    private const int FramesPerTurn = 4_096;
    private const int MaxPongBytes = 16 * 1024;

    private const string Upgrade =
        "GET /WebSocket HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: rssl.rwf\r\n\r\n";

    [Theory]
    [InlineData("000302")] // ping
    [InlineData("000312")] // empty pack
    [InlineData("0005120000")] // pack with an empty message
    [InlineData("000a0308000000050001")] // first fragment without data, begun again
    public void TryRead_EndlessFramesWithoutAMessage_ReturnsAndGoesOnNextTurn(string frame)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        pipe.Endless = Convert.FromHexString(frame);
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        for (int turn = 0; turn < Turns; turn++)
        {
            long before = pipe.EndlessBytes;
            Assert.False(channel.TryRead(out _));
            Assert.Null(channel.Closed);
            Assert.True(channel.MayHaveMore);
            Assert.InRange(pipe.EndlessBytes - before, 0, MaxBytesPerTurn);
        }

        Assert.True(channel.PingsRead <= Turns * FramesPerTurn);
    }

    [Theory]
    [InlineData("898000000000")] // ping
    [InlineData("8a8000000000")] // pong
    [InlineData("828000000000")] // empty binary message
    [InlineData("828300000000000302")] // RSSL ping
    [InlineData("898000000000828300000000000302")] // both in turn
    public void TryRead_EndlessWebSocketFramesWithoutAMessage_ReturnsAndGoesOnNextTurn(string frame)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveWebSocketServer();
        pipe.Endless = Convert.FromHexString(frame);
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        for (int turn = 0; turn < Turns; turn++)
        {
            long before = pipe.EndlessBytes;
            Assert.False(channel.TryRead(out _));
            Assert.Null(channel.Closed);
            Assert.True(channel.MayHaveMore);
            Assert.InRange(pipe.EndlessBytes - before, 0, MaxBytesPerTurn / 2);
            Assert.InRange(pipe.SentBytes, 0, FramesPerTurn * 2 * 4); // pongs
            pipe.ClearSent();
        }

        Assert.True(pipe.EndlessBytes > MaxBytesPerTurn / 8); // it continues
    }

    [Fact]
    public void Open_WebSocketPingBeforeTheHandshake_GetsItsPong()
    {
        FeedPipe pipe = new();
        pipe.Feed((byte[])[.. Encoding.ASCII.GetBytes(Upgrade), .. Convert.FromHexString("8982000000006869")]);
        RsslChannel channel = new(new HandDriver(new BufferPool()), TestChannels.Listen with { WebSocketProtocols = "rssl.rwf" });
        channel.Open(pipe, nowNanos: 0);
        channel.OnEvents(readable: true, writable: true, nowNanos: 0);
        Assert.Equal([0x8a, 2, (byte)'h', (byte)'i'], pipe.Sent[^4..].ToArray());
        Assert.Equal(ChannelState.Connecting, channel.State);
    }

    [Fact]
    public void TryRead_PingsWhosePongsAreNotRead_KeepsSoManyOfThem()
    {
        const int Payload = 100;
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveWebSocketServer();
        pipe.ClearSent();
        pipe.SendRoom = 0;
        pipe.Endless = [0x89, 0x80 | Payload, 0, 0, 0, 0, .. new byte[Payload]];
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        for (int turn = 0; turn < Turns; turn++)
            Assert.False(channel.TryRead(out _));
        Assert.Null(channel.Closed);
        Assert.True(pipe.EndlessBytes > 4 * MaxPongBytes);
        pipe.SendRoom = int.MaxValue;
        channel.OnEvents(readable: false, writable: true, nowNanos: 0);
        channel.Flush();
        Assert.InRange(pipe.SentBytes, MaxPongBytes, MaxPongBytes + Payload + 2);
    }

    [Fact]
    public void TryRead_MessageBehindManyPings_ComesInALaterTurn()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        byte[] pings = [.. Enumerable.Repeat(new byte[] { 0, 3, 2 }, 10_000).SelectMany(ping => ping)];
        pipe.Feed((byte[])[.. pings, 0, 4, 2, (byte)'m']);
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        int turns = 0;
        while (!channel.TryRead(out _) && channel.MayHaveMore)
            turns++;
        Assert.Equal(1, channel.MessagesRead);
        Assert.Equal(10_000, channel.PingsRead);
        Assert.InRange(turns, 1, 20);
    }

    [Fact]
    public void TryRead_LayerThatBringsAByteAtATime_ReturnsAndGoesOnNextTurn()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        byte[] message = [0, 203, 2, .. new byte[200]];
        foreach (byte b in message)
            pipe.Feed(new[] { b });
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        int turns = 0;
        while (!channel.TryRead(out _))
        {
            Assert.True(channel.MayHaveMore);
            turns++;
        }

        Assert.InRange(turns, 40, 60); // four bytes a turn
        Assert.Equal((1, 203), (channel.MessagesRead, channel.BytesRead));
    }

    [Fact]
    public void Open_EndlessWebSocketPingsBeforeTheHandshake_ReturnsAndGoesOnNextTurn()
    {
        FeedPipe pipe = new();
        pipe.Feed(Encoding.ASCII.GetBytes(Upgrade));
        pipe.Endless = Convert.FromHexString("898000000000");
        HandDriver driver = new(new BufferPool());
        RsslChannel channel = new(driver, TestChannels.Listen with { WebSocketProtocols = "rssl.rwf" });
        channel.Open(pipe, nowNanos: 0);
        for (int turn = 0; turn < Turns; turn++)
        {
            long before = pipe.EndlessBytes;
            channel.OnEvents(readable: true, writable: false, nowNanos: 0);
            driver.RunPosted();
            Assert.Equal(ChannelState.Connecting, channel.State);
            Assert.InRange(pipe.EndlessBytes - before, 0, MaxBytesPerTurn / 8); // in the last turn as in the first
        }

        Assert.True(pipe.EndlessBytes > MaxBytesPerTurn / 8); // it continues
    }

    [Theory]
    [InlineData("898000000000")] // ping
    [InlineData("8a8000000000")] // pong
    [InlineData("828000000000")] // empty binary message
    public void Receive_EndlessWebSocketFramesWithoutData_Returns(string frame)
    {
        FeedPipe pipe = new();
        WebSocketPipe webSocket = WebSocketPipe.ForServer(
            pipe, Encoding.ASCII.GetBytes(Upgrade), TestChannels.Listen with { WebSocketProtocols = "rssl.rwf" }, new BufferPool());
        Assert.Equal(PipeStatus.Ready, webSocket.Open());
        pipe.Endless = Convert.FromHexString(frame);
        for (int turn = 0; turn < Turns; turn++)
        {
            long before = pipe.EndlessBytes;
            Assert.Equal(PipeStatus.Ready, webSocket.Receive(new byte[1_000], out int count));
            Assert.Equal(0, count);
            Assert.InRange(pipe.EndlessBytes - before, 0, MaxBytesPerTurn);
        }
    }
}
