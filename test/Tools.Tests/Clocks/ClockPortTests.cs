using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>The port of clock messages: its limits, and what is left of it after its end.</summary>
public sealed class ClockPortTests : IDisposable
{
    private const int LimitMillis = 10_000; // less than the 30 s after which a silent connection is closed

    private readonly ClockPort _port = ClockPort.Listen(new(IPAddress.Loopback, 0));
    private readonly ManualResetEventSlim _isServed = new();

    public void Dispose()
    {
        _port.Dispose();
        _isServed.Dispose();
    }

    [Fact]
    public void IsDue_TimesOfOneSecond_AreCountedTogether()
    {
        const long Second = Clock.NanosPerSecond;
        Assert.All(Enumerable.Range(0, 5_000), i => Assert.True(_port.IsDue((7 * Second) + (i * 200_000L))));
        Assert.False(_port.IsDue((8 * Second) - 1));
        Assert.True(_port.IsDue(8 * Second));
    }

    [Fact]
    public void Dispose_WhileConnected_EndsTheConnectionAndFreesThePort()
    {
        using Socket connection = Serve();
        _port.Dispose();
        Assert.Equal(0, Receive(connection));
        using Socket next = Create();
        Assert.Equal(SocketError.ConnectionRefused, Assert.ThrowsAny<SocketException>(() => next.Connect(_address)).SocketErrorCode);
    }

    [Fact]
    public void Start_MoreConnectionsThanAllowed_ClosesTheLast()
    {
        List<Socket> connections = [];
        try
        {
            connections.Add(Serve());
            for (int i = 1; i <= 16; i++)
            {
                connections.Add(Create());
                connections[i].Connect(_address);
            }

            Assert.Equal(0, Receive(connections[16]));
            Assert.Equal(0, connections[0].Available);
        }
        finally
        {
            connections.ForEach(one => one.Dispose());
        }
    }

    /// <summary>A prober must not wait for the answer of a peer that is gone; one that is only late may still answer.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void TryReceive_OverAConnection_HasFailedWhereThePeerIsGone(bool isGone)
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using ClockLink link = ClockLink.TryConnect((IPEndPoint)listener.LocalEndpoint)!;
        using Socket peer = listener.AcceptSocket();
        if (isGone)
            peer.Shutdown(SocketShutdown.Both);
        Assert.False(link.TryReceive(new byte[ClockMessage.Bytes], Clock.NanosPerMilli * (isGone ? LimitMillis : 20)));
        Assert.Equal(isGone, link.HasFailed);
    }

    private IPEndPoint _address = new(IPAddress.Loopback, 1);

    private static Socket Create() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = LimitMillis };

    // Bytes received; 0 where the connection has ended.
    private static int Receive(Socket connection)
    {
        int bytes = connection.Receive(new byte[1], SocketFlags.None, out SocketError error);
        Assert.True(error is SocketError.Success or SocketError.ConnectionReset, $"{error}");
        return bytes;
    }

    // A connection that the port serves.
    private Socket Serve()
    {
        _address = _port.Local;
        _port.Start(() => { }, connection =>
        {
            _isServed.Set();
            ClockPort.ReceiveMessages(connection, _ => true);
        });
        Socket connection = Create();
        connection.Connect(_address);
        Assert.True(_isServed.Wait(LimitMillis, TestContext.Current.CancellationToken));
        return connection;
    }
}
