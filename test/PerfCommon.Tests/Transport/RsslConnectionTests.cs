using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public class RsslConnectionTests
{
    private sealed class DuplexPipe(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }

    private sealed class BreakingWriter(PipeWriter writer) : PipeWriter
    {
        public bool IsBroken { get; set; }

        public override void Advance(int bytes) => writer.Advance(bytes);

        public override Memory<byte> GetMemory(int sizeHint = 0) => writer.GetMemory(sizeHint);

        public override Span<byte> GetSpan(int sizeHint = 0) => writer.GetSpan(sizeHint);

        public override void CancelPendingFlush() => writer.CancelPendingFlush();

        public override void Complete(Exception? exception = null) => writer.Complete(exception);

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) =>
            IsBroken ? throw new IOException("the cable is cut") : writer.FlushAsync(cancellationToken);
    }

    [Fact(Timeout = 180_000)]
    public async Task ReadAsync_OverPipesInMemory_CarriesMessagesBothWays()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        Pipe up = new();
        Pipe down = new();
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, up.Writer),
            TestChannels.Connect, token);
        RsslConnection server = await opening;
        TestChannels.Write(client.Channel, "up"u8);
        TestChannels.Write(client.Channel, new byte[20_000]);
        await client.FlushAsync(token);
        Assert.Equal("up"u8.ToArray(), (await server.ReadAsync(token))?.ToArray());
        Assert.Equal(20_000, (await server.ReadAsync(token))?.Length);
        TestChannels.Write(server.Channel, "down"u8);
        await server.FlushAsync(token);
        Assert.Equal("down"u8.ToArray(), (await client.ReadAsync(token))?.ToArray());
        await server.DisposeAsync();
        Assert.Null(await client.ReadAsync(token));
        Assert.Equal(CloseKind.PeerClosed, client.Channel.Closed?.Kind);
    }

    [Fact(Timeout = 180_000)]
    public async Task ReadAsync_MessagesQueued_SendsThemBeforeItWaits()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        Pipe up = new();
        Pipe down = new();
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, up.Writer),
            TestChannels.Connect, token);
        await using RsslConnection server = await opening;
        TestChannels.Write(client.Channel, "question"u8);
        Task<ReadOnlyMemory<byte>?> answer = client.ReadAsync(token).AsTask();
        Assert.Equal("question"u8.ToArray(), (await server.ReadAsync(token))?.ToArray());
        await server.SendAsync("answer"u8.ToArray(), token);
        Assert.Equal("answer"u8.ToArray(), (await answer)?.ToArray());
    }

    [Fact(Timeout = 180_000)]
    public async Task SendAsync_AllOutputBuffersInUse_WaitsForThem()
    {
        const int Count = 100;
        CancellationToken token = TestContext.Current.CancellationToken;
        Pipe up = new(), down = new();
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, up.Writer),
            TestChannels.Connect with { OutputBuffers = 2, MaxOutputBuffers = 2 }, token);
        await using RsslConnection server = await opening;
        TestChannels.Write(client.Channel, new byte[1]);
        TestChannels.Write(client.Channel, new byte[1]);
        Assert.False(client.Channel.TryBeginMessage(1, out _));
        await client.SendAsync(new byte[2], token);
        Assert.Equal([1, 1, 2], [await LengthOfNext(), await LengthOfNext(), await LengthOfNext()]);

        for (int i = 0; i < Count; i++)
        {
            await client.SendAsync(new byte[1_000], token);
            Assert.Equal(1_000, await LengthOfNext());
        }

        async Task<int?> LengthOfNext() => (await server.ReadAsync(token))?.Length;
    }

    [Fact(Timeout = 180_000)]
    public async Task DisposeAsync_PeerOfTheStreamTakesNothing_DropsWhatWaits()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using TcpClient near = new("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port);
        using TcpClient far = await listener.AcceptTcpClientAsync(token);
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(OverStream(far), TestChannels.Listen, token);
        RsslConnection client = await RsslConnection.OpenClientAsync(OverStream(near), TestChannels.Connect, token);
        await using RsslConnection server = await opening; // reads nothing
        using CancellationTokenSource limit = new(TimeSpan.FromSeconds(1));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            while (true)
            {
                TestChannels.Write(client.Channel, new byte[5_000]);
                await client.FlushAsync(limit.Token);
            }
        });
        await client.DisposeAsync();
        Assert.NotNull(client.Channel.Closed);
    }

    [Fact(Timeout = 180_000)]
    public async Task ReadAsync_SendingBreaks_EndsTheConnection()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        Pipe up = new();
        Pipe down = new();
        BreakingWriter writer = new(up.Writer);
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, writer), TestChannels.Connect,
            token);
        await using RsslConnection server = await opening;
        writer.IsBroken = true;
        TestChannels.Write(client.Channel, "lost"u8);
        Assert.Null(await client.ReadAsync(token));
        Assert.Equal("Reset: the cable is cut", client.Channel.Closed?.ToString());
    }

    [Fact(Timeout = 180_000)]
    public async Task ConnectAsync_OverTcp_TalksToAPolledServer()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using OwnPeers pair = new();
        Task<RsslConnection> connecting = RsslConnection.ConnectAsync(pair.ClientOptions, token);
        pair.Drive(() => connecting.IsCompleted && pair.Poller.Channels.Count == 1 && pair.Poller.Channels[0].State == ChannelState.Active);
        await using RsslConnection client = await connecting;
        TestChannels.Write(client.Channel, "hello"u8);
        await client.FlushAsync(token);
        Assert.Equal(["hello"u8.ToArray()], pair.Read(pair.Poller.Channels[0], 1));
    }

    [Fact(Timeout = 180_000)]
    public async Task ConnectAsync_OtherProtocolType_Throws()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using OwnPeers pair = new();
        Task<RsslConnection> connecting = RsslConnection.ConnectAsync(pair.ClientOptions with { ProtocolType = RsslProtocol.Rwf }, token);
        pair.Drive(() => connecting.IsCompleted);
        IOException problem = await Assert.ThrowsAsync<IOException>(() => connecting);
        Assert.Contains("Connection refused.", problem.Message, StringComparison.Ordinal);
    }

    private static DuplexPipe OverStream(TcpClient client) => new(PipeReader.Create(client.GetStream()), PipeWriter.Create(client.GetStream()));
}
