using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Changes of a channel's settings while it is open.</summary>
public sealed class ChannelSettingsTests
{
    private static readonly ListenOptions TwoBuffers = new() { Port = 0, OutputBuffers = 2 };

    [Fact]
    public void OutputBufferLimit_RaisedAndLowered_IsWhatMayWait()
    {
        using LoopbackPair pair = Open(TwoBuffers);
        RsslChannel server = pair.Server;
        Assert.Equal((2, 2, 2), (server.OutputBufferLimit, server.Settings.OutputBufferLimit, Fill(server)));
        server.Settings.OutputBufferLimit = 5;
        Assert.Equal((5, 3, 5), (server.OutputBufferLimit, Fill(server), server.OutputBuffersInUse));
        server.Settings.OutputBufferLimit = 3;
        Assert.Equal((0, 5), (Fill(server), server.OutputBuffersInUse));
        Assert.True(server.Flush());
        Assert.Equal(3, Fill(server));
    }

    [Fact]
    public void OutputBufferLimit_BelowTheGuaranteed_IsThatOne()
    {
        using LoopbackPair pair = Open(TwoBuffers);
        pair.Server.Settings.GuaranteedOutputBuffers = 4;
        pair.Server.Settings.OutputBufferLimit = 1;
        Assert.Equal((4, 4), (pair.Server.OutputBufferLimit, Fill(pair.Server)));
    }

    [Fact]
    public void OutputBuffers_None_AreRefused()
    {
        using LoopbackPair pair = Open(TwoBuffers);
        ChannelSettings settings = pair.Server.Settings;
        Assert.Throws<ArgumentOutOfRangeException>(() => settings.GuaranteedOutputBuffers = 0);
        Assert.Throws<ArgumentOutOfRangeException>(() => settings.OutputBufferLimit = 0);
        (settings.GuaranteedOutputBuffers, settings.OutputBufferLimit) = (1, 1);
        Assert.Equal((1, 1, 1), (settings.GuaranteedOutputBuffers, settings.OutputBufferLimit, Fill(pair.Server)));
    }

    [Fact]
    public void OutputBufferLimit_AfterTheEnd_OpensNothing()
    {
        using LoopbackPair pair = Open(TwoBuffers);
        pair.Server.FinishSending();
        pair.Server.Settings.OutputBufferLimit = 9;
        Assert.Equal(0, Fill(pair.Server));
    }

    [Fact]
    public void HighWaterMark_Changed_DecidesWhatAWriteFlushes()
    {
        using LoopbackPair pair = Open(new ListenOptions { Port = 0, HighWaterMark = 1_000 });
        RsslChannel server = pair.Server;
        Write(server, 500);
        Assert.Equal((1_000, 503), (server.Settings.HighWaterMark, server.BytesQueued));
        server.Settings.HighWaterMark = 0;
        Write(server, 10);
        Assert.Equal(0, server.BytesQueued);
        server.Settings.HighWaterMark = 2_000;
        Write(server, 1_500);
        Assert.Equal(1_503, server.BytesQueued);
        Assert.Throws<ArgumentOutOfRangeException>(() => server.Settings.HighWaterMark = -1);
    }

    [Theory]
    [InlineData(CompressionType.Zlib, 30)]
    [InlineData(CompressionType.Lz4, 300)]
    public void CompressionThreshold_Raised_LeavesShorterMessagesPlain(CompressionType type, int min)
    {
        using LoopbackPair pair = Open(new ListenOptions { Port = 0, CompressionType = type }, c => c with { CompressionType = type });
        RsslChannel server = pair.Server;
        Assert.Equal(min, server.Settings.CompressionThreshold);
        Assert.True(BytesOf(server, 1_000) < 1_003);
        server.Settings.CompressionThreshold = 1_001;
        Assert.Equal(1_003, BytesOf(server, 1_000));
        Assert.True(BytesOf(server, 1_001) < 1_003);
        server.Settings.CompressionThreshold = min;
        Assert.True(BytesOf(server, 1_000) < 1_003);
        Assert.Throws<ArgumentOutOfRangeException>(() => server.Settings.CompressionThreshold = min - 1);
        Expect(pair, 4);
    }

