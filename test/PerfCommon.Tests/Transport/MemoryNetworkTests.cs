using System.Net;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Connections from connect to close on a network in memory with its own clock.</summary>
public sealed class MemoryNetworkTests : IDisposable
{
    private static readonly IPAddress[] DeadHosts = [IPAddress.Parse("192.0.2.1"), IPAddress.Parse("192.0.2.2")];

    private readonly MemoryPeers _peers = new();

    public void Dispose() => _peers.Dispose();

    [Fact]
    public void Connect_ServerListens_CarriesMessagesBothWays()
    {
        (RsslChannel client, RsslChannel server) = _peers.Connect();
        TestChannels.Write(client, "up"u8);
        TestChannels.Write(server, new byte[20_000]);
        _peers.Turn();
        Assert.Equal([2, 20_000], _peers.Messages.Select(message => message.Length).Order());
        Assert.Equal(14, client.Info.ConnectionVersion);
    }

    [Fact]
    public void Close_EitherSide_IsSeenByTheOther()
    {
        (RsslChannel client, RsslChannel server) = _peers.Connect();
        client.Close();
        _peers.Turn();
        Assert.Equal(CloseKind.PeerClosed, server.Closed?.Kind);
        Assert.Equal(0, _peers.Listener.OpenConnections);
    }

    [Fact]
    public void Connect_ServerListensNoMore_IsRefused()
    {
        _peers.Connect();
        _peers.Listener.Dispose();
        RsslChannel late = _peers.Begin(_peers.Options);
        _peers.Turn();
        Assert.Equal(CloseKind.ConnectFailed, late.Closed?.Kind);
    }

    [Fact]
    public void Pass_IdlePeers_PingEachOtherAndStayOpen()
    {
        (RsslChannel client, RsslChannel server) = _peers.Connect();
        _peers.Pass(TimeSpan.FromSeconds(121));
        Assert.Equal((6L, 6L), (client.PingsRead, server.PingsRead)); // every 20 of 60 s
        Assert.Equal((null, null), (client.Closed, server.Closed));
    }

    [Fact]
    public void Pass_SilentPeer_ClosesAtTheTimeout()
    {
        (RsslChannel client, _) = _peers.Connect();
        _peers.ServesServers = false;
        _peers.Pass(TimeSpan.FromSeconds(59.9));
        Assert.Null(client.Closed);
        _peers.Pass(TimeSpan.FromSeconds(0.1));
        Assert.Equal("PingTimeout: nothing was heard from the peer for 60 s", client.Closed?.ToString());
    }

    [Fact]
    public void Pass_HostThatIsDown_TriesEveryAddressForItsTime()
    {
        _peers.Network.Names["down"] = DeadHosts;
        RsslChannel client = _peers.Begin(_peers.Options with { Host = "down" });
        _peers.Pass(TimeSpan.FromSeconds(19.9));
        Assert.Null(client.Closed);
        _peers.Pass(TimeSpan.FromSeconds(0.1));
        Assert.Equal($"ConnectFailed: cannot connect to down port {_peers.Listener.Port}: no answer in time", client.Closed?.ToString());
    }

    [Fact]
    public void Pass_FirstAddressIsDown_ConnectsToTheNext()
    {
        _peers.Network.Names["half"] = [DeadHosts[0], IPAddress.Loopback];
        RsslChannel client = _peers.Begin(_peers.Options with { Host = "half" });
        _peers.Pass(TimeSpan.FromSeconds(9.9));
        Assert.Equal($"no answer from half port {_peers.Listener.Port}", client.Awaited);
        _peers.Pass(TimeSpan.FromSeconds(0.1));
        Assert.Equal(ChannelState.Active, client.State);
    }

    [Fact]
    public void Pass_SendTimeoutOfTheSocket_BoundsTheConnect()
    {
        _peers.Network.Names["down"] = [DeadHosts[0]];
        RsslChannel client = _peers.Begin(_peers.Options with { Host = "down", SendTimeoutMillis = 500 });
        _peers.Pass(TimeSpan.FromSeconds(0.49));
        Assert.Null(client.Closed);
        _peers.Pass(TimeSpan.FromSeconds(0.01));
        Assert.Equal(CloseKind.ConnectFailed, client.Closed?.Kind);
    }

    [Fact]
    public void Pass_NobodyShakesHands_ClosesAtTheTimeout()
    {
        _peers.ServesServers = false;
        RsslChannel client = _peers.Begin(_peers.Options);
        _peers.Turn();
        _peers.Pass(TimeSpan.FromSeconds(9.9));
        Assert.Equal("the server took the connection and did not answer the handshake", client.Awaited);
        _peers.Pass(TimeSpan.FromSeconds(0.1));
        Assert.Equal(CloseKind.HandshakeTimeout, client.Closed?.Kind);
    }

    [Theory]
    [InlineData("nowhere", "unknown host nowhere")]
    [InlineData("memory", "cannot connect to memory port 99: ")]
    public void Connect_NobodyThere_FailsWithASentence(string host, string expected)
    {
        RsslChannel client = _peers.Begin(_peers.Options with { Host = host, Port = 99 });
        Assert.Equal(CloseKind.ConnectFailed, client.Closed?.Kind);
        Assert.StartsWith(expected, client.Closed!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Connect_ServerHangsUp_GoesDownTheVersions()
    {
        _peers.ServesServers = false;
        RsslChannel client = _peers.Begin(_peers.Options);
        int attempts = 0;
        while (attempts < 10 && _peers.Listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
        {
            _peers.Turn();
            accepted.Dispose();
            _peers.Turn();
            attempts++;
        }

        Assert.Equal((3, CloseKind.HandshakeFailed), (attempts, client.Closed?.Kind)); // 14, 13, 12: 11 is for RWF
    }
}
