using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PerfCommon.Tests.Transport.Tls;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using Xunit;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>Our WebSocket against the framework's.</summary>
public sealed class FrameworkPeerTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Theory]
    [InlineData(false, 50)]
    [InlineData(false, 5_000)]
    [InlineData(false, 150_000)]
    [InlineData(true, 5_000)]
    public async Task Server_FrameworkClientOfJson_GetsEveryMessageBack(bool encrypted, int length)
    {
        using EchoServer server = new(new ListenOptions
        {
            Port = 0,
            InterfaceName = "127.0.0.1",
            WebSocketProtocols = "rssl.json.v2",
            Tls = encrypted ? files.Good : null,
        });
        using ClientWebSocket client = new();
        client.Options.AddSubProtocol("tr_json2");
        client.Options.KeepAliveInterval = TimeSpan.FromMilliseconds(50); // its pings arrive in between
#pragma warning disable CA5359 // the test's temporary certificate
        client.Options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
#pragma warning restore CA5359
        using CancellationTokenSource time = new(Limit);
        await client.ConnectAsync(new Uri($"{(encrypted ? "wss" : "ws")}://127.0.0.1:{server.Port}/x/websocket"), time.Token);
        Assert.Equal("tr_json2", client.SubProtocol);

        for (int i = 0; i < 5; i++)
        {
            string text = $"[\"{i}{new string('x', length)}\"]";
            await client.SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, true, time.Token);
            Assert.Equal($"[{text}]", await ReceiveAsync(client, time.Token));
        }

        await client.SendAsync("[{\"Type\":\"Ping\"}]"u8.ToArray(), WebSocketMessageType.Text, true, time.Token);
        Assert.Equal("[{\"Type\":\"Pong\"}]", await ReceiveAsync(client, time.Token));
        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, "done", time.Token);
        Assert.Equal((WebSocketCloseStatus)1001, client.CloseStatus);
    }

    [Theory]
    [InlineData("rssl.rwf")]
    [InlineData("unknown")]
    public async Task Server_NoCommonProtocol_AnswersBadRequest(string protocol)
    {
        using EchoServer server = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1", WebSocketProtocols = "tr_json2" });
        using ClientWebSocket client = new();
        client.Options.AddSubProtocol(protocol);
        using CancellationTokenSource time = new(Limit);
        client.Options.CollectHttpResponseDetails = true;
        await Assert.ThrowsAsync<WebSocketException>(() =>
            client.ConnectAsync(new Uri($"ws://127.0.0.1:{server.Port}/WebSocket"), time.Token));
        Assert.Equal(HttpStatusCode.BadRequest, client.HttpStatusCode);
    }

    [Fact]
    public async Task Client_FrameworkServerOfJson_GetsEveryMessageBack()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using CancellationTokenSource time = new(Limit);
        Task served = EchoAsync(listener, time.Token);
        using LoopbackPair pair = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        pair.ConnectClient(new ConnectOptions
        {
            Host = "localhost",
            Port = ((IPEndPoint)listener.LocalEndpoint).Port,
            WebSocketProtocols = "rssl.json.v2"
        });
        Assert.True(pair.Client.State == ChannelState.Active, $"{pair.Client.Closed}");
        Assert.Equal(RsslProtocol.Json, pair.Client.Info.ProtocolType);

        foreach (int length in (int[])[20, 5_000, 100_000])
        {
            string echoed = "";
            Assert.True(pair.Client.TryBeginMessage(length, out Span<byte> room));
            NumberedMessages.Fill(room, length);
            string sent = Encoding.ASCII.GetString(room);
            pair.Client.EndMessage(length);
            pair.TurnUntil(() =>
            {
                pair.Client.Flush();
                if (pair.Client.TryRead(out ReadOnlySpan<byte> message))
                    echoed = Encoding.ASCII.GetString(message);
                return echoed.Length > 0;
            });
            Assert.Equal($"[{sent}]", echoed);
        }

        pair.Client.FinishSending();
        pair.TurnUntil(() => !pair.Client.TryRead(out _) && pair.Client.Closed is not null);
        await served;
    }

    private static async Task EchoAsync(TcpListener listener, CancellationToken cancellation)
    {
        using TcpClient client = await listener.AcceptTcpClientAsync(cancellation);
        NetworkStream stream = client.GetStream();
        byte[] room = new byte[200_000];
        int count = 0;
        while (!room.AsSpan(0, count).EndsWith("\r\n\r\n"u8))
            count += await stream.ReadAsync(room.AsMemory(count, 1), cancellation);
        string request = Encoding.ASCII.GetString(room, 0, count);
        string key = request.Split("Sec-WebSocket-Key: ")[1].Split("\r\n")[0];
        string response = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
            + $"{WebSocketUpgrade.AcceptFor(key)}\r\nSec-WebSocket-Protocol: tr_json2\r\n\r\n";
        await stream.WriteAsync(Encoding.ASCII.GetBytes(response), cancellation);

        using WebSocket socket = WebSocket.CreateFromStream(stream,
            new WebSocketCreationOptions { IsServer = true, SubProtocol = "tr_json2" });
        count = 0;
        while (true)
        {
            ValueWebSocketReceiveResult piece = await socket.ReceiveAsync(room.AsMemory(count), cancellation);
            if (piece.MessageType == WebSocketMessageType.Close)
                break;
            count += piece.Count;
            if (!piece.EndOfMessage)
                continue;
            await socket.SendAsync(room.AsMemory(0, count), WebSocketMessageType.Text, true, cancellation);
            count = 0;
        }

        Assert.Equal((WebSocketCloseStatus.NormalClosure, "Normal Closure"), (socket.CloseStatus!.Value, socket.CloseStatusDescription));
        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "bye", cancellation);
    }

    private static async Task<string> ReceiveAsync(ClientWebSocket client, CancellationToken cancellation)
    {
        byte[] room = new byte[400_000];
        int count = 0;
        ValueWebSocketReceiveResult piece;
        do
        {
            piece = await client.ReceiveAsync(room.AsMemory(count), cancellation);
            count += piece.Count;
        }
        while (!piece.EndOfMessage);
        return Encoding.UTF8.GetString(room, 0, count);
    }
}
