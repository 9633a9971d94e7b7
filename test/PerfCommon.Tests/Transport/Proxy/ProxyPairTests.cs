using System.Net;
using System.Net.Sockets;
using PerfCommon.Tests.Transport.Tls;
using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;
using Xunit;

namespace PerfCommon.Tests.Transport.Proxy;

/// <summary>Our client reaches our server through a proxy, by every kind of connection.</summary>
public sealed class ProxyPairTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private static readonly int[] Lengths = [.. Enumerable.Range(0, 100).Select(i => i % 20 == 19 ? 9_000 : 8 + i)];

    [Theory]
    [InlineData(false, null, null, false)]
    [InlineData(false, null, "joe:secret", false)]
    [InlineData(false, null, "joe:secret", true)]
    [InlineData(true, null, "joe:secret", false)]
    [InlineData(true, null, "joe:secret", true)]
    [InlineData(false, "rssl.rwf", "joe:secret", true)]
    [InlineData(true, "tr_json2", null, false)]
    public void Exchange_ThroughProxy_DeliversEveryMessage(bool encrypted, string? webSocket, string? login, bool hangsUp)
    {
        using TrialProxy proxy = new(login, hangsUp);
        using LoopbackPair pair = new(new ListenOptions
        {
            Port = 0,
            InterfaceName = "127.0.0.1",
            Tls = encrypted ? files.Good : null,
            WebSocketProtocols = "tr_json2, rssl.rwf",
        });
        pair.Connect(new ConnectOptions
        {
            Host = "localhost",
            Port = pair.Port,
            Proxy = new ProxyOptions { Host = "127.0.0.1", Port = proxy.Port, UserName = "joe", Password = "secret" },
            Tls = encrypted ? files.Trusting : null,
            WebSocketProtocols = webSocket,
        });
        Assert.True(pair.Client.State == ChannelState.Active, $"{pair.Client.Closed}");
        Assert.Equal(1, proxy.Tunnels);
        NumberedMessages.Exchange(pair, pair.Client, pair.Server, Lengths, packBytes: 0);
        NumberedMessages.Exchange(pair, pair.Server, pair.Client, Lengths, packBytes: 0);
    }

    [Fact]
    public void Connect_WrongPassword_SaysSoWithoutIt()
    {
        using TrialProxy proxy = new("joe:secret");
        using LoopbackPair pair = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        pair.Connect(new ConnectOptions
        {
            Host = "localhost",
            Port = pair.Port,
            Proxy = new ProxyOptions { Host = "127.0.0.1", Port = proxy.Port, UserName = "joe", Password = "sesame" },
        });
        Assert.Equal($"the proxy 127.0.0.1:{proxy.Port} refuses the login", pair.Client.Closed!.Text);
    }

    [Fact]
    public void Connect_ServerThatClosesOnVersionFourteen_FallsBackThroughTheProxy()
    {
        using TrialProxy proxy = new();
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        _ = CloseAfterFirstBytesAsync(server);
        using LoopbackPair pair = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        pair.Connect(new ConnectOptions
        {
            Host = "localhost",
            Port = ((IPEndPoint)server.LocalEndpoint).Port,
            Proxy = new ProxyOptions { Host = "127.0.0.1", Port = proxy.Port },
        });
        Assert.Equal(CloseKind.HandshakeFailed, pair.Client.Closed!.Kind);
        Assert.Equal(4, proxy.Tunnels); // versions 14, 13, 12, 11
    }

    private static async Task CloseAfterFirstBytesAsync(TcpListener server)
    {
        byte[] room = new byte[1024];
        for (int i = 0; i < 4; i++)
        {
            using TcpClient client = await server.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
            Assert.True(await client.GetStream().ReadAsync(room, TestContext.Current.CancellationToken) > 0);
        }
    }
}
