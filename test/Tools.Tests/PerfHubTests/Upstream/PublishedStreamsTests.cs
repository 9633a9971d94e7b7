using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The streams of one provider: the thread of each, their number and their bytes, filled and emptied.</summary>
[Trait("Category", "Fast")]
public sealed class PublishedStreamsTests
{
    private const int MinNameBytes = 16; // a shorter name counts as one of 16 bytes

    private readonly PublishedStreams _streams = new(openLimit: 3);
    private readonly ItemOwners _owners = new(threads: 4);

    [Fact]
    public void TryEnter_UpToTheLimit_CountsEachStreamOnceTimeAfterTime()
    {
        for (int round = 0; round < 1_000; round++)
        {
            for (int streamId = 1; streamId <= 3; streamId++)
                Assert.True(Enter(streamId, "N" + streamId, bytes: 10 * streamId));
            Assert.True(Enter(2, "N2", bytes: 30)); // again
            Assert.Equal((3 * (CachedItem.OverheadBytes + MinNameBytes)) + ListBytes(10) + ListBytes(30) + ListBytes(30), _streams.KeptBytes);
            Assert.False(Enter(4, "N4", bytes: 10));
            Assert.Equal((null, null), (_streams.HostOf(4), _streams.HostOf(0)));
            for (int streamId = 1; streamId <= 4; streamId++)
                _streams.Remove(streamId);
            Assert.Equal(0, _streams.KeptBytes);
        }
    }

    [Fact]
    public void TryEnter_OfAnImageThatEndsItsStream_TakesNone()
    {
        Assert.True(Enter(1, "A", 10, StreamState.Closed));
        Assert.Equal((null, 0L), (_streams.HostOf(1), _streams.KeptBytes));
        Assert.True(Enter(1, "A", 10));
        Assert.True(Enter(1, "A", 20, StreamState.Closed));
        Assert.Equal(ListBytes(20) + CachedItem.OverheadBytes + MinNameBytes, _streams.KeptBytes);
    }

    [Fact]
    public void HostOf_AStream_IsTheThreadOfItsItem()
    {
        Assert.True(_streams.TryEnter(Wire.Decode(Image(1, "A", 10, StreamState.Open)), _owners, claimant: 2));
        Assert.True(_streams.TryEnter(Wire.Decode(Image(2, "A", 10, StreamState.Open)), _owners, claimant: 1));
        Assert.True(_streams.TryEnter(Wire.Decode(Image(-3, "B", 10, StreamState.Open)), _owners, claimant: 1));
        Assert.Equal((2, 2, 1), (_streams.HostOf(1), _streams.HostOf(2), _streams.HostOf(-3)));
        _streams.Remove(2);
        Assert.Equal((2, null), (_streams.HostOf(1), _streams.HostOf(2)));
    }

    private static int ListBytes(int bytes) => HostileMessages.List(1, 1, bytes).Length;

    private bool Enter(int streamId, string name, int bytes, StreamState state = StreamState.Open) =>
        _streams.TryEnter(Wire.Decode(Image(streamId, name, bytes, state)), _owners, claimant: null);

    private static byte[] Image(int streamId, string name, int bytes, StreamState state) =>
        HostileMessages.Image(streamId, 12, name, HostileMessages.List(1, 1, bytes), state);
}
