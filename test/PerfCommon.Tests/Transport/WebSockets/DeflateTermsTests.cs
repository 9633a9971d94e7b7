using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using Xunit;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>Terms of permessage-deflate (RFC 7692) that peers other than ours offer or grant.</summary>
public sealed class DeflateTermsTests
{
    private const string Text = "[{\"Type\":\"Update\",\"Fields\":{\"BID\":1.25,\"ASK\":1.5}}]";
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(15, 15, true)]
    [InlineData(15, 10, true)]
    [InlineData(15, 15, false)]
    [InlineData(10, 15, true)]
    public async Task Server_FrameworkClientThatOffers_GetsEveryMessageBack(int serverBits, int clientBits, bool clientKeepsContext)
    {
        using EchoServer server = new(new ListenOptions
        {
            Port = 0,
            InterfaceName = "127.0.0.1",
            WebSocketProtocols = "tr_json2",
            CompressionType = CompressionType.Zlib,
        });
        using ClientWebSocket client = new();
        client.Options.AddSubProtocol("tr_json2");
        client.Options.DangerousDeflateOptions = new WebSocketDeflateOptions
        {
            ServerMaxWindowBits = serverBits,
            ClientMaxWindowBits = clientBits,
            ClientContextTakeover = clientKeepsContext,
        };
        using CancellationTokenSource time = new(Limit);
        await client.ConnectAsync(new Uri($"ws://127.0.0.1:{server.Port}/websocket"), time.Token);
        for (int i = 0; i < 3; i++)
        {
            await client.SendAsync(Encoding.ASCII.GetBytes(Text), WebSocketMessageType.Text, true, time.Token);
            byte[] room = new byte[1_000];
            ValueWebSocketReceiveResult received = await client.ReceiveAsync(room.AsMemory(), time.Token);
            Assert.Equal($"[{Text}]", Encoding.ASCII.GetString(room, 0, received.Count));
        }
    }

    [Theory]
    [InlineData("permessage-deflate;server_no_context_takeover", true, true)]
    [InlineData("permessage-deflate; server_no_context_takeover; client_no_context_takeover", false, true)]
    [InlineData("Permessage-Deflate; Client_No_Context_Takeover", false, true)]
    [InlineData("permessage-deflate; server_max_window_bits=12", true, true)]
    [InlineData("permessage-deflate; client_max_window_bits=10", true, false)]
    [InlineData("permessage-deflate; unknown", true, false)]
    public async Task Client_FrameworkServerThatGrants_KeepsToItsTerms(string granted, bool clientKeepsContext, bool isValid)
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using CancellationTokenSource time = new(Limit);
        Task<int> served = CountAsync(listener, granted, clientKeepsContext, time.Token);
        using LoopbackPair pair = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        pair.ConnectClient(new ConnectOptions
        {
            Host = "127.0.0.1",
            Port = ((IPEndPoint)listener.LocalEndpoint).Port,
            WebSocketProtocols = "tr_json2",
            CompressionType = CompressionType.Zlib,
        });
        Assert.Equal(isValid ? ChannelState.Active : ChannelState.Closed, pair.Client.State);
        for (int i = 0; i < 3 && isValid; i++)
        {
            Assert.True(pair.Client.TryBeginMessage(Text.Length, out Span<byte> room));
            Encoding.ASCII.GetBytes(Text, room);
            pair.Client.EndMessage(Text.Length);
            pair.Client.Flush();
        }

        pair.Client.FinishSending();
        pair.TurnUntil(() => !pair.Client.TryRead(out _) && pair.Client.Closed is not null);
        Assert.Equal(isValid ? 3 : 0, await served);
    }

    [Theory]
    [InlineData("permessage-deflate; server_max_window_bits=10, permessage-deflate", true)]
    [InlineData("x-webkit-deflate-frame, permessage-deflate; client_max_window_bits", true)]
    [InlineData("permessage-deflate; client_max_window_bits=9; client_no_context_takeover", true)]
    [InlineData("permessage-deflate; server_max_window_bits=10", false)]
    [InlineData("permessage-deflate; window=huge", false)]
    [InlineData("x-permessage-deflate-too", false)]
    public void Server_Offers_GrantsTheFirstThatItCanKeep(string offers, bool isGranted)
    {
        (MemoryPipe client, MemoryPipe server) = MemoryPipe.CreatePair();
        server.Inject(Encoding.ASCII.GetBytes(
            "GET /WebSocket HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + $"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tr_json2\r\nSec-WebSocket-Extensions: {offers}\r\n\r\n"));
        using WebSocketPipe pipe = WebSocketPipe.ForServer(server, [],
            new ListenOptions { Port = 0, WebSocketProtocols = "tr_json2", CompressionType = CompressionType.Zlib }, new BufferPool());
        Assert.Equal(PipeStatus.Ready, pipe.Open());
        Assert.Equal(isGranted, Encoding.ASCII.GetString(client.TakeAll()).Contains("permessage-deflate", StringComparison.Ordinal));
    }

    // Counts the messages that are whole.
    private static async Task<int> CountAsync(TcpListener listener, string granted, bool clientKeepsContext, CancellationToken cancellation)
    {
        using TcpClient client = await listener.AcceptTcpClientAsync(cancellation);
        NetworkStream stream = client.GetStream();
        byte[] room = new byte[10_000];
        int count = 0;
        while (!room.AsSpan(0, count).EndsWith("\r\n\r\n"u8))
            count += await stream.ReadAsync(room.AsMemory(count, 1), cancellation);
        string key = Encoding.ASCII.GetString(room, 0, count).Split("Sec-WebSocket-Key: ")[1].Split("\r\n")[0];
        await stream.WriteAsync(Encoding.ASCII.GetBytes(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + $"Sec-WebSocket-Accept: {WebSocketUpgrade.AcceptFor(key)}\r\nSec-WebSocket-Protocol: tr_json2\r\n"
            + $"Sec-WebSocket-Extensions: {granted}\r\n\r\n"), cancellation);
        using WebSocket socket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions
        {
            IsServer = true,
            SubProtocol = "tr_json2",
            DangerousDeflateOptions = new WebSocketDeflateOptions { ClientContextTakeover = clientKeepsContext, ServerContextTakeover = false },
        });
        try
        {
            for (int whole = 0; ; whole++)
            {
                ValueWebSocketReceiveResult piece = await socket.ReceiveAsync(room.AsMemory(), cancellation);
                if (piece.MessageType == WebSocketMessageType.Close || Encoding.ASCII.GetString(room, 0, piece.Count) != $"[{Text}]")
                    return whole;
            }
        }
        catch (WebSocketException)
        {
            return 0; // the client refused the terms
        }
    }
}
