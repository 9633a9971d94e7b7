using System.Buffers.Binary;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public class ReassemblyLimitTests
{
    [Fact]
    public void TryRead_InterleavedFragments_JoinsEachMessage()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        pipe.Feed(First(id: 0, total: 6, "abc"u8));
        pipe.Feed(First(id: 9, total: 4, "12"u8));
        pipe.Feed(new byte[] { 0, 4, 2, (byte)'p', 0, 3, 2 });
        pipe.Feed(Next(id: 9, "34"u8));
        pipe.Feed(Next(id: 0, "def"u8));
        Assert.Equal(["p"u8.ToArray(), "1234"u8.ToArray(), "abcdef"u8.ToArray()], TestChannels.ReadAll(channel));
        Assert.Null(channel.Closed);
    }

    [Fact]
    public void TryRead_SameIdAgain_ReplacesTheOldMessage()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        pipe.Feed(First(id: 1, total: 6, "abc"u8));
        pipe.Feed(First(id: 1, total: 4, "12"u8));
        pipe.Feed(Next(id: 1, "34"u8));
        Assert.Equal(["1234"u8.ToArray()], TestChannels.ReadAll(channel));
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void TryRead_ManyOpenMessages_ClosesAboveTheLimit(int count, bool isOpen)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        for (int id = 1; id <= count; id++)
            pipe.Feed(First(id, total: 10, "a"u8));
        TestChannels.ReadAll(channel);
        Assert.Equal(isOpen ? null : CloseKind.LimitExceeded, channel.Closed?.Kind);
    }

    [Fact]
    public void TryRead_MoreBytesThanAllowed_Closes()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen with { ReassemblyLimitBytes = 1_000 });
        pipe.Feed(First(id: 1, total: 5_000, new byte[600]));
        pipe.Feed(First(id: 2, total: 5_000, new byte[600]));
        TestChannels.ReadAll(channel);
        Assert.Equal(CloseKind.LimitExceeded, channel.Closed?.Kind);
    }

    [Fact]
    public void TryRead_LongMessagesBegunAgain_CountsWhatIsKept()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen with { ReassemblyLimitBytes = 100_000 });
        for (int again = 0; again < 50; again++)
        {
            pipe.Feed(First(id: 1, total: 60_000, new byte[6_000]));
            for (int i = 1; i < 9; i++)
                pipe.Feed(Next(id: 1, new byte[6_000]));
        }

        TestChannels.ReadAll(channel);
        Assert.Null(channel.Closed); // an id that is begun again has returned its array
        pipe.Feed(First(id: 2, total: 60_000, new byte[6_000]));
        for (int i = 1; i < 6; i++)
            pipe.Feed(Next(id: 2, new byte[6_000])); // 90,000 bytes, in two arrays of 65,536
        TestChannels.ReadAll(channel);
        Assert.Equal(CloseKind.LimitExceeded, channel.Closed?.Kind);
    }

    [Fact]
    public void TryRead_LargeTotalsAnnounced_AllocatesByBytesReceived()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        TestChannels.ReadAll(channel);
        for (int id = 1; id <= 64; id++)
            pipe.Feed(First(id, total: 16 * 1024 * 1024, "a"u8));
        long before = GC.GetAllocatedBytesForCurrentThread();
        TestChannels.ReadAll(channel);
        Assert.Null(channel.Closed);
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 256 * 1024);
    }

    private static byte[] First(int id, int total, ReadOnlySpan<byte> data)
    {
        byte[] frame = new byte[10 + data.Length];
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)frame.Length);
        (frame[2], frame[3]) = (3, 8);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(4), total);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(8), (ushort)id);
        data.CopyTo(frame.AsSpan(10));
        return frame;
    }

    private static byte[] Next(int id, ReadOnlySpan<byte> data)
    {
        byte[] frame = new byte[6 + data.Length];
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)frame.Length);
        (frame[2], frame[3]) = (3, 4);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(4), (ushort)id);
        data.CopyTo(frame.AsSpan(6));
        return frame;
    }
}
