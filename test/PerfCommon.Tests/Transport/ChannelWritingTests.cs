using System.Buffers.Binary;
using System.Text;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public class ChannelWritingTests
{
    [Fact]
    public void Flush_ThreePriorities_TakesThemInFlushOrder()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        for (int i = 0; i < 8; i++)
        {
            TestChannels.Write(channel, Encoding.ASCII.GetBytes($"H{i}"), WritePriority.High);
            TestChannels.Write(channel, Encoding.ASCII.GetBytes($"M{i}"));
            TestChannels.Write(channel, Encoding.ASCII.GetBytes($"L{i}"), WritePriority.Low);
        }

        Assert.True(channel.Flush());
        Assert.Equal("H0 M0 H1 L0 H2 M1 H3 M2 H4 L1 H5 M3 H6 M4 H7 L2 M5 M6 L3 M7 L4 L5 L6 L7", string.Join(' ', Messages(pipe.Sent)));
        Assert.Equal((24L, 0), (channel.MessagesSent, channel.OutputBuffersInUse));
    }

    [Fact]
    public void Flush_OtherPriorityBehindACutFrame_FinishesTheFrameFirst()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        TestChannels.Write(channel, "medium 1"u8);
        TestChannels.Write(channel, "medium 2"u8);
        pipe.SendRoom = 5;
        Assert.False(channel.Flush());
        TestChannels.Write(channel, "high"u8, WritePriority.High);
        pipe.SendRoom = int.MaxValue;
        Assert.True(channel.Flush());
        Assert.Equal(["medium 1", "high", "medium 2"], Messages(pipe.Sent));
    }

    [Fact]
    public void MessagesSent_SocketTakesBytesSlowly_CountsOnlyWholeMessages()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient(maxFragment: 500);
        TestChannels.Write(channel, new byte[76]);
        TestChannels.Write(channel, new byte[1_200]);
        channel.TryBeginPack(200);
        for (int i = 0; i < 2; i++)
        {
            Assert.True(channel.TryBeginPackedMessage(76, out _));
            channel.EndPackedMessage(76);
        }

        channel.EndPack();
        int[] ends = [79, 79 + 503 + 503 + 216, 79 + 503 + 503 + 216 + 159];
        for (int sent = 0; sent < ends[2]; sent++)
        {
            pipe.SendRoom = 1;
            channel.Flush();
            int expected = sent + 1 >= ends[2] ? 4 : sent + 1 >= ends[1] ? 2 : sent + 1 >= ends[0] ? 1 : 0;
            Assert.Equal(expected, channel.MessagesSent);
        }

        Assert.Equal((4L, 0, 0), (channel.MessagesWritten, channel.BytesQueued, channel.OutputBuffersInUse));
    }

    [Theory]
    [InlineData(76, 79)]
    [InlineData(6_144, 6_147)]
    [InlineData(6_145, 6_161)]
    [InlineData(20_000, 20_028)]
    public void BytesWritten_OneMessage_CountsAllItsFrames(int bytes, long expected)
    {
        (RsslChannel channel, _) = TestChannels.ActiveClient();
        TestChannels.Write(channel, new byte[bytes]);
        Assert.Equal(expected, channel.BytesWritten);
    }

    [Fact]
    public void EndPack_PeerEndedItsStreamMeanwhile_HasSentWhatWasPacked()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        OpenPackOf(channel, "packed"u8);
        pipe.InputEnds = true;
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.False(channel.TryRead(out _));
        channel.EndPack();
        Assert.Equal("000b1200067061636b6564", Convert.ToHexStringLower(pipe.Sent));
        Assert.Equal((1, CloseKind.PeerClosed), (channel.MessagesSent, channel.Closed!.Kind));
    }

    [Fact]
    public void EndPack_ChannelIsOverMeanwhile_IsWithoutEffect()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        OpenPackOf(channel, "packed"u8);
        channel.Close();
        channel.EndPack();
        Assert.False(channel.TryBeginPack(10));
        Assert.Equal((0, 0), (pipe.Sent.Length, channel.MessagesSent));
    }

    [Fact]
    public void BytesWritten_Pack_CountsLengthsAndHeader()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        Assert.True(channel.TryBeginPack(234));
        for (int i = 0; i < 3; i++)
        {
            Assert.True(channel.TryBeginPackedMessage(76, out _));
            channel.EndPackedMessage(76);
        }

        Assert.Equal(0, channel.PackRoom);
        Assert.False(channel.TryBeginPackedMessage(1, out _));
        channel.EndPack();
        channel.Flush();
        Assert.Equal((237L, 3L, 237), (channel.BytesWritten, channel.MessagesSent, pipe.Sent.Length));
    }

    [Theory]
    [InlineData(0, false, 57_344)]
    [InlineData(1_000, false, 1_000)]
    [InlineData(0, true, 0)]
    public void EndMessage_HighWaterMark_FlushesAboveIt(int mark, bool direct, int expected)
    {
        (RsslChannel channel,
            FeedPipe pipe) =
                TestChannels.ActiveClient(options: TestChannels.Connect with
                {
                    HighWaterMark = mark,
                    DirectWrite = direct,
                    OutputBuffers = 1_000
                });
        int written = 0;
        while (pipe.Sent.Length == 0)
        {
            Assert.True(written <= expected);
            TestChannels.Write(channel, new byte[97]);
            written += 100;
        }

        Assert.True(written > expected);
        Assert.Equal(written, pipe.Sent.Length);
    }

    [Theory]
    [InlineData(CompressionType.Lz4, 1)]
    [InlineData(CompressionType.Zlib, 1)]
    [InlineData(CompressionType.Lz4, 5)]
    public void EndPack_Compressed_FlushesByTheBytesBeforeCompression(CompressionType compression, int messages)
    {
        const int mark = 10_000, bytes = 998;
        ListenOptions options = TestChannels.Listen with { CompressionType = compression, HighWaterMark = mark, MaxOutputBuffers = 1_000 };
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(options, offered: compression);
        int opened = pipe.Sent.Length, queued = 0;
        for (int round = 0; round < 3; round++) // and again, as each flush starts from zero
        {
            for (queued = 0; pipe.Sent.Length == opened; queued += messages * (bytes + 2))
            {
                Assert.InRange(queued, 0, mark + (bytes * messages));
                Assert.True(channel.TryBeginPack(messages * (bytes + 2)));
                for (int i = 0; i < messages && channel.TryBeginPackedMessage(bytes, out Span<byte> body); i++)
                {
                    body.Clear(); // its content is arbitrary
                    channel.EndPackedMessage(bytes);
                }

                channel.EndPack();
            }

            Assert.True(queued >= mark - 50, $"{queued} bytes");
            Assert.True(pipe.Sent.Length - opened < 1_000);
            opened = pipe.Sent.Length;
        }
    }

    [Theory]
    [InlineData(0, false, 32_768)] // two records
    [InlineData(1_000, false, 1_000)]
    [InlineData(0, true, 0)]
    public void EffectiveHighWaterMark_LayerWithRecords_HoldsTwoByDefault(int mark, bool direct, int expected) =>
        Assert.Equal(expected, (TestChannels.Connect with { HighWaterMark = mark, DirectWrite = direct }).EffectiveHighWaterMark(16_384));

    [Theory]
    [InlineData(2_500, false, 2_000)] // two records are sent, the part of the third waits for the end of the burst
    [InlineData(900, false, 1_000)] // the mark is below a record: queued bytes are sent
    [InlineData(0, true, 100)]
    public void EndMessage_LayerWithRecords_FlushesWholeOnes(int mark, bool direct, int expected)
    {
        ConnectOptions options = TestChannels.Connect with { HighWaterMark = mark, DirectWrite = direct, OutputBuffers = 1_000 };
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient(options: options);
        pipe.LayerRecordBytes = 1_000;
        int written = 0;
        while (pipe.Sent.Length == 0)
        {
            TestChannels.Write(channel, new byte[97]);
            written += 100;
        }

        Assert.Equal(expected, pipe.Sent.Length);
        Assert.Equal(written - expected, channel.BytesQueued);
        Assert.True(channel.Flush());
        Assert.Equal(written, pipe.Sent.Length);
        Assert.Equal(0, channel.BytesQueued);
    }

    [Fact]
    public void TryBeginMessage_OutputBuffersInUse_RefusesUntilFramesLeft()
    {
        (RsslChannel channel,
            FeedPipe pipe) = TestChannels.ActiveClient(options: TestChannels.Connect with { OutputBuffers = 3, MaxOutputBuffers = 4 });
        pipe.SendRoom = 0;
        for (int i = 0; i < 4; i++)
            TestChannels.Write(channel, new byte[10]);
        Assert.False(channel.TryBeginMessage(10, out _));
        Assert.False(channel.TryBeginPack(10));
        pipe.SendRoom = 20; // one frame and a part
        channel.Flush();
        Assert.Equal(3, channel.OutputBuffersInUse);
        TestChannels.Write(channel, new byte[10]);
        Assert.False(channel.TryBeginMessage(10, out _));
    }

    [Fact]
    public void CancelMessage_OpenMessage_SendsNothing()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        Assert.True(channel.TryBeginMessage(10, out _));
        channel.CancelMessage();
        Assert.True(channel.TryBeginMessage(50_000, out _));
        channel.CancelMessage();
        Assert.True(channel.TryBeginPack(100));
        channel.CancelMessage();
        Assert.True(channel.TryBeginPack(100));
        channel.EndPack();
        channel.Flush();
        Assert.Equal((0, 0L), (pipe.Sent.Length, channel.MessagesWritten));
    }

    [Fact]
    public void EndMessage_Misuse_Throws()
    {
        (RsslChannel channel, _) = TestChannels.ActiveClient();
        Assert.Throws<InvalidOperationException>(() => channel.EndMessage(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => channel.TryBeginMessage(0, out _));
        Assert.True(channel.TryBeginMessage(10, out _));
        Assert.Throws<InvalidOperationException>(() => channel.TryBeginMessage(10, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => channel.EndMessage(11));
        Assert.Throws<ArgumentOutOfRangeException>(() => channel.TryBeginPack(6_145));
    }

    [Fact]
    public void FinishSending_QueuedMessages_LeaveBeforeTheStreamEnds()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        pipe.SendRoom = 0;
        TestChannels.Write(channel, new byte[76]);
        channel.FinishSending();
        Assert.False(channel.SendingFinished || pipe.OutputEnded);
        Assert.False(channel.TryBeginMessage(1, out _));
        pipe.SendRoom = int.MaxValue;
        channel.OnEvents(readable: false, writable: true, nowNanos: 0);
        Assert.True(channel.SendingFinished && pipe.OutputEnded);
        Assert.Equal(79, pipe.Sent.Length);
        pipe.InputEnds = true;
        Assert.Empty(TestChannels.ReadAll(channel));
        Assert.Equal(CloseKind.PeerClosed, channel.Closed?.Kind);
    }

    private static void OpenPackOf(RsslChannel channel, ReadOnlySpan<byte> message)
    {
        Assert.True(channel.TryBeginPack(100));
        Assert.True(channel.TryBeginPackedMessage(message.Length, out Span<byte> room));
        message.CopyTo(room);
        channel.EndPackedMessage(message.Length);
    }

    private static List<string> Messages(ReadOnlySpan<byte> frames)
    {
        List<string> messages = [];
        while (frames.Length > 0)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(frames);
            messages.Add(Encoding.ASCII.GetString(frames[3..length]));
            frames = frames[length..];
        }

        return messages;
    }
}
