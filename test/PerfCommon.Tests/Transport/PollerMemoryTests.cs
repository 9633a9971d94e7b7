using System.Runtime.CompilerServices;
using PerfCommon.Measurement;
using PerfCommon.Tests.Simulation;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>What a poller keeps of connections that are idle or gone: no place among the ready ones, no array, no object.</summary>
[Collection(MemoryRuns.Name)]
public sealed class PollerMemoryTests : IDisposable
{
    private const int Rounds = 20;

    private readonly MemoryNetwork _network = new(TimeSource.StartAt(Clock.NanosPerSecond));
    private readonly RsslListener _plain;
    private readonly RsslListener _encrypted;
    private readonly ChannelPoller _servers;
    private readonly ChannelPoller _clients;

    public PollerMemoryTests()
    {
        ListenOptions options = TestChannels.Listen with { ProtocolType = RsslProtocol.Rwf, WebSocketProtocols = "tr_json2, rssl.rwf" };
        _plain = RsslListener.Bind(options, _network);
        _encrypted = RsslListener.Bind(options with { Tls = SimulatedCertificate.IsPossible ? SimulatedCertificate.Server : null }, _network);
        (_servers, _clients) = (new ChannelPoller(busyRead: false, _network), new ChannelPoller(busyRead: false, _network));
    }

    public void Dispose()
    {
        _clients.Dispose();
        _servers.Dispose();
        _plain.Dispose();
        _encrypted.Dispose();
    }

    [Fact]
    public void Ready_ChannelReadToItsEnd_IsNotListedAgain()
    {
        (RsslChannel client, RsslChannel server) = Connect("tcp");
        TestChannels.Write(client, "news"u8);
        client.Flush();
        _servers.Wait(0);
        Assert.Equal([server], _servers.Ready);
        while (server.TryRead(out _))
        {
        }

        _servers.Wait(0);
        Assert.Empty(_servers.Ready);
    }

    [Fact]
    public void Ready_ChannelNotReadToItsEnd_StaysListed()
    {
        (RsslChannel client, RsslChannel server) = Connect("tcp");
        TestChannels.Write(client, "news"u8);
        TestChannels.Write(client, "more"u8);
        client.Flush();
        _servers.Wait(0);
        Assert.True(server.TryRead(out _));
        _servers.Wait(0);
        Assert.Equal([server], _servers.Ready);
    }

    [Theory]
    [InlineData("tcp")]
    [InlineData("rssl.rwf")]
    [InlineData("tr_json2")]
    [InlineData("tls")]
    [InlineData("tls+rssl.rwf")]
    public void PooledBytes_ConnectionsThatEnded_KeepNoArray(string connection)
    {
        Assert.SkipUnless(SimulatedCertificate.IsPossible, "its certificate needs a choice of suites");
        long first = PassOne(connection);
        for (int round = 0; round < Rounds; round++)
            Assert.Equal(first, PassOne(connection));
    }

    [Fact]
    public void PooledBytes_ConnectionsThatWereRefused_KeepNoArray()
    {
        long first = 0;
        for (int round = 0; round < Rounds; round++)
        {
            RsslChannel client = Begin("tcp", RsslProtocol.Json);
            Turn();
            Assert.Equal(CloseKind.Refused, client.Closed?.Kind);
            Forget();
            first = first == 0 ? Pooled : first;
            Assert.Equal(first, Pooled);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)] // its request comes later than the connection
    public void Post_ConnectionThatIsRefused_IsForgottenAfterItsEnd(bool hasAsked)
    {
        WeakReference refused = Refuse(hasAsked);
        _network.Time.Advance(30 * Clock.NanosPerSecond);
        Turn();
        GC.Collect();
        Assert.False(refused.IsAlive);
    }

    private long Pooled => _servers.PooledBytes + _clients.PooledBytes;

    // A connection that carries a message and ends.
    private long PassOne(string connection)
    {
        (RsslChannel client, RsslChannel server) = Connect(connection);
        TestChannels.Write(client, new byte[3_000]);
        client.Flush();
        Turn();
        Assert.True(server.TryRead(out _));
        client.Close();
        Turn();
        Assert.False(server.TryRead(out _));
        Assert.NotNull(server.Closed);
        Forget();
        return Pooled;
    }

    // Apart, so that no local variable of the test refers to the connection.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference Refuse(bool hasAsked)
    {
        RsslChannel client = Begin("tcp", RsslProtocol.Rwf);
        if (hasAsked)
            _clients.Wait(0);
        Assert.True(_plain.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted));
        accepted.Refuse("no room");
        _servers.Post(accepted);
        _servers.Wait(0);
        Turn();
        Assert.Equal(CloseKind.Refused, client.Closed?.Kind);
        _clients.Remove(client);
        return new WeakReference(accepted);
    }

    private RsslChannel Begin(string connection, byte protocol)
    {
        bool encrypts = connection.StartsWith("tls", StringComparison.Ordinal);
        return _clients.Connect(TestChannels.Connect with
        {
            Host = MemoryNetwork.Host,
            Port = (encrypts ? _encrypted : _plain).Port,
            ProtocolType = protocol,
            WebSocketProtocols = connection is "tcp" or "tls" ? null : connection.Replace("tls+", "", StringComparison.Ordinal),
            Tls = encrypts ? SimulatedCertificate.Client : null,
        });
    }

    private (RsslChannel Client, RsslChannel Server) Connect(string connection)
    {
        RsslChannel client = Begin(connection, RsslProtocol.Rwf);
        Turn();
        _network.Time.Advance(Clock.NanosPerSecond / 10); // more than the pause after some handshakes
        Turn();
        Assert.Equal((ChannelState.Active, ChannelState.Active), (client.State, _servers.Channels[^1].State));
        return (client, _servers.Channels[^1]);
    }

    private void Forget()
    {
        foreach (ChannelPoller poller in (ChannelPoller[])[_servers, _clients])
        {
            while (poller.Channels.Count > 0)
                poller.Remove(poller.Channels[0]);
        }
    }

    private void Turn()
    {
        for (int round = 0; round < 20; round++)
        {
            foreach (RsslListener listener in (RsslListener[])[_plain, _encrypted])
            {
                while (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                    _servers.Post(accepted);
            }

            _clients.Wait(0);
            _servers.Wait(0);
        }
    }
}
