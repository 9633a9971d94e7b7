using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <content>Batches encoded for another channel.</content>
public partial class SendBatchTests
{
    /// <summary>A batch encoded elsewhere and sent at once, wholly or in part, is sent like one that the channel itself queued and flushed.</summary>
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 1_000)]
    public void SendMade_SocketTakesAllOrAPart_SendsAndCountsLikeAFlush(int seed, int recordBytes)
    {
        ConnectOptions options = TestChannels.Connect with { HighWaterMark = 2_500, OutputBuffers = 400 };
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient(options: options);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient(options: options);
        onePipe.LayerRecordBytes = otherPipe.LayerRecordBytes = recordBytes;
        Random random = new(seed);
        (int whole, int parts) = (0, 0);
        for (int step = 0; step < 3_000; step++)
        {
            int room = random.Next(4) == 0 ? random.Next(3_000) : int.MaxValue;
            (onePipe.SendRoom, otherPipe.SendRoom) = (room, room);
            int[] numbers = [.. Enumerable.Range(0, random.Next(1, 16)).Select(_ => random.Next(Lengths.Length))];
            EncodedBatch made = Make(numbers);
            if (one.MaySendMade(made, 300))
            {
                one.SendMade(made);
                _ = one.BytesQueued == 0 ? whole++ : parts++;
            }
            else
            {
                Array.ForEach(numbers, number => TestChannels.Write(one, Message(number)));
                one.Flush();
            }

            Array.ForEach(numbers, number => TestChannels.Write(other, Message(number)));
            other.Flush();
            Assert.Equal(
                (otherPipe.SentBytes, other.BytesQueued, other.MessagesSent, other.MessagesWritten, other.OutputBuffersInUse),
                (onePipe.SentBytes, one.BytesQueued, one.MessagesSent, one.MessagesWritten, one.OutputBuffersInUse));
        }

        (onePipe.SendRoom, otherPipe.SendRoom) = (int.MaxValue, int.MaxValue);
        Compare(one, onePipe, other, otherPipe);
        Assert.True(whole > 100 && parts > 100, $"{whole} went out whole, {parts} in parts");
    }

    [Fact]
    public void MaySendMade_WhatARunWouldNotTake_SaysNo()
    {
        EncodedBatch made = Make([1, 2, 3]);
        Assert.True(TestChannels.ActiveClient().Channel.MaySendMade(made, 300));
        Assert.False(TestChannels.ActiveClient(maxFragment: 200).Channel.MaySendMade(made, 300));
        Assert.False(Client(TestChannels.Connect with { DirectWrite = true }).MaySendMade(made, 300));
        Assert.False(Client(TestChannels.Connect with { OutputBuffers = 2 }).MaySendMade(made, 300));
        EncodedBatch packed = new(made.Bytes, made.Messages, made.BytesBeforeLast, headBytes: 2);
        Assert.False(TestChannels.ActiveClient().Channel.MaySendMade(packed, 300));
        ListenOptions compressing = TestChannels.Listen with { CompressionType = CompressionType.Lz4, ForceCompression = true };
        Assert.False(TestChannels.ActiveServer(compressing, CompressionType.Lz4).Channel.MaySendMade(made, 300));
    }

    [Fact]
    public void MaySendMade_MessagesOfAnyLength_AreTakenWhereNoneNeedsFragments()
    {
        const int longest = 400;
        EncodedBatch made = Make([1]);
        RsslChannel channel = TestChannels.ActiveClient(maxFragment: 400).Channel;
        foreach (int maxBytes in Enumerable.Range(0, 410))
            Assert.Equal(maxBytes is >= 1 and <= longest, channel.MaySendMade(made, maxBytes));
    }

    [Fact]
    public void MaySendMade_SomethingOpenOrQueuedOrEnded_SaysNo()
    {
        EncodedBatch made = Make([1, 2, 3]);
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        Assert.True(channel.TryBeginMessage(10, out _));
        Assert.False(channel.MaySendMade(made, 300));
        channel.CancelMessage();
        Assert.True(channel.TryBeginPack(100));
        Assert.False(channel.MaySendMade(made, 300));
        channel.CancelMessage();
        Assert.True(channel.MaySendMade(made, 300));

        pipe.SendRoom = 0;
        TestChannels.Write(channel, Message(1));
        Assert.False(channel.MaySendMade(made, 300));
        pipe.SendRoom = int.MaxValue;
        Assert.True(channel.Flush());
        Assert.True(channel.MaySendMade(made, 300));
        channel.FinishSending();
        Assert.False(channel.MaySendMade(made, 300));
    }

    private static RsslChannel Client(ConnectOptions options) => TestChannels.ActiveClient(options: options).Channel;

    private static EncodedBatch Make(int[] numbers)
    {
        SendBatch run = new(new byte[numbers.Length * 303], maxBytes: 300, numbers.Length, headBytes: 3);
        foreach (int number in numbers)
            run.End(Write(run.Room, number));
        return run.Made;
    }
}
