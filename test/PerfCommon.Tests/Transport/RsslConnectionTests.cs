using System.IO.Pipelines;
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

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = 60_000)]
    public async Task ReadAsync_OverPipesInMemory_CarriesMessagesBothWays()
    {
        Pipe up = new();
        Pipe down = new();
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, Token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, up.Writer),
            TestChannels.Connect, Token);
        RsslConnection server = await opening;
        TestChannels.Write(client.Channel, "up"u8);
        TestChannels.Write(client.Channel, new byte[20_000]);
        await client.FlushAsync(Token);
        Assert.Equal("up"u8.ToArray(), (await server.ReadAsync(Token))?.ToArray());
        Assert.Equal(20_000, (await server.ReadAsync(Token))?.Length);
        TestChannels.Write(server.Channel, "down"u8);
        await server.FlushAsync(Token);
        Assert.Equal("down"u8.ToArray(), (await client.ReadAsync(Token))?.ToArray());
        await server.DisposeAsync();
        Assert.Null(await client.ReadAsync(Token));
        Assert.Equal(CloseKind.PeerClosed, client.Channel.Closed?.Kind);
    }

    [Fact(Timeout = 60_000)]
    public async Task ReadAsync_MessagesQueued_SendsThemBeforeItWaits()
    {
        Pipe up = new();
        Pipe down = new();
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, Token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, up.Writer),
            TestChannels.Connect, Token);
        await using RsslConnection server = await opening;
        TestChannels.Write(client.Channel, "question"u8);
        Task<ReadOnlyMemory<byte>?> answer = client.ReadAsync(Token).AsTask();
        Assert.Equal("question"u8.ToArray(), (await server.ReadAsync(Token))?.ToArray());
        await server.SendAsync("answer"u8.ToArray(), Token);
        Assert.Equal("answer"u8.ToArray(), (await answer)?.ToArray());
    }

    [Fact(Timeout = 60_000)]
    public async Task ReadAsync_SendingBreaks_EndsTheConnection()
    {
        Pipe up = new();
        Pipe down = new();
        BreakingWriter writer = new(up.Writer);
        Task<RsslConnection> opening = RsslConnection.OpenServerAsync(new DuplexPipe(up.Reader, down.Writer), TestChannels.Listen, Token);
        await using RsslConnection client = await RsslConnection.OpenClientAsync(new DuplexPipe(down.Reader, writer), TestChannels.Connect,
            Token);
        await using RsslConnection server = await opening;
        writer.IsBroken = true;
        TestChannels.Write(client.Channel, "lost"u8);
        Assert.Null(await client.ReadAsync(Token));
        Assert.Equal("Reset: the cable is cut", client.Channel.Closed?.ToString());
    }

    [Fact(Timeout = 60_000)]
    public async Task ConnectAsync_OverTcp_TalksToAPolledServer()
    {
        using OwnPeers pair = new();
        Task<RsslConnection> connecting = RsslConnection.ConnectAsync(pair.ClientOptions, Token);
        pair.Drive(() => connecting.IsCompleted && pair.Poller.Channels.Count == 1 && pair.Poller.Channels[0].State == ChannelState.Active);
        await using RsslConnection client = await connecting;
        TestChannels.Write(client.Channel, "hello"u8);
        await client.FlushAsync(Token);
        Assert.Equal(["hello"u8.ToArray()], pair.Read(pair.Poller.Channels[0], 1));
    }

    [Fact(Timeout = 60_000)]
    public async Task ConnectAsync_OtherProtocolType_Throws()
    {
        using OwnPeers pair = new();
        Task<RsslConnection> connecting = RsslConnection.ConnectAsync(pair.ClientOptions with { ProtocolType = RsslProtocol.Rwf }, Token);
        pair.Drive(() => connecting.IsCompleted);
        IOException problem = await Assert.ThrowsAsync<IOException>(() => connecting);
        Assert.Contains("Connection refused.", problem.Message, StringComparison.Ordinal);
    }
}
