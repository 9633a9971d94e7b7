using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Messages around the longest that one frame takes: the same bytes, whatever room was asked for and whether in a batch or not.</summary>
public sealed class LongestBodyTests
{
    private const int MaxFragment = 500;

    public static TheoryData<int> Lengths => [.. Enumerable.Range(MaxFragment - 8, 17)];

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Batch_OfOneMessage_HasTheBytesOfTheMessageAlone(int bytes)
    {
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient(MaxFragment);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient(MaxFragment);
        Assert.True(one.TryBeginBatch(bytes, 4, out SendBatch batch));
        Message(bytes).CopyTo(batch.Room);
        batch.End(bytes);
        one.EndBatch(batch);
        TestChannels.Write(other, Message(bytes));
        Compare(one, onePipe, other, otherPipe);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(60)]
    [InlineData(MaxFragment - 10)]
    [InlineData(MaxFragment + 10)]
    public void Message_OfMoreRoomThanItNeeds_HasTheBytesOfTheMessageAlone(int bytes)
    {
        (RsslChannel one, FeedPipe onePipe) = TestChannels.ActiveClient(MaxFragment);
        (RsslChannel other, FeedPipe otherPipe) = TestChannels.ActiveClient(MaxFragment);
        Assert.True(one.TryBeginMessage(5 * MaxFragment, out Span<byte> room));
        Message(bytes).CopyTo(room);
        one.EndMessage(bytes);
        TestChannels.Write(other, Message(bytes));
        Compare(one, onePipe, other, otherPipe);
    }

    private static void Compare(RsslChannel one, FeedPipe onePipe, RsslChannel other, FeedPipe otherPipe)
    {
        Assert.True(one.Flush() && other.Flush());
        Assert.Equal(Convert.ToHexString(otherPipe.Sent), Convert.ToHexString(onePipe.Sent));
        Assert.Equal((1, 1), (one.MessagesSent, other.MessagesSent));
        Assert.NotEqual(0, onePipe.SentBytes);
    }

    private static byte[] Message(int bytes) => [.. Enumerable.Range(0, bytes).Select(i => (byte)i)];
}
