using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Handshake messages that the connection does not accept at once.</summary>
public class PartlySentHandshakeTests
{
    private const int KeyBytes = ServerKey.ClientKeyBytes;

    [Fact]
    public void Client_KeySentInPart_IsActiveOnceTheRestHasLeft()
    {
        (RsslChannel client, FeedPipe clientPipe) = TestChannels.OpenClient(TestChannels.Connect);
        (RsslChannel server, FeedPipe serverPipe) = TestChannels.OpenServer(TestChannels.Listen);
        Pass(clientPipe, serverPipe, server);
        clientPipe.ClearSent();
        clientPipe.SendRoom = 5;

        Pass(serverPipe, clientPipe, client);
        Assert.Equal((ChannelState.Connecting, 5), (client.State, clientPipe.Sent.Length));
        clientPipe.SendRoom = int.MaxValue;
        client.OnEvents(readable: false, writable: true, nowNanos: 0);

        Assert.Equal((ChannelState.Active, KeyBytes), (client.State, clientPipe.Sent.Length));
        Pass(clientPipe, serverPipe, server);
        Assert.Equal(ChannelState.Active, server.State);
    }

    /// <summary>An interest in writing without anything to write would wake the worker over and over.</summary>
    [Fact]
    public void Server_AckSentInPart_WaitsToWriteAndOnlyThen()
    {
        HandDriver driver = new(new BufferPool());
        (RsslChannel server, FeedPipe serverPipe) = TestChannels.OpenServer(TestChannels.Listen, driver);
        (_, FeedPipe clientPipe) = TestChannels.OpenClient(TestChannels.Connect);
        Assert.Equal((true, false), driver.Interest);
        serverPipe.SendRoom = 10;
        Pass(clientPipe, serverPipe, server);
        Assert.True(driver.Interest.Writes);
        serverPipe.SendRoom = int.MaxValue;
        server.OnEvents(readable: false, writable: true, nowNanos: 0);
        Assert.Equal((ChannelState.Connecting, (true, false)), (server.State, driver.Interest)); // for the client's key
    }

    [Fact]
    public void Server_AckSentInPart_PausesOnceTheRestHasLeft()
    {
        (_, FeedPipe clientPipe) = TestChannels.OpenClient(TestChannels.Connect, version: 13);
        (RsslChannel server, FeedPipe serverPipe) = TestChannels.OpenServer(TestChannels.Listen);
        serverPipe.SendRoom = 10;

        Pass(clientPipe, serverPipe, server);
        server.OnTimer(1_000_000_000); // long after a pause that had begun at once
        Assert.Equal((ChannelState.Connecting, 10), (server.State, serverPipe.Sent.Length));
        serverPipe.SendRoom = int.MaxValue;
        server.OnEvents(readable: false, writable: true, nowNanos: 2_000_000_000);
        Assert.Equal((ChannelState.Connecting, 2_050_000_000), (server.State, server.NextTimerNanos));
        server.OnTimer(server.NextTimerNanos);

        Assert.Equal(ChannelState.Active, server.State);
        Assert.Equal(serverPipe.Sent[1], serverPipe.Sent.Length);
    }

    [Fact]
    public void Server_NakSentInPart_ClosesOnceTheRestHasLeft()
    {
        (_, FeedPipe clientPipe) = TestChannels.OpenClient(TestChannels.Connect);
        (RsslChannel server, FeedPipe serverPipe) = TestChannels.OpenServer(TestChannels.Listen with { ProtocolType = RsslProtocol.Rwf });
        serverPipe.SendRoom = 10;

        Pass(clientPipe, serverPipe, server);
        Assert.Equal((null, 10), (server.Closed, serverPipe.Sent.Length));
        serverPipe.SendRoom = int.MaxValue;
        server.OnEvents(readable: false, writable: true, nowNanos: 0);

        Assert.Equal((CloseKind.Refused, (int)serverPipe.Sent[1]), (server.Closed?.Kind, serverPipe.Sent.Length));
    }

    [Fact]
    public void Server_RestNeverLeaves_ClosesWhenTheTimeIsUp()
    {
        (_, FeedPipe clientPipe) = TestChannels.OpenClient(TestChannels.Connect);
        (RsslChannel server, FeedPipe serverPipe) = TestChannels.OpenServer(TestChannels.Listen);
        serverPipe.SendRoom = 10;
        Pass(clientPipe, serverPipe, server);
        server.OnTimer(server.NextTimerNanos);
        Assert.Equal(CloseKind.HandshakeTimeout, server.Closed?.Kind);
    }

    private static void Pass(FeedPipe from, FeedPipe to, RsslChannel receiver)
    {
        to.Feed(from.Sent.ToArray());
        receiver.OnEvents(readable: true, writable: false, nowNanos: 0);
    }
}
