using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

/// <summary>Clients that start a TLS handshake and never complete it.</summary>
public sealed class SilentHandshakeTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private const int SilentClients = 50;

    [Fact]
    public void HalfHellos_OthersGoOn_AndTheyAreClosedInTime()
    {
        using LoopbackPair pair =
            new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1", Tls = files.Good, HandshakeTimeoutSeconds = 2 });
        List<Socket> silent = [];
        try
        {
            for (int i = 0; i < SilentClients; i++)
            {
                Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                silent.Add(socket);
                socket.Connect(new IPEndPoint(IPAddress.Loopback, pair.Port));
                socket.Send([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]); // 11 of 517 bytes
                pair.Turn();
            }

            pair.Connect(new ConnectOptions { Host = "localhost", Port = pair.Port, Tls = files.Trusting });
            Assert.True(pair.Client.State == ChannelState.Active, $"{pair.Client.Closed}");
            NumberedMessages.Exchange(pair, pair.Client, pair.Server, [.. Enumerable.Repeat(100, 1_000)], packBytes: 0);
            pair.TurnUntil(() => silent.TrueForAll(s => s.Poll(0, SelectMode.SelectRead)));
            NumberedMessages.Exchange(pair, pair.Server, pair.Client, [.. Enumerable.Repeat(100, 1_000)], packBytes: 0);
        }
        finally
        {
            silent.ForEach(s => s.Dispose());
        }
    }

    [Fact]
    public void PlainClientAtATlsPort_IsClosed()
    {
        using LoopbackPair pair = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1", Tls = files.Good });
        pair.Connect(new ConnectOptions { Host = "localhost", Port = pair.Port });
        Assert.Equal(ChannelState.Closed, pair.Client.State);
    }

    [Fact]
    public void TlsClientAtAPlainPort_IsClosed()
    {
        using LoopbackPair pair = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        pair.Connect(new ConnectOptions { Host = "localhost", Port = pair.Port, Tls = files.Trusting });
        Assert.Equal(ChannelState.Closed, pair.Client.State);
        Assert.StartsWith("TLS handshake: ", pair.Client.Closed!.Text, StringComparison.Ordinal);
    }
}
