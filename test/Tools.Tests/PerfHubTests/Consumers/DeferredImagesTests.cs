using PerfHub.Consumers;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>Images that were deferred for a slow consumer: each is requested once, in order, unless its stream has ended.</summary>
[Trait("Category", "Fast")]
public sealed class DeferredImagesTests
{
    private readonly DeferredImages _images = new();

    [Fact]
    public void Images_Deferred_AreRequestedInOrderOnceTimeAfterTime()
    {
        for (int round = 0; round < 1_000; round++)
        {
            _images.Add(5, isAnswer: false);
            _images.Add(6, isAnswer: true);
            _images.Add(5, isAnswer: false);
            Assert.Equal((2, true, true, true, false), (_images.Count, _images.HasToRequest, _images.Contains(5), _images.Contains(6), _images.Contains(7)));
            Assert.Equal((5, false), Next());
            Assert.Equal((6, true), Next());
            Assert.Equal((false, 2, true), (_images.HasToRequest, _images.Count, _images.Contains(5))); // until they are sent
            Assert.False(_images.TryDequeueNext(out int none, out bool isAnswer));
            Assert.Equal((0, false), (none, isAnswer));
            _images.Remove(5);
            _images.Remove(6);
            Assert.Equal((0, false), (_images.Count, _images.Contains(5)));
        }
    }

    /// <summary>An image that was an answer once stays one.</summary>
    [Theory]
    [InlineData(false, false, false)]
    [InlineData(true, false, true)]
    [InlineData(false, true, true)]
    [InlineData(true, true, true)]
    public void Image_DeferredTwice_IsAnAnswerWhereOneWas(bool first, bool second, bool isAnswer)
    {
        _images.Add(5, first);
        _images.Add(5, second);
        Assert.Equal((5, isAnswer), Next());
        _images.Add(5, isAnswer: false);
        Assert.Equal((5, isAnswer), Next()); // requested, deferred once more
        _images.Remove(5);
        _images.Add(5, isAnswer: false);
        Assert.Equal((5, false), Next());
    }

    [Fact]
    public void Stream_ThatEnded_IsNotRequested()
    {
        _images.Add(5, isAnswer: true);
        _images.Add(6, isAnswer: false);
        _images.Add(7, isAnswer: false);
        _images.Remove(5);
        _images.Remove(5);
        _images.Remove(99);
        Assert.Equal((2, true), (_images.Count, _images.HasToRequest));
        Assert.Equal((6, false), Next());
        _images.Remove(6);
        _images.Remove(7);
        Assert.Equal((0, false), (_images.Count, _images.HasToRequest)); // with the last, nothing is left to look at
        _images.Add(6, isAnswer: false);
        Assert.Equal((6, false), Next());
        Assert.False(_images.HasToRequest);
    }

    private (int StreamId, bool IsAnswer) Next()
    {
        Assert.True(_images.TryDequeueNext(out int streamId, out bool isAnswer));
        return (streamId, isAnswer);
    }
}
