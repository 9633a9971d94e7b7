using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public class ReceiveBatchTests
{
    private static readonly byte[] First = [0, 5, 2, 1, 1];
    private static readonly byte[] Second = [0, 4, 2, 2];
    private static readonly byte[] Last = [0, 6, 2, 3, 3, 3];

    [Fact]
    public void TryTake_PlainFrames_GivesAllAndBooksThemOnce()
    {
        RsslChannel channel = Receive([.. First, .. Second, .. Last]);
        Assert.Equal(["0101", "02", "030303"], Take(channel, limit: 10));
        Assert.Equal(1 + 3, channel.MessagesRead);
        Assert.False(channel.TryRead(out _));
    }

    [Fact]
    public void EndRun_TakenInPart_LeavesTheRest()
    {
        RsslChannel channel = Receive([.. First, .. Second, .. Last]);
        Assert.Equal(["0101"], Take(channel, limit: 1));
        Assert.Equal("02", Read(channel));
        Assert.Equal(["030303"], Take(channel, limit: 10));
        Assert.Equal(1 + 3, channel.MessagesRead);
    }

    [Theory]
    [InlineData("000302", "030303")] // a ping: skipped
    [InlineData("000300", "030303")]
    [InlineData("000A120001AA0002BBCC", "AA")] // a pack
    [InlineData("", "5566")] // a message in two fragments
    public void TryTake_OtherFrameBetween_StopsBeforeIt(string between, string next)
    {
        byte[] other = between.Length > 0 ? Convert.FromHexString(between) : FragmentsOf([0x55, 0x66]);
        RsslChannel channel = Receive([.. First, .. other, .. Last]);
        Assert.Equal(["0101"], Take(channel, limit: 10));
        Assert.Empty(Take(channel, limit: 10));
        Assert.Equal(next, Read(channel));
    }

    [Fact]
    public void TryTake_OpenPack_GivesItsMessagesThenTheNextFrames()
    {
        RsslChannel channel = Receive([.. Convert.FromHexString("000D120001AA0002BBCC0001DD"), .. Last]);
        Assert.Empty(Take(channel, limit: 10));
        Assert.Equal("AA", Read(channel));
        Assert.Equal(["BBCC"], Take(channel, limit: 1));
        Assert.Equal("DD", Read(channel)); // so short that the general reader handles it
        Assert.Equal(["030303"], Take(channel, limit: 10));
    }

    [Fact]
    public void TryTake_CutFrame_WaitsForItsRest()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        Feed(channel, pipe, [.. First, .. Last[..4]]);
        Assert.Equal("0101", Read(channel));
        Assert.Empty(Take(channel, limit: 10));
        Assert.Null(Read(channel));
        Feed(channel, pipe, Last[4..]);
        Assert.Equal("030303", Read(channel));
    }

    [Fact]
    public void TryTake_FrameLongerThanAgreed_LeavesTheErrorToTryRead()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient(maxFragment: 500);
        byte[] large = new byte[600];
        (large[0], large[1], large[2]) = (2, 0x58, 2);
        Feed(channel, pipe, [.. First, .. large]);
        Assert.Equal("0101", Read(channel));
        Assert.Empty(Take(channel, limit: 10));
        Assert.Null(Read(channel));
        Assert.Equal(CloseKind.LimitExceeded, channel.Closed?.Kind);
        Assert.Empty(Take(channel, limit: 10));
    }

    [Fact]
    public void EndRun_ChannelClosedMeanwhile_HasNoEffect()
    {
        RsslChannel channel = Receive([.. First, .. Second]);
        channel.BeginBatch(out ReceiveBatch run);
        Assert.True(run.TryRead(out _));
        channel.Close();
        channel.EndBatch(run);
        Assert.False(channel.TryRead(out _));
    }

    // Creates a channel that holds these bytes, after one message that made it receive them.
    private static RsslChannel Receive(byte[] bytes)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveClient();
        Feed(channel, pipe, [0, 4, 2, 0, .. bytes]);
        Assert.Equal("00", Read(channel));
        return channel;
    }

    private static void Feed(RsslChannel channel, FeedPipe pipe, byte[] bytes)
    {
        pipe.Feed(bytes);
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
    }

    private static List<string> Take(RsslChannel channel, int limit)
    {
        List<string> messages = [];
        channel.BeginBatch(out ReceiveBatch run);
        while (messages.Count < limit && run.TryRead(out ReadOnlySpan<byte> message))
            messages.Add(Convert.ToHexString(message));
        channel.EndBatch(run);
        return messages;
    }

    private static string? Read(RsslChannel channel) =>
        channel.TryRead(out ReadOnlySpan<byte> message) ? Convert.ToHexString(message) : null;

    // first fragment: length | flags 3 | 8 | total u32 | id | bytes; continuation: length | flags 3 | 4 | id | bytes
    private static byte[] FragmentsOf(byte[] message)
    {
        int idBytes = TestChannels.ActiveClient().Channel.Info.FragmentIdBytes;
        byte[] id = idBytes == 2 ? [0, 1] : [1];
        byte[] first = [0, 0, 3, 8, 0, 0, 0, (byte)message.Length, .. id, message[0]];
        byte[] next = [0, 0, 3, 4, .. id, .. message[1..]];
        (first[1], next[1]) = ((byte)first.Length, (byte)next.Length);
        return [.. first, .. next];
    }
}
