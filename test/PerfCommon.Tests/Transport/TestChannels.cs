using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Channels over pipes in memory, driven by hand.</summary>
internal static class TestChannels
{
    private const string WebSocketRwf = "rssl.rwf";

    [ThreadStatic]
    private static BufferPool? _pool;

    private static BufferPool Pool => _pool ??= new BufferPool();

    public static ListenOptions Listen { get; } = new() { Port = 0, ProtocolType = RsslProtocol.TransportPerf };

    public static ConnectOptions Connect { get; } = new() { Host = "localhost", Port = 0, ProtocolType = RsslProtocol.TransportPerf };

    public static (RsslChannel Channel, FeedPipe Pipe) OpenServer(ListenOptions options, HandDriver? driver = null)
    {
        FeedPipe pipe = new();
        RsslChannel channel = new(driver ?? new HandDriver(Pool), options);
        channel.Open(pipe, nowNanos: 0);
        return (channel, pipe);
    }

    public static (RsslChannel Channel, FeedPipe Pipe) OpenClient(ConnectOptions options, int version = 14)
    {
        FeedPipe pipe = new();
        RsslChannel channel = new(new HandDriver(Pool), options with { HighestVersion = version });
        channel.Open(pipe, nowNanos: 0);
        return (channel, pipe);
    }

    /// <summary>Creates a client that has completed the handshake with a server of ours; the server's side is discarded.</summary>
    public static (RsslChannel Channel, FeedPipe Pipe) ActiveClient(int maxFragment = 6144, int version = 14,
        ConnectOptions? options = null)
    {
        options ??= Connect;
        (RsslChannel client, FeedPipe clientPipe) = OpenClient(options, version);
        (RsslChannel server,
            FeedPipe serverPipe) = OpenServer(Listen with { ProtocolType = options.ProtocolType, MaxFragmentSize = maxFragment });
        serverPipe.Feed(clientPipe.Sent.ToArray());
        server.OnEvents(readable: true, writable: false, nowNanos: 0);
        clientPipe.ClearSent();
        clientPipe.Feed(serverPipe.Sent.ToArray());
        client.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.Equal(ChannelState.Active, client.State);
        clientPipe.ClearSent();
        return (client, clientPipe);
    }

    /// <summary>Creates a server that has completed the handshake with a client of ours.</summary>
    public static (RsslChannel Channel, FeedPipe Pipe) ActiveServer(
        ListenOptions options, CompressionType offered = CompressionType.None, HandDriver? driver = null)
    {
        (RsslChannel server, FeedPipe pipe) = OpenServer(options, driver);
        (RsslChannel client,
            FeedPipe clientPipe) = OpenClient(Connect with { ProtocolType = options.ProtocolType, CompressionType = offered });
        pipe.Feed(clientPipe.Sent.ToArray());
        server.OnEvents(readable: true, writable: false, nowNanos: 0);
        clientPipe.ClearSent();
        clientPipe.Feed(pipe.Sent.ToArray());
        client.OnEvents(readable: true, writable: false, nowNanos: 0);
        pipe.Feed(clientPipe.Sent.ToArray());
        server.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.Equal(ChannelState.Active, server.State);
        pipe.ClearSent();
        return (server, pipe);
    }

    /// <summary>Creates a server that has completed the handshake with a client of ours over a WebSocket.</summary>
    public static (RsslChannel Channel, FeedPipe Pipe) ActiveWebSocketServer()
    {
        (RsslChannel server,
            FeedPipe pipe) = OpenServer(Listen with { WebSocketProtocols = WebSocketRwf, ProtocolType = RsslProtocol.Rwf });
        (RsslChannel client,
            FeedPipe clientPipe) = OpenClient(Connect with { WebSocketProtocols = WebSocketRwf, ProtocolType = RsslProtocol.Rwf });
        while (server.State == ChannelState.Connecting)
        {
            Assert.True(clientPipe.SentBytes > 0);
            pipe.Feed(clientPipe.Sent.ToArray());
            clientPipe.ClearSent();
            server.OnEvents(readable: true, writable: true, nowNanos: 0);
            clientPipe.Feed(pipe.Sent.ToArray());
            pipe.ClearSent();
            client.OnEvents(readable: true, writable: true, nowNanos: 0);
        }

        Assert.Equal(ChannelState.Active, server.State);
        return (server, pipe);
    }

    /// <summary>Reads the fed bytes through a channel, and collects the messages.</summary>
    public static List<byte[]> ReadAll(RsslChannel channel)
    {
        List<byte[]> messages = [];
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        while (TryReadOne(channel, messages) || channel.MayHaveMore)
        {
        }

        return messages;
    }

    /// <summary>Reads the same in batches where possible.</summary>
    public static List<byte[]> ReadAllByRuns(RsslChannel channel)
    {
        List<byte[]> messages = [];
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        do
        {
            channel.BeginBatch(out ReceiveBatch run);
            while (run.TryRead(out ReadOnlySpan<byte> message))
                messages.Add(message.ToArray());
            channel.EndBatch(run);
        }
        while (TryReadOne(channel, messages) || channel.MayHaveMore);
        return messages;
    }

    /// <summary>Writes a message and expects it to be accepted.</summary>
    public static void Write(RsslChannel channel, ReadOnlySpan<byte> message, WritePriority priority = WritePriority.Medium)
    {
        Assert.True(channel.TryBeginMessage(message.Length, out Span<byte> room, priority));
        message.CopyTo(room);
        channel.EndMessage(message.Length);
    }

    private static bool TryReadOne(RsslChannel channel, List<byte[]> messages)
    {
        if (!channel.TryRead(out ReadOnlySpan<byte> message))
            return false;
        messages.Add(message.ToArray());
        return true;
    }
}