    [Fact]
    public void CompressionThreshold_WithoutCompression_IsNone()
    {
        using LoopbackPair pair = Open(TwoBuffers);
        Assert.Equal(0, pair.Server.Settings.CompressionThreshold);
        Assert.Throws<InvalidOperationException>(() => pair.Server.Settings.CompressionThreshold = 500);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void SystemBuffers_Changed_AreThoseOfTheSocket(bool isWebSocket)
    {
        using LoopbackPair pair = Open(TwoBuffers, c => c with { WebSocketProtocols = isWebSocket ? "rssl.rwf" : null });
        ChannelSettings settings = pair.Client.Settings;
        (int send, int receive) = (settings.SendBufferBytes, settings.ReceiveBufferBytes);
        (settings.SendBufferBytes, settings.ReceiveBufferBytes) = (20_000, 30_000);
        int factor = OperatingSystem.IsLinux() ? 2 : 1;
        Assert.Equal((20_000 * factor, 30_000 * factor), (settings.SendBufferBytes, settings.ReceiveBufferBytes));
        Assert.NotEqual((send, receive), (settings.SendBufferBytes, settings.ReceiveBufferBytes));
        Assert.Throws<ArgumentOutOfRangeException>(() => settings.SendBufferBytes = 0);
    }

    [Fact]
    public void Settings_BeforeTheHandshake_AreNotThere()
    {
        using ChannelPoller poller = new();
        RsslChannel channel = poller.Connect(new ConnectOptions { Host = "localhost", Port = 1 });
        Assert.Throws<InvalidOperationException>(() => channel.Settings);
    }

    // Guaranteed 2 of each, up to 12 of each, 13 shared by both.
    [Fact]
    public void SharedBuffers_TwoChannels_HaveTheirsAndShareTheRest()
    {
        SharedBuffers shared = new(13);
        ListenOptions options = new() { Port = 0, OutputBuffers = 2, MaxOutputBuffers = 12 };
        FrameLimit one = new(options, shared), other = new(options, shared);
        Assert.True(one.TryBorrow(wanted: 1));
        Assert.Equal((12, 3), (one.Limit, shared.Free)); // several are borrowed at once
        Assert.False(one.TryBorrow(wanted: 1));
        Assert.True(other.TryBorrow(wanted: 1));
        Assert.Equal((5, 0), (other.Limit, shared.Free));
        Assert.False(other.TryBorrow(wanted: 1));

        one.ReturnUnneeded(framesInUse: 3);
        Assert.Equal((12, 0), (one.Limit, shared.Free));
        one.ReturnUnneeded(framesInUse: 2);
        Assert.Equal((2, 10), (one.Limit, shared.Free));
        Assert.True(other.TryBorrow(wanted: 7));
        Assert.Equal(12, other.Limit);
        other.Max = 6;
        Assert.Equal((6, 9), (other.Limit, shared.Free));
        other.Guaranteed = 20;
        Assert.Equal((20, 20, 13), (other.Limit, other.Max, shared.Free));
    }

    [Fact]
    public void SharedBuffers_OfAListener_GrowAndComeBack()
    {
        using LoopbackPair pair = Open(new ListenOptions { Port = 0, OutputBuffers = 2, MaxOutputBuffers = 50, SharedOutputBuffers = 20 });
        RsslChannel server = pair.Server;
        SharedBuffers shared = server.Accepted!.Shared!;
        Assert.Equal((50, 22, 0), (server.OutputBufferLimit, Fill(server), shared.Free));
        Assert.True(server.Flush());
        Assert.Equal((20, 22), (shared.Free, Fill(server)));
        Expect(pair, 44);
        server.Close();
        Assert.Equal(20, shared.Free);
    }

    private static LoopbackPair Open(ListenOptions listen, Func<ConnectOptions, ConnectOptions>? change = null)
    {
        LoopbackPair pair = new(listen);
        ConnectOptions connect = new() { Host = "localhost", Port = pair.Port };
        pair.Connect(change?.Invoke(connect) ?? connect);
        return pair;
    }

    private static void Expect(LoopbackPair pair, int messages)
    {
        pair.Server.Flush();
        pair.TurnUntil(() =>
        {
            while (pair.Client.TryRead(out _))
            {
            }

            return pair.Client.MessagesRead == messages;
        });
    }

    private static int Fill(RsslChannel channel)
    {
        int count = 0;
        while (channel.TryBeginMessage(10, out _))
        {
            channel.EndMessage(10);
            count++;
        }

        return count;
    }

    private static void Write(RsslChannel channel, int bytes)
    {
        Assert.True(channel.TryBeginMessage(bytes, out Span<byte> room));
        room.Clear();
        channel.EndMessage(bytes);
    }

    private static long BytesOf(RsslChannel channel, int bytes)
    {
        long before = channel.BytesWritten;
        Write(channel, bytes);
        return channel.BytesWritten - before;
    }
}
