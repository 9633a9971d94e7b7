using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Pings and timeouts, with the time as an argument.</summary>
public class ChannelTimerTests
{
    private static readonly byte[] Ping = [0, 3, 2];

    [Fact]
    public void OnTimer_IdleChannel_PingsEveryThird()
    {
        (RsslChannel channel, FeedPipe pipe) = ActiveServer(timeoutSeconds: 20);
        Assert.Equal(Seconds(6), channel.NextTimerNanos);
        channel.OnTimer(Seconds(6));
        Assert.Equal(Ping, pipe.Sent.ToArray());
        channel.OnTimer(Seconds(12));
        Assert.Equal([.. Ping, .. Ping], pipe.Sent.ToArray());
        Assert.Equal((0L, 0L), (channel.MessagesSent, channel.BytesWritten));
    }

    [Fact]
    public void OnTimer_IdleChannel_AsksForItsNextCall()
    {
        HandDriver driver = new(new BufferPool());
        (RsslChannel channel, _) = TestChannels.ActiveServer(
            TestChannels.Listen with { PingTimeoutSeconds = 20, MinPingTimeoutSeconds = 1 }, driver: driver);
        for (int i = 0; i < 2; i++) // a ping, and a look at what the peer sent
        {
            long now = driver.TimerNanos;
            channel.OnTimer(now);
            Assert.True(driver.TimerNanos > now);
            Assert.Equal(channel.NextTimerNanos, driver.TimerNanos);
        }
    }

    [Fact]
    public void OnTimer_DataWritten_ServesAsPing()
    {
        (RsslChannel channel, FeedPipe pipe) = ActiveServer(timeoutSeconds: 20);
        TestChannels.Write(channel, new byte[10]);
        channel.Flush();
        channel.OnTimer(Seconds(6));
        Assert.Equal(13, pipe.Sent.Length);
        channel.OnTimer(Seconds(12));
        Assert.Equal(Ping, pipe.Sent[13..].ToArray());
    }

    [Fact]
    public void OnTimer_SilentPeer_ClosesAfterTheTimeout()
    {
        (RsslChannel channel, FeedPipe pipe) = ActiveServer(timeoutSeconds: 20);
        TestChannels.ReadAll(channel);
        channel.OnTimer(Seconds(19));
        Assert.Null(channel.Closed);
        channel.OnTimer(Seconds(20));
        Assert.Equal(CloseKind.PingTimeout, channel.Closed?.Kind);
        Assert.True(pipe.IsDisposed);
    }

    [Fact]
    public void OnTimer_PeerPings_StaysOpen()
    {
        (RsslChannel channel, FeedPipe pipe) = ActiveServer(timeoutSeconds: 20);
        for (int period = 1; period <= 5; period++)
        {
            pipe.Feed(Ping);
            Assert.Empty(TestChannels.ReadAll(channel));
            channel.OnTimer(Seconds(20 * period));
        }

        Assert.Equal((null, 5L), (channel.Closed, channel.PingsRead));
    }

    [Fact]
    public void OnTimer_PeerThatIsHeldUp_StaysOpenWhileItTakesWhatWaits()
    {
        (RsslChannel channel, FeedPipe pipe) = ActiveServer(timeoutSeconds: 20);
        channel.HoldReading(true);
        for (int period = 1; period <= 5; period++)
        {
            channel.OnTimer(Seconds(20 * period)); // nothing is queued for it
            Assert.Null(channel.Closed);
        }

        pipe.SendRoom = 0;
        TestChannels.Write(channel, new byte[1_000]);
        channel.Flush();
        for (int period = 6; period <= 10; period++)
        {
            pipe.SendRoom = 10; // ten bytes in 20 s
            channel.OnEvents(readable: false, writable: true, Seconds(20 * period));
            channel.OnTimer(Seconds(20 * period));
            Assert.Null(channel.Closed);
        }
    }

    [Fact]
    public void OnTimer_PeerThatIsHeldUpAndTakesNothing_ClosesAfterTheTimeout()
    {
        (RsslChannel channel, FeedPipe pipe) = ActiveServer(timeoutSeconds: 20);
        channel.HoldReading(true);
        pipe.SendRoom = 0;
        TestChannels.Write(channel, new byte[1_000]);
        channel.Flush();
        channel.OnTimer(Seconds(19));
        Assert.Null(channel.Closed);
        channel.OnTimer(Seconds(20));
        Assert.Equal(CloseKind.PingTimeout, channel.Closed?.Kind);
        Assert.True(pipe.IsDisposed);
    }

    [Fact]
    public void OnTimer_SocketTimeoutsOver_OpenChannelStaysOpen()
    {
        (RsslChannel channel,
            FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen with { SendTimeoutMillis = 10, ReceiveTimeoutMillis = 10 });
        TestChannels.ReadAll(channel);
        pipe.SendRoom = 0;
        TestChannels.Write(channel, new byte[10]);
        channel.Flush();
        channel.OnTimer(Seconds(1));
        channel.OnTimer(Seconds(59));
        Assert.Null(channel.Closed);
    }

    [Fact]
    public void OnTimer_SocketTimeoutShorterThanTheHandshakes_BoundsTheHandshake()
    {
        (RsslChannel channel, _) = TestChannels.OpenServer(TestChannels.Listen with { ReceiveTimeoutMillis = 250 });
        Assert.Equal(250_000_000, channel.NextTimerNanos);
        channel.OnTimer(250_000_000);
        Assert.Equal("Timeout: the handshake was not done within 250 ms", channel.Closed?.ToString());
    }

    [Fact]
    public void OnTimer_HandshakeNeverEnds_Closes()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.OpenServer(TestChannels.Listen with { HandshakeTimeoutSeconds = 10 });
        pipe.Feed(new byte[] { 0, 40, 0, 0, 0, 0 });
        channel.OnEvents(readable: true, writable: false, Seconds(9));
        channel.OnTimer(Seconds(9));
        Assert.Null(channel.Closed);
        channel.OnTimer(Seconds(10));
        Assert.Equal(CloseKind.HandshakeTimeout, channel.Closed?.Kind);
    }

    [Fact]
    public void Server_NoKeyFollows_IsSilentForFiftyMilliseconds()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.OpenServer(TestChannels.Listen);
        (_, FeedPipe client) = TestChannels.OpenClient(TestChannels.Connect, version: 13);
        pipe.Feed(client.Sent.ToArray());
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.Equal((ChannelState.Connecting, 50_000_000), (channel.State, channel.NextTimerNanos));
        channel.OnTimer(50_000_000);
        Assert.Equal(ChannelState.Active, channel.State);
    }

    private static long Seconds(int seconds) => seconds * 1_000_000_000L;

    private static (RsslChannel Channel, FeedPipe Pipe) ActiveServer(int timeoutSeconds)
    {
        (RsslChannel channel,
            FeedPipe pipe) =
                TestChannels.ActiveServer(TestChannels.Listen with { PingTimeoutSeconds = timeoutSeconds, MinPingTimeoutSeconds = 1 });
        TestChannels.ReadAll(channel);
        return (channel, pipe);
    }
}
