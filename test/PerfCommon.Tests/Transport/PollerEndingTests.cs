using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Ending all channels of a poller, in order and at a time limit; open descriptors after its disposal.</summary>
public sealed class PollerEndingTests
{
    [Fact]
    public void FinishAll_BothEnds_SendsWhatIsQueuedAndClosesThem()
    {
        using OwnPeers peers = new();
        (RsslChannel client, RsslChannel server) = peers.Connect();
        TestChannels.Write(client, new byte[100]);
        Assert.Equal(0, client.MessagesSent);
        Assert.True(peers.Poller.FinishAll(TimeSpan.FromSeconds(60)));
        Assert.Equal(1, client.MessagesSent);
        Assert.Equal((CloseKind.PeerClosed, CloseKind.PeerClosed), (client.Closed!.Kind, server.Closed!.Kind));
        Assert.True(peers.Poller.FinishAll(TimeSpan.FromSeconds(60))); // without any channel
    }

    [Fact]
    public void FinishAll_PeerThatDoesNotEnd_GivesUpAtTheLimitAndMayGoOn()
    {
        using OwnPeers servers = new();
        using ChannelPoller clients = new();
        RsslChannel client = clients.Connect(servers.ClientOptions);
        servers.Drive(() =>
        {
            clients.Wait(0);
            return client.State == ChannelState.Active && servers.Poller.Channels is [{ State: ChannelState.Active }];
        });
        Assert.False(clients.FinishAll(TimeSpan.FromMilliseconds(20)));
        Assert.Null(client.Closed);
        RsslChannel server = servers.Poller.Channels[0];
        servers.Drive(() => !server.TryRead(out _) && server.Closed is not null);
        Assert.True(clients.FinishAll(TimeSpan.FromSeconds(60)));
        Assert.Equal(CloseKind.PeerClosed, client.Closed!.Kind);
    }

    [Fact]
    public void Remove_ChannelThatWasRemovedBefore_RemovesNoOther()
    {
        using OwnPeers peers = new();
        (RsslChannel client, RsslChannel server) = peers.Connect();
        for (int i = 0; i < 2; i++)
        {
            peers.Poller.Remove(client);
            Assert.Equal([server], peers.Poller.Channels);
        }

        Assert.Equal((ChannelState.Closed, ChannelState.Active), (client.State, server.State));
        for (int i = 0; i < 2; i++)
            peers.Poller.Remove(server);
        Assert.Empty(peers.Poller.Channels);
    }

    [Fact]
    public void Dispose_ConnectionThatWasNotServedYet_IsClosedAndCountsNoMore()
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        using TcpClient client = new("127.0.0.1", listener.Port) { ReceiveTimeout = 60_000 };
        ChannelPoller poller = new();
        Assert.True(listener.TryAccept(TimeSpan.FromSeconds(60), out AcceptedConnection? accepted));
        poller.Post(accepted);
        poller.Dispose();
        Assert.Equal(0, client.GetStream().Read(new byte[1]));
        Assert.Equal(0, listener.OpenConnections);
    }

    [Fact]
    public void TryAccept_PortThatIsClosed_IsNone()
    {
        ListeningPort port = SystemNetwork.Instance.Listen(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        port.Dispose();
        Assert.Null(port.TryAccept(TimeSpan.Zero));
    }

    /// <summary>A peer that closes with unread bytes resets the connection.</summary>
    [Fact]
    public void Peer_ThatClosesWithBytesUnread_BreaksTheConnection()
    {
        using OwnPeers peers = new();
        (RsslChannel client, RsslChannel server) = peers.Connect();
        TestChannels.Write(server, new byte[1_000]);
        peers.Drive(() => server.Flush());
        peers.Turn();
        client.Close();
        peers.Drive(() => !server.TryRead(out _) && server.Closed is not null);
        Assert.Equal(CloseKind.Reset, server.Closed!.Kind);
        Assert.NotEqual("the connection broke", server.Closed.Text); // text of the system
    }

    [Fact]
    public void Pollers_ThatAreDisposedOf_LeaveNoDescriptor()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "it looks into /proc");
        const int Pollers = 400; // other tests create and dispose of some in parallel
        int before = CountDescriptors();
        for (int i = 0; i < Pollers; i++)
            new ChannelPoller().Dispose();
        Assert.InRange(CountDescriptors() - before, int.MinValue, Pollers / 2);
    }

    private static int CountDescriptors() =>
        Directory.GetFileSystemEntries("/proc/self/fd").Count(path => new FileInfo(path).LinkTarget?.StartsWith("anon_inode:", StringComparison.Ordinal) == true); // no socket
}
