using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Connections that send nothing are closed in favour of later ones.</summary>
public sealed class UnfinishedHandshakeTests : IDisposable
{
    private const int Limit = 3;
    private static readonly long MaxNanos = 30 * Clock.NanosPerSecond;

    private readonly RsslListener _listener =
        RsslListener.Bind(new ListenOptions { Port = 0, MaxHandshakes = Limit, HandshakeTimeoutSeconds = 600 });

    private readonly ChannelPoller _servers = new();
    private readonly ChannelPoller _clients = new();
    private readonly List<TcpClient> _silent = [];

    public void Dispose()
    {
        _silent.ForEach(client => client.Dispose());
        _clients.Dispose();
        _servers.Dispose();
        _listener.Dispose();
    }

    [Fact]
    public void TryAccept_SilentSocketsUpToTheLimit_TheOldestMakesRoom()
    {
        for (int i = 0; i < Limit; i++)
            AddSilent();
        Until(() => _servers.Channels.Count == Limit);
        RsslChannel client = Connect();
        Until(() => client.State == ChannelState.Active);

        Assert.True(IsOver(_silent[0]));
        Assert.False(IsOver(_silent[1]) || IsOver(_silent[2]));
        Assert.Contains(_servers.Channels,
            channel => channel.Closed is { Kind: CloseKind.Aborted, Text: "its handshake was not done, and others wait" });
    }

    [Fact]
    public void TryAccept_ManyClientsAtOnce_NoneIsClosed()
    {
        List<RsslChannel> clients = [.. Enumerable.Range(0, 10 * Limit).Select(_ => Connect())];
        Until(() => clients.TrueForAll(client => client.State == ChannelState.Active));
        Assert.DoesNotContain(_servers.Channels, channel => channel.Closed is not null);
    }

    [Fact]
    public void AbortOpening_HandshakeDoneMeanwhile_GoesOn()
    {
        RsslChannel client = Connect();
        Until(() => client.State == ChannelState.Active && _servers.Channels.Any(channel => channel.State == ChannelState.Active));
        RsslChannel server = _servers.Channels.Single();
        server.AbortOpening("others wait");
        bool isPast = false;
        _servers.Run(_ => isPast = true);
        Until(() => isPast);
        Assert.Equal(ChannelState.Active, server.State);
    }

    [Fact]
    public async Task AcceptAsync_SilentSocketsUpToTheLimit_TheOldestMakesRoom()
    {
        CancellationToken test = TestContext.Current.CancellationToken;
        Task<RsslConnection> accepting = _listener.AcceptAsync(test);
        for (int i = 0; i < Limit; i++)
            AddSilent();
        await Task.Delay(100, test); // after them, or most of them
        await using RsslConnection client =
            await RsslConnection.ConnectAsync(new ConnectOptions { Host = "127.0.0.1", Port = _listener.Port }, test);
        await using RsslConnection server = await accepting.WaitAsync(TimeSpan.FromSeconds(30), test);
        Assert.Equal(ChannelState.Active, server.Channel.State);
    }

    private void AddSilent()
    {
        TcpClient client = new(AddressFamily.InterNetwork);
        client.Connect(IPAddress.Loopback, _listener.Port);
        _silent.Add(client);
    }

    private RsslChannel Connect() => _clients.Connect(new ConnectOptions { Host = "127.0.0.1", Port = _listener.Port });

    private static bool IsOver(TcpClient client) => client.Client.Poll(0, SelectMode.SelectRead);

    private void Until(Func<bool> condition)
    {
        for (long end = Clock.NowNanos + MaxNanos; !condition();)
        {
            Assert.True(Clock.NowNanos < end);
            while (_listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? connection))
                _servers.Post(connection);
            _servers.Wait(Clock.NowNanos + Clock.NanosPerMilli);
            _clients.Wait(Clock.NowNanos + Clock.NanosPerMilli);
        }
    }
}
