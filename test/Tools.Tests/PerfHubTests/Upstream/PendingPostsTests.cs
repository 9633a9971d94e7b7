using PerfCommon.Codec;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Posts that wait for an acknowledgement of a source, by stream, number and connection.</summary>
[Trait("Category", "Fast")]
public sealed class PendingPostsTests
{
    private readonly PendingPosts _posts = new();

    [Fact]
    public void TryRemove_OfOneNumber_GivesTheOldestFirst()
    {
        PendingPost[] posts = [Post(5, 1, connection: 10), Post(5, 1, connection: 20), Post(5, 2, connection: 10), Post(6, 1, connection: 10)];
        foreach (PendingPost post in posts)
            _posts.Add(post);
        Assert.Equal(4, _posts.Count);
        Assert.False(_posts.TryRemove(5, 3, out PendingPost none));
        Assert.False(_posts.TryRemove(7, 1, out _));
        Assert.Equal((default, 4), (none, _posts.Count));

        Assert.Equal(posts[0], Remove(5, 1));
        Assert.Equal(posts[3], Remove(6, 1));
        Assert.Equal(posts[1], Remove(5, 1));
        Assert.False(_posts.TryRemove(5, 1, out _));
        Assert.Equal(posts[2], Remove(5, 2));
        Assert.Equal(0, _posts.Count);
    }

    [Fact]
    public void RemoveOfStream_LeavesThoseOfOthers()
    {
        PendingPost[] posts = [Post(5, 1, 10), Post(6, 1, 10), Post(5, 1, 20), Post(5, 9, 30)];
        foreach (PendingPost post in posts)
            _posts.Add(post);
        Assert.Equal([posts[0], posts[2], posts[3]], _posts.RemoveOfStream(5).OrderBy(post => post.Poster.Address.Serial));
        Assert.Empty(_posts.RemoveOfStream(5));
        Assert.Empty(_posts.RemoveOfStream(99));
        Assert.False(_posts.TryRemove(5, 1, out _));
        Assert.Equal(1, _posts.Count);
        Assert.Equal(posts[1], Remove(6, 1));
    }

    /// <summary>A connection is that of one session thread: another thread has others of the same number.</summary>
    [Fact]
    public void Discard_OfAConnection_LeavesThoseOfOtherThreads()
    {
        PendingPost[] posts = [Post(5, 1, 10, thread: 0), Post(5, 1, 10, thread: 1), Post(6, 1, 10, thread: 0), Post(5, 1, 20, thread: 0)];
        foreach (PendingPost post in posts)
            _posts.Add(post);
        _posts.Discard(consumerIndex: 0, connection: 10);
        Assert.Equal(2, _posts.Count);
        _posts.Discard(consumerIndex: 0, connection: 10);
        _posts.Discard(consumerIndex: 2, connection: 20);
        Assert.Equal([posts[1], posts[3]], _posts.RemoveAll());
        Assert.Equal(0, _posts.Count);
        Assert.Empty(_posts.RemoveAll());
    }

    /// <summary>A connection may have 10,000 posts that wait, whatever their streams and items, time after time.</summary>
    [Fact]
    public void IsFullFor_AtItsMaximum_IsOfThatConnectionAlone()
    {
        Poster full = Post(0, 0, 10).Poster, other = Post(0, 0, 20).Poster, otherThread = Post(0, 0, 10, thread: 1).Poster;
        for (int round = 0; round < 3; round++)
        {
            for (uint number = 0; number < 10_000; number++)
            {
                Assert.False(_posts.IsFullFor(full));
                _posts.Add(Post((int)(number % 7), number, 10));
            }

            Assert.Equal((true, false, false), (_posts.IsFullFor(full), _posts.IsFullFor(other), _posts.IsFullFor(otherThread)));
            Assert.True(_posts.IsFullFor(full with { Slot = 77, Address = new StreamAddress(3, 4, 10) })); // another of its streams
            Remove(2, 9);
            Assert.False(_posts.IsFullFor(full));
            _posts.Discard(0, 10);
            Assert.Equal((0, false), (_posts.Count, _posts.IsFullFor(full)));
        }
    }

    private PendingPost Remove(int streamId, uint postId)
    {
        int before = _posts.Count;
        Assert.True(_posts.TryRemove(streamId, postId, out PendingPost post));
        Assert.Equal(before - 1, _posts.Count);
        return post;
    }

    private static PendingPost Post(int streamId, uint postId, uint connection, int thread = 0) =>
        new(streamId, DomainType.MarketPrice, postId, postId + 7, new Poster(thread, new StreamAddress(2, streamId + 50, connection), streamId + 90));
}
