using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>
/// A client's and a server's poller on a network in memory, whose clock only the test advances: no socket, no wait, every run identical.
/// </summary>
internal sealed class MemoryPeers : IDisposable
{
    private const int RoundsPerTurn = 8; // more than the messages of a handshake

    private readonly ChannelPoller _clients;
    private readonly ChannelPoller _servers;

    public MemoryPeers(ListenOptions? listen = null)
    {
        Network = new MemoryNetwork(TimeSource.StartAt(Clock.NanosPerSecond));
        Listener = RsslListener.Bind(listen ?? TestChannels.Listen, Network);
        _clients = new ChannelPoller(busyRead: false, Network);
        _servers = new ChannelPoller(busyRead: false, Network);
    }

    public MemoryNetwork Network { get; }

    public RsslListener Listener { get; }

    /// <summary>False does not serve the servers: silent peers.</summary>
    public bool ServesServers { get; set; } = true;

    /// <summary>Messages that any channel returned.</summary>
    public List<byte[]> Messages { get; } = [];

    public ConnectOptions Options => TestChannels.Connect with { Host = MemoryNetwork.Host, Port = Listener.Port };

    /// <summary>Starts to connect.</summary>
    public RsslChannel Begin(ConnectOptions options) => _clients.Connect(options);

    /// <summary>Connects, both sides.</summary>
    public (RsslChannel Client, RsslChannel Server) Connect()
    {
        RsslChannel client = Begin(Options);
        Turn();
        RsslChannel server = _servers.Channels[^1];
        Assert.Equal((ChannelState.Active, ChannelState.Active), (client.State, server.State));
        return (client, server);
    }

    /// <summary>Serves both sides until nothing is left to do at this time.</summary>
    public void Turn()
    {
        for (int round = 0; round < RoundsPerTurn; round++)
        {
            while (ServesServers && Listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                _servers.Post(accepted);
            Serve(_clients);
            if (ServesServers)
                Serve(_servers);
        }
    }

    /// <summary>Advances the clock, in the steps at which timers are checked, and serves both sides at each.</summary>
    public void Pass(TimeSpan time)
    {
        const long Step = 10 * Clock.NanosPerMilli;
        for (long left = time.Ticks * TimeSpan.NanosecondsPerTick; left > 0; left -= Step)
        {
            Network.Time.Advance(Math.Min(left, Step));
            Turn();
        }
    }

    public void Dispose()
    {
        _clients.Dispose();
        _servers.Dispose();
        Listener.Dispose();
    }

    private void Serve(ChannelPoller poller)
    {
        poller.Wait(0);
        foreach (RsslChannel channel in poller.Channels)
        {
            while (channel.TryRead(out ReadOnlySpan<byte> message))
                Messages.Add(message.ToArray());
            channel.Flush();
        }
    }
}
