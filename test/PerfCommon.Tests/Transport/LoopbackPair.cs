using System.Diagnostics;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>A client and a server of ours over loopback TCP, both served by the test's own thread.</summary>
internal sealed class LoopbackPair : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly RsslListener _listener;
    private readonly ChannelPoller _clients = new();
    private readonly ChannelPoller _servers = new();

    public LoopbackPair(ListenOptions listen) => _listener = RsslListener.Bind(listen);

    public int Port => _listener.Port;

    public RsslChannel Client { get; private set; } = null!;

    public RsslChannel Server { get; private set; } = null!;

    /// <summary>Connects and runs turns until both sides are active or the client has failed.</summary>
    public void Connect(ConnectOptions options)
    {
        Client = _clients.Connect(options);
        TurnUntil(() => Client.State == ChannelState.Closed || (Client.State == ChannelState.Active && FindServer()));
    }

    /// <summary>Connects to another server.</summary>
    public void ConnectClient(ConnectOptions options)
    {
        Client = _clients.Connect(options);
        TurnUntil(() => Client.State is ChannelState.Closed or ChannelState.Active);
    }

    /// <summary>Serves both sides until something holds.</summary>
    public void TurnUntil(Func<bool> holds)
    {
        for (long start = Stopwatch.GetTimestamp(); !holds();)
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Limit, $"time is up: client {Client.State} {Client.Closed}");
            Turn();
        }
    }

    public void Turn()
    {
        while (_listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? connection))
            _servers.Post(connection);
        _clients.Wait(0);
        _servers.Wait(0);
    }

    public void Dispose()
    {
        _clients.Dispose();
        _servers.Dispose();
        _listener.Dispose();
    }

    private bool FindServer()
    {
        foreach (RsslChannel channel in _servers.Channels)
        {
            if (channel.State == ChannelState.Active)
                Server = channel;
        }

        return Server is not null;
    }
}
