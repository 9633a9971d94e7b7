using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Bytes that a layer sends by itself, such as pongs: they leave with a flush, or the channel waits until they can.</summary>
public sealed class LayerSendingTests
{
    private readonly HandDriver _driver = new(new BufferPool());

    [Fact]
    public void Flush_LayerCannotSendItsBytes_EndsTheConnection()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen, driver: _driver);
        (pipe.LayerHasUnsent, pipe.SendingFails) = (true, true);
        channel.Flush();
        Assert.True(channel.HasFailedSending);
        Assert.False(channel.TryRead(out _));
        Assert.Equal(CloseKind.Reset, channel.Closed?.Kind);
    }

    [Fact]
    public void Flush_LayerStillHasBytes_WaitsUntilTheyCanLeave()
    {
        (RsslChannel channel, FeedPipe pipe) = TestChannels.ActiveServer(TestChannels.Listen, driver: _driver);
        Assert.False(_driver.Interest.Writes);
        pipe.LayerHasUnsent = true;
        channel.Flush();
        Assert.Equal((true, true), (_driver.Interest.Writes, channel.IsBlocked));
        pipe.LayerHasUnsent = false;
        channel.OnEvents(readable: false, writable: true, nowNanos: 0);
        Assert.Equal((false, false), (_driver.Interest.Writes, channel.IsBlocked));
    }
}
