using System.Buffers.Binary;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Packs and fragments with every length that may be wrong: read whole, byte by byte and in batches they match a simple model.</summary>
public class FrameLengthTests
{
    private static readonly byte[] Behind = [0, 4, FrameLayout.DataFlag, (byte)'z'];

    /// <summary>Tries each length within a pack of three messages, at each value around the correct one and at the maximum.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Pack_AnyLengthOfAMessage_IsReadAsFarAsItIsGood(int which)
    {
        int[] lengths = [3, 5, 2];
        int at = FrameLayout.HeaderBytes + lengths[..which].Sum(length => length + FrameLayout.PackedLengthBytes);
        foreach (int value in Enumerable.Range(0, 24).Append(0x100).Append(ushort.MaxValue))
        {
            byte[] frame = Pack(lengths);
            BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(at), (ushort)value);
            AssertSame(frame);
        }
    }

    /// <summary>Truncates a pack, and its frame's length, at every position.</summary>
    [Fact]
    public void Pack_CutAtEveryLength_IsReadAsFarAsItIsGood()
    {
        byte[] whole = Pack(3, 5, 2);
        for (int length = FrameLayout.HeaderBytes; length <= whole.Length; length++)
        {
            byte[] frame = whole[..length];
            BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)length);
            AssertSame(frame);
        }
    }

    /// <summary>Tries fragments with any total length, and with more or less data than the total.</summary>
    [Fact]
    public void Fragments_OfAnyTotal_AreReadAlikeHoweverTheyCome()
    {
        foreach (int total in Enumerable.Range(0, 12).Append(int.MaxValue))
        {
            byte[] first = [0, 13, 3, FrameLayout.FirstFragment, 0, 0, 0, 0, 0, 1, 10, 11, 12];
            BinaryPrimitives.WriteInt32BigEndian(first.AsSpan(4), total);
            byte[] next = [0, 9, 3, FrameLayout.ContinuationFragment, 0, 1, 13, 14, 15];
            (List<byte[]> messages, CloseKind? closed) = AssertSame([.. first, .. next]);
            byte[][] expected = total switch
            {
                6 => [[10, 11, 12, 13, 14, 15], [(byte)'z']],
                > 6 and < 12 => [[(byte)'z']],
                3 => [[10, 11, 12]],
                _ => [],
            };
            Assert.Equal(expected, messages);
            Assert.Equal(total is >= 6 and < 12 ? null : total == int.MaxValue ? CloseKind.LimitExceeded : CloseKind.ProtocolError, closed);
        }
    }

    /// <summary>Tries every length of a frame with an extended header, from none of it to all.</summary>
    [Fact]
    public void ExtendedHeader_CutAtEveryLength_IsReadAlikeHoweverItComes()
    {
        byte[] first = [0, 0, 3, FrameLayout.FirstFragment, 0, 0, 0, 3, 0, 1, 10, 11, 12];
        byte[] next = [0, 0, 3, FrameLayout.ContinuationFragment, 0, 1, 13];
        foreach (byte[] whole in (byte[][])[first, next])
        {
            for (int length = FrameLayout.HeaderBytes; length <= whole.Length; length++)
            {
                byte[] frame = whole[..length];
                frame[1] = (byte)length;
                AssertSame(frame);
            }
        }
    }

    /// <summary>The limit for incomplete messages is fully available again after each message, complete, begun again or abandoned.</summary>
    [Fact]
    public void Reassembly_FilledAndEmptiedThousandTimes_TakesAsMuchEachTime()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen with { ReassemblyLimitBytes = 100_000 });
        byte[] half = new byte[6_000];
        for (int round = 0; round < 1_000; round++)
        {
            pipe.Feed(First(id: 1, total: 12_000, half));
            pipe.Feed(First(id: 2, total: 60_000, half)); // is begun again below
            pipe.Feed(First(id: 2, total: 12_000, half));
            pipe.Feed(Next(id: 2, half));
            pipe.Feed(Next(id: 1, half));
            Assert.Equal([12_000, 12_000], TestChannels.ReadAll(channel).Select(message => message.Length));
            Assert.Null(channel.Closed);
        }

        for (int id = 1; id <= 64; id++)
            pipe.Feed(First(id, total: 10, [1]));
        TestChannels.ReadAll(channel);
        Assert.Null(channel.Closed); // all entries are free again
    }

    [Fact]
    public void SharedBuffers_TakenAndReturnedThousandTimes_AreAllThere()
    {
        const int Shared = 100, Own = 10, Most = 60;
        SharedBuffers shared = new(Shared);
        ListenOptions options = TestChannels.Listen with { OutputBuffers = Own, MaxOutputBuffers = Most };
        FrameLimit[] channels = [.. Enumerable.Range(0, 3).Select(_ => new FrameLimit(options, shared))];
        for (int round = 0; round < 1_000; round++)
        {
            foreach (FrameLimit channel in channels)
            {
                while (channel.TryBorrow(1))
                {
                }
            }

            Assert.Equal([Most, Most, Own], channels.Select(channel => channel.Limit));
            Assert.Equal(0, shared.Free);
            channels[round % 3].ReturnUnneeded(Own + 1); // still in use
            Assert.Equal(0, shared.Free);
            foreach (FrameLimit channel in channels)
                channel.ReturnUnneeded(Own);
            Assert.Equal((Shared, false), (shared.Free, channels.Any(channel => channel.HasBorrowed)));
        }
    }

    // Read in one piece, byte by byte and in batches; a valid frame follows it.
    private static (List<byte[]> Messages, CloseKind? Closed) AssertSame(byte[] frame)
    {
        byte[] all = [.. frame, .. Behind];
        (List<byte[]> messages, CloseReason? closed) = Read(pipe => pipe.Feed(all), TestChannels.ReadAll);
        (List<byte[]> slowly, CloseReason? closedSlowly) = Read(pipe =>
        {
            foreach (byte one in all)
                pipe.Feed(new[] { one });
        }, TestChannels.ReadAll);
        (List<byte[]> byRuns, CloseReason? closedByRuns) = Read(pipe => pipe.Feed(all), TestChannels.ReadAllByRuns);
        Assert.Equal(slowly, messages);
        Assert.Equal(slowly, byRuns);
        Assert.Equal((closedSlowly?.ToString(), closedSlowly?.ToString()), (closed?.ToString(), closedByRuns?.ToString()));
        Assert.Equal(closed is null, messages.Count > 0 && messages[^1].AsSpan().SequenceEqual("z"u8));
        return (messages, closed?.Kind);
    }

    private static (List<byte[]> Messages, CloseReason? Closed) Read(Action<FeedPipe> feed, Func<RsslChannel, List<byte[]>> read)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        feed(pipe);
        return (read(channel), channel.Closed);
    }

    private static byte[] Pack(params int[] lengths)
    {
        List<byte> frame = [0, 0, FrameLayout.PackedFlag];
        foreach (int length in lengths)
        {
            frame.AddRange([0, (byte)length]);
            frame.AddRange(Enumerable.Repeat((byte)(100 + length), length));
        }

        frame[1] = (byte)frame.Count;
        return [.. frame];
    }

    private static byte[] First(int id, int total, byte[] data)
    {
        byte[] frame = [0, 0, 3, FrameLayout.FirstFragment, 0, 0, 0, 0, 0, (byte)id, .. data];
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)frame.Length);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(4), total);
        return frame;
    }

    private static byte[] Next(int id, byte[] data)
    {
        byte[] frame = [0, 0, 3, FrameLayout.ContinuationFragment, 0, (byte)id, .. data];
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)frame.Length);
        return frame;
    }
}
