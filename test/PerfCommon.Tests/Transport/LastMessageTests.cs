using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>The last of all received messages ends a channel's turn: its owner may sleep without another read.</summary>
public class LastMessageTests
{
    private static readonly byte[] Message = Convert.FromHexString("00050261" + "62"); // wire/transport 2.1

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void TryRead_LastMessage_LeavesNothingToLookFor(int messages)
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        for (int turn = 0; turn < 2; turn++)
        {
            for (int message = 0; message < messages; message++)
                pipe.Feed(Message);
            channel.OnEvents(readable: true, writable: false, nowNanos: 0);
            for (int left = messages - 1; left >= 0; left--)
            {
                Assert.True(channel.TryRead(out ReadOnlySpan<byte> read));
                Assert.Equal("ab"u8, read);
                Assert.Equal(left > 0, channel.MayHaveMore);
            }

            Assert.False(channel.TryRead(out _));
        }
    }

    [Fact]
    public void TryRead_MessageWithPartOfTheNext_StillHasMore()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen);
        pipe.Feed(new byte[][] { Message, Message[..4] }.SelectMany(part => part).ToArray());
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.True(channel.TryRead(out _));
        Assert.True(channel.MayHaveMore);
        Assert.False(channel.TryRead(out _));
        pipe.Feed(Message.AsMemory(4));
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.True(channel.TryRead(out _));
        Assert.False(channel.MayHaveMore);
    }
}
