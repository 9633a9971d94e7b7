using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public partial class SendBatchTests
{
    private static readonly int[] Lengths = [1, 200, 17, 300, 300, 299, 2, 64];

    private delegate int RunFiller(RsslChannel channel, int first);

    [Fact]
    public void EndRun_PlainMessages_EqualsMessageByMessage()
    {
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient();
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient();
        WriteAll(one, (channel, first) =>
        {
            Assert.True(channel.TryBeginBatch(300, Lengths.Length - first, out SendBatch run));
            Fill(ref run, first);
            channel.EndBatch(run);
            return run.Messages;
        });
        for (int i = 0; i < Lengths.Length; i++)
            TestChannels.Write(other, Message(i));
        Compare(one, onePipe, other, otherPipe);
    }

    [Fact]
    public void EndPackRun_PackedMessages_EqualsMessageByMessage()
    {
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient();
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient();
        WriteAll(one, (channel, first) =>
        {
            Assert.True(channel.TryBeginPack(700));
            SendBatch run = channel.BeginPackBatch(300, Lengths.Length - first);
            Fill(ref run, first);
            channel.EndPackBatch(run);
            channel.EndPack();
            return run.Messages;
        });
        for (int i = 0; i < Lengths.Length;)
        {
            Assert.True(other.TryBeginPack(700));
            for (; i < Lengths.Length && other.PackRoom >= 300; i++)
            {
                Assert.True(other.TryBeginPackedMessage(300, out Span<byte> room));
                NumberedOrShort(room[..Lengths[i]], i);
                other.EndPackedMessage(Lengths[i]);
            }

            other.EndPack();
        }

        Compare(one, onePipe, other, otherPipe);
    }

    [Theory]
    [InlineData(CompressionType.Zlib)]
    [InlineData(CompressionType.Lz4)]
    public void TryBeginRun_Compressed_IsOfOneMessage(CompressionType compression)
    {
        ListenOptions options = TestChannels.Listen with { CompressionType = compression, ForceCompression = true };
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveServer(options, compression);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveServer(options, compression);
        WriteAll(one, (channel, first) =>
        {
            Assert.True(channel.TryBeginBatch(300, Lengths.Length - first, out SendBatch run));
            run.End(Write(run.Room, first));
            Assert.False(run.HasRoom);
            channel.EndBatch(run);
            return run.Messages;
        });
        for (int i = 0; i < Lengths.Length; i++)
        {
            Assert.True(other.TryBeginMessage(300, out Span<byte> room));
            other.EndMessage(Write(room, i));
        }

        Compare(one, onePipe, other, otherPipe);
        Assert.True(one.BytesWritten < Lengths.Sum(length => length + 3));
    }

    [Fact]
    public void TryBeginRun_LongerThanAFrame_IsOfOneFragmentedMessage()
    {
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient(maxFragment: 500);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient(maxFragment: 500);
        Assert.True(one.TryBeginBatch(1_300, 5, out SendBatch run));
        run.Room[..1_300].Fill(7);
        run.End(1_300);
        Assert.False(run.HasRoom);
        one.EndBatch(run);
        byte[] message = new byte[1_300];
        message.AsSpan().Fill(7);
        TestChannels.Write(other, message);
        Compare(one, onePipe, other, otherPipe);
        Assert.True(onePipe.Sent.Length > 1_300 + (2 * 3));
    }

    [Fact]
    public void TryBeginRun_FewOutputBuffers_IsOfThatMany()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient(options: TestChannels.Connect with { OutputBuffers = 5 });
        pipe.SendRoom = 0;
        TestChannels.Write(channel, Message(1));
        int limit = channel.OutputBufferLimit;
        Assert.Equal(limit - 1, CountRoom(channel, 300, maxMessages: 1_000));
        Assert.Equal(limit, channel.OutputBuffersInUse);
        Assert.False(channel.TryBeginBatch(300, 1, out _));
    }

    [Fact]
    public void TryBeginRun_HighWaterMark_FlushesAtItLikeSingleMessages()
    {
        ConnectOptions options = TestChannels.Connect with { HighWaterMark = 1_000, OutputBuffers = 100 };
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient(options: options);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient(options: options);
        int messages = CountRoom(one, 100, maxMessages: 1_000);
        for (int i = 0; i < messages; i++)
            TestChannels.Write(other, new byte[100]);

        Assert.Equal(10, messages); // the tenth frame of 103 bytes passes the mark
        Assert.Equal((1_030, 1_030), (onePipe.Sent.Length, otherPipe.Sent.Length));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void EndRun_LayerWithRecords_SendsAndCountsLikeSingleMessages(int seed)
    {
        ConnectOptions options = TestChannels.Connect with { HighWaterMark = 2_500, OutputBuffers = 400 };
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient(options: options);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient(options: options);
        onePipe.LayerRecordBytes = otherPipe.LayerRecordBytes = 1_000;
        Random random = new(seed);
        int number = 0;
        for (int step = 0; step < 3_000; step++)
        {
            int room = random.Next(8) == 0 ? random.Next(3_000) : int.MaxValue;
            (onePipe.SendRoom, otherPipe.SendRoom) = (room, room);
            if (random.Next(4) == 0)
                Assert.Equal(other.Flush(), one.Flush());
            int begun = number;
            if (one.TryBeginBatch(300, random.Next(1, 60), out SendBatch run))
            {
                while (run.HasRoom)
                    run.End(Write(run.Room, number++ % Lengths.Length));
                one.EndBatch(run);
            }

            for (; begun < number; begun++)
                TestChannels.Write(other, Message(begun % Lengths.Length));
            Assert.Equal(
                (otherPipe.SentBytes, other.BytesQueued, other.MessagesSent, other.OutputBuffersInUse),
                (onePipe.SentBytes, one.BytesQueued, one.MessagesSent, one.OutputBuffersInUse));
        }

        (onePipe.SendRoom, otherPipe.SendRoom) = (int.MaxValue, int.MaxValue);
        Compare(one, onePipe, other, otherPipe);
        Assert.Equal(number, one.MessagesSent);
    }

    [Theory]
    [InlineData(999, false)]
    [InlineData(1_000, true)]
    [InlineData(1_001, true)]
    public void EndMessage_AtAHighWaterMark_SendsWholeRecordsWhereItHoldsOne(int highWaterMark, bool inRecords)
    {
        (RsslChannel channel, FeedPipe pipe) =
            TestChannels.ActiveClient(options: TestChannels.Connect with { HighWaterMark = highWaterMark });
        pipe.LayerRecordBytes = 1_000;
        int flushes = 0;
        for (int i = 0; i < 40; i++)
        {
            long before = pipe.SentBytes;
            TestChannels.Write(channel, new byte[300]);
            if (pipe.SentBytes == before)
                continue;
            flushes++;
            Assert.Equal(inRecords, pipe.SentBytes % 1_000 == 0);
        }

        Assert.True(flushes > 5, $"{flushes} flushes");
    }

    [Fact]
    public void TryBeginRun_DirectWrite_SendsEachMessageByItself()
    {
        (RsslChannel channel,
            FeedPipe pipe) = TestChannels.ActiveClient(options: TestChannels.Connect with { DirectWrite = true, OutputBuffers = 100 });
        Assert.Equal(1, CountRoom(channel, 100, maxMessages: 1_000));
        Assert.Equal(103, pipe.Sent.Length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(301)]
    public void End_WrongLength_Throws(int bytes)
    {
        (RsslChannel channel, _) = TestChannels.ActiveClient();
        Assert.True(channel.TryBeginBatch(300, 2, out SendBatch run));
        bool threw = false;
        try
        {
            run.End(bytes);
        }
        catch (ArgumentOutOfRangeException)
        {
            threw = true;
        }

        Assert.True(threw);
    }

    [Theory]
    [InlineData(300)]
    [InlineData(10_000)] // a fragmented message is one by itself
    public void EndRun_NothingAdded_SendsNothing(int maxBytes)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        Assert.True(channel.TryBeginBatch(maxBytes, 2, out SendBatch run));
        channel.EndBatch(run);
        TestChannels.Write(channel, Message(3));
        channel.Flush();
        Assert.Equal((1, Lengths[3] + 3), (channel.MessagesWritten, pipe.Sent.Length));
    }

    private static void WriteAll(RsslChannel channel, RunFiller fill)
    {
        for (int next = 0; next < Lengths.Length;)
            next += fill(channel, next);
    }

    private static void Fill(ref SendBatch run, int first)
    {
        for (int i = first; i < Lengths.Length && run.HasRoom; i++)
            run.End(Write(run.Room, i));
    }

    // Fills a batch with messages of undefined content and counts those that fit.
    private static int CountRoom(RsslChannel channel, int bytes, int maxMessages)
    {
        Assert.True(channel.TryBeginBatch(bytes, maxMessages, out SendBatch run));
        while (run.HasRoom)
        {
            run.Room[..bytes].Clear();
            run.End(bytes);
        }

        channel.EndBatch(run);
        return run.Messages;
    }

    private static int Write(Span<byte> room, int number)
    {
        NumberedOrShort(room[..Lengths[number]], number);
        return Lengths[number];
    }

    private static byte[] Message(int number)
    {
        byte[] message = new byte[Lengths[number]];
        NumberedOrShort(message, number);
        return message;
    }

    private static void NumberedOrShort(Span<byte> message, int number)
    {
        if (message.Length >= 8)
            NumberedMessages.Fill(message, number);
        else
            message.Fill((byte)number);
    }

    private static void Compare(RsslChannel one, FeedPipe onePipe, RsslChannel other, FeedPipe otherPipe)
    {
        one.Flush();
        other.Flush();
        Assert.Equal(Convert.ToHexString(otherPipe.Sent), Convert.ToHexString(onePipe.Sent));
        Assert.Equal(
            (other.MessagesWritten, other.MessagesSent, other.BytesWritten, other.OutputBuffersInUse),
            (one.MessagesWritten, one.MessagesSent, one.BytesWritten, one.OutputBuffersInUse));
    }
}
