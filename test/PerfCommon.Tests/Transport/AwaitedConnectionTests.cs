using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Connections over loopback between asynchronous programs on both sides.</summary>
public partial class AwaitedConnectionTests
{
    private const int MessageCount = 1_000;

    private static readonly ListenOptions Listen = TestChannels.Listen with { InterfaceName = "127.0.0.1" };

    [Theory(Timeout = 180_000)]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SendAsync_BothWays_EitherSideEndsFirst_NothingIsLost(bool clientEndsFirst)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);
        (RsslConnection first, RsslConnection second) = clientEndsFirst ? (client, server) : (server, client);

        await Task.WhenAll(SendAllAsync(client, token), SendAllAsync(server, token));
        Assert.Equal(MessageCount, await ReadCountAsync(first, MessageCount, token));
        Task ending = first.DisposeAsync().AsTask();
        Assert.Equal(MessageCount, await ReadCountAsync(second, int.MaxValue, token));
        await ending;

        Assert.Equal(CloseKind.PeerClosed, second.Channel.Closed?.Kind);
        await second.DisposeAsync();
        Assert.Equal(0, listener.OpenConnections);
    }

    [Fact(Timeout = 180_000)]
    public async Task DisposeAsync_MessagesUnread_PeerStillGetsEverything()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);

        await Task.WhenAll(SendAllAsync(client, token), SendAllAsync(server, token));
        Task ending = client.DisposeAsync().AsTask(); // with a thousand messages unread
        Assert.Equal(MessageCount, await ReadCountAsync(server, int.MaxValue, token));
        await ending;
        await server.DisposeAsync();

        Assert.Equal(CloseKind.PeerClosed, server.Channel.Closed?.Kind);
    }

    [Fact(Timeout = 180_000)]
    public async Task SendAsync_MoreThanTheOutputBuffersHold_WaitsForThem()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener,
            TestChannels.Connect with { OutputBuffers = 2, MaxOutputBuffers = 2 }, token);
        byte[] message = new byte[100_000];

        Task sending = client.SendAsync(message, token).AsTask();
        Assert.Equal(message.Length, (await server.ReadAsync(token))?.Length);
        await sending;
        await Task.WhenAll(client.DisposeAsync().AsTask(), ReadCountAsync(server, 1, token));
        await server.DisposeAsync();
    }

    [Fact(Timeout = 180_000)]
    public async Task SendAsync_AfterTheEnd_SaysWhy()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);
        Task ending = server.DisposeAsync().AsTask();
        Assert.Null(await client.ReadAsync(token));
        await ending;

        IOException problem = await Assert.ThrowsAsync<IOException>(async () => await client.SendAsync(new byte[1], token));

        Assert.Equal(client.Channel.Closed?.Text, problem.Message);
        await client.DisposeAsync();
        await client.DisposeAsync();
    }

    [Theory(Timeout = 180_000)]
    [InlineData(12, 12)]
    [InlineData(99, 14)]
    public async Task ConnectAsync_HighestVersion_IsKept(int highest, int expected)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);

        ConnectOptions options = TestChannels.Connect with { HighestVersion = highest };

        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, options, token);

        Assert.Equal((expected, expected), (client.Channel.Info.ConnectionVersion, server.Channel.Info.ConnectionVersion));
        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Theory(Timeout = 180_000)]
    [InlineData(RsslProtocol.Rwf, new[] { 14, 13, 12, 11 })]
    [InlineData(RsslProtocol.TransportPerf, new[] { 14, 13, 12 })]
    public async Task ConnectAsync_ServerHangsUp_GoesDownTheVersions(byte protocol, int[] expected)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        ConnectOptions options = TestChannels.Connect with
        {
            Host = "127.0.0.1",
            Port = ((IPEndPoint)server.LocalEndpoint).Port,
            ProtocolType = protocol
        };
        Task<RsslConnection> connecting = RsslConnection.ConnectAsync(options, token);
        List<ConnectRequest> requests = [];
        while (requests.Count < expected.Length)
        {
            using TcpClient peer = await server.AcceptTcpClientAsync(token);
            byte[] request = new byte[600];
            int bytes = await peer.GetStream().ReadAsync(request, token);
            requests.Add(ConnectRequest.TryParse(request.AsSpan(0, bytes))!);
        }

        IOException problem = await Assert.ThrowsAsync<IOException>(() => connecting);
        Assert.Equal("the peer closed during the handshake", problem.Message);
        Assert.Equal(expected, requests.Select(request => request.Version));
        Assert.All(requests, request => Assert.Equal("127.0.0.1", request.Address));
    }

    [Theory(Timeout = 180_000)]
    [InlineData("localhost", "cannot connect to localhost port ")] // the name may have several addresses
    [InlineData("no.such.host.invalid", "host no.such.host.invalid")] // unknown, or no name server
    public async Task ConnectAsync_NobodyThere_SaysWhatAPolledOneSays(string host, string expected)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        ConnectOptions options = ClientOptions(listener) with { Host = host };
        listener.Dispose();
        using ChannelPoller poller = new();
        RsslChannel polled = poller.Connect(options);

        IOException problem = await Assert.ThrowsAsync<IOException>(() => RsslConnection.ConnectAsync(options, token));
        while (polled.Closed is null)
            poller.Wait(Clock.NowNanos + Clock.NanosPerMilli);

        Assert.Contains(expected, problem.Message, StringComparison.Ordinal);
        Assert.Equal(polled.Closed.Text, problem.Message);
    }

    [Fact(Timeout = 180_000)]
    public async Task ConnectAsync_SilentServer_EndsAtTheHandshakesTime()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        ConnectOptions options = TestChannels.Connect with
        {
            Host = "127.0.0.1",
            Port = ((IPEndPoint)server.LocalEndpoint).Port,
            ReceiveTimeoutMillis = 50
        };
        IOException problem = await Assert.ThrowsAsync<IOException>(() => RsslConnection.ConnectAsync(options, token));
        Assert.Equal("the handshake was not done within 50 ms", problem.Message);
    }

    [Fact(Timeout = 180_000)]
    public async Task ConnectAsync_CancelledWhileTheServerIsSilent_Throws()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        using CancellationTokenSource stop = new();
        Task<RsslConnection> connecting = RsslConnection.ConnectAsync(
            TestChannels.Connect with { Host = "127.0.0.1", Port = ((IPEndPoint)server.LocalEndpoint).Port }, stop.Token);
        using TcpClient peer = await server.AcceptTcpClientAsync(token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting);
        Assert.True(await EndsAsync(peer, token));
    }

    [Fact(Timeout = 180_000)]
    public async Task Abort_WhileReadAsyncWaits_EndsTheConnection()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);
        Task<ReadOnlyMemory<byte>?> reading = client.ReadAsync(token).AsTask();
        client.Channel.Abort("enough");
        Assert.Null(await reading);
        Assert.Equal("Aborted: enough", client.Channel.Closed?.ToString());
        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    private static ConnectOptions ClientOptions(RsslListener listener, ConnectOptions? options = null) =>
        (options ?? TestChannels.Connect) with { Host = "127.0.0.1", Port = listener.Port };

    private static Task<(RsslConnection Client, RsslConnection Server)> ConnectAsync(RsslListener listener, CancellationToken token) =>
        ConnectAsync(listener, TestChannels.Connect, token);

    private static async Task<(RsslConnection Client, RsslConnection Server)> ConnectAsync(RsslListener listener,
        ConnectOptions options, CancellationToken token)
    {
        Task<RsslConnection> accepting = listener.AcceptAsync(token);
        RsslConnection client = await RsslConnection.ConnectAsync(ClientOptions(listener, options), token);
        return (client, await accepting);
    }

    private static async Task<bool> EndsAsync(TcpClient peer, CancellationToken token)
    {
        byte[] room = new byte[1_000];
        try
        {
            while (await peer.GetStream().ReadAsync(room, token) > 0)
            {
            }
        }
        catch (IOException)
        {
            // reset: it ended as well
        }

        return true;
    }

    private static async Task SendAllAsync(RsslConnection connection, CancellationToken token)
    {
        for (int number = 0; number < MessageCount; number++)
            await connection.SendAsync(BitConverter.GetBytes(number), token);
    }

    // Reads until the given number of messages has arrived or the connection ended; each must be the next in order.
    private static async Task<int> ReadCountAsync(RsslConnection connection, int limit, CancellationToken token)
    {
        int count = 0;
        while (count < limit && await connection.ReadAsync(token) is { } message)
            Assert.Equal(count++, BitConverter.ToInt32(message.Span));
        return count;
    }
}
