using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;
using static Tools.Tests.PerfHubTests.Upstream.PassThroughRequestsTests;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Images that are passed on unread: for the consumer that waits, for all watchers, and at the end of the stream.</summary>
[Trait("Category", "Fast")]
public sealed class PassThroughImagesTests : IDisposable
{
    private const int Complete = RefreshFlags.RefreshComplete;

    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    /// <summary>A passed image is solicited for the consumer that waits for it, up to its last part.</summary>
    [Fact]
    public void Image_ThatNoConsumerAwaits_IsUnsolicited()
    {
        Ask(_bench, 0, _bench.Feed, "A", RequestFlags.Streaming);
        CachedItem item = _bench.Host.Items.Table[_bench.Read(0)[0].Slot]!;
        string[] expected =
        [
            "Refresh 101 Open/Ok @0 solicited", "Refresh 101 Open/Ok @0 solicited complete",
            "Refresh 101 Open/Ok @0 complete", "Refresh 101 Open/Ok @0 complete",
        ];
        int[] flags = [RefreshFlags.Solicited, RefreshFlags.Solicited | Complete, RefreshFlags.Solicited | Complete, Complete];
        for (int i = 0; i < flags.Length; i++)
        {
            _bench.Deliver(item, Part($"part {i}", flags[i]));
            (SourceRecord kind, _, byte[] bytes) = Assert.Single(_bench.Read(0));
            Assert.Equal((SourceRecord.Image, expected[i], $"part {i}"), (kind, SourceBench.Describe(bytes), PayloadOf(bytes)));
            Assert.Equal(i > 0, item.Image.Exists);
        }

        Assert.Equal(4, _bench[Counter.RefreshesReceived]);
        Assert.False(item.PassThrough!.HasImage);
    }

    [Theory]
    [InlineData(DataState.Ok, true)]
    [InlineData(DataState.NoChange, true)]
    [InlineData(DataState.Suspect, false)]
    public void Image_ThatIsPassed_SetsTheStateOfItsData(DataState data, bool isOk)
    {
        CachedItem item = PublishInParts(_bench);
        _bench.Deliver(item, Part("three", Complete, data: data));
        Assert.Equal(isOk, item.Image.IsOk);
    }

    /// <summary>A snapshot ends with its last part; a published item does not.</summary>
    [Theory]
    [InlineData(false, StreamState.Open, 0, false)]
    [InlineData(false, StreamState.Open, Complete, true)]
    [InlineData(true, StreamState.Open, Complete, false)]
    [InlineData(true, StreamState.NonStreaming, 0, false)]
    [InlineData(true, StreamState.NonStreaming, Complete, true)]
    [InlineData(true, StreamState.Closed, 0, true)]
    public void Image_OfAStreamThatEnds_IsTheLastMessage(bool isStreaming, StreamState state, int flags, bool isLast)
    {
        Ask(_bench, 0, _bench.Feed, "A", isStreaming ? RequestFlags.Streaming : 0);
        CachedItem item = _bench.Host.Items.Table[_bench.Read(0)[0].Slot]!;
        _bench.Source.Take();
        _bench.Deliver(item, Part("one", flags, state));
        Assert.Equal((isLast ? "Final" : "Image", isLast), (_bench.Kinds(0), item.IsOver));
        Assert.Equal(isLast ? ["Remove A"] : [], _bench.Source.Take());
        CachedItem published = PublishInParts(_bench);
        _bench.Deliver(published, Part("one", Complete, StreamState.NonStreaming));
        Assert.False(published.IsOver);
    }
}
