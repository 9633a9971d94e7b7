using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfHub.Upstream;

/// <content>What consumers send to the source, and what it answers to their posts.</content>
internal sealed partial class UpstreamSession
{
    private readonly WaitingPosts _posts = new();

    /// <summary>Hands a consumer's post on.</summary>
    // wire/domains 11
    public PostRefusal Forward(CachedItem item, scoped in RwfMsg post, Poster poster)
    {
        bool isToBeAcknowledged = post.Has(PostFlags.Ack) && post.Has(PostFlags.HasPostId);
        if (isToBeAcknowledged && _posts.IsFullFor(poster))
            return PostRefusal.SourceDown;
        // off-stream, it names its item: here it goes on the item's stream as well
        if (!TryForward(item, post.Message, MessageKind.Post))
            return PostRefusal.TooLarge;
        if (!isToBeAcknowledged)
            return PostRefusal.None;
        uint? number = post.Has(PostFlags.HasSeqNum) ? post.SeqNum : null;
        _posts.Add(new WaitingPost(item.StreamId, item.Domain, post.PostId, number, poster, item.IsPrivate));
        return PostRefusal.None;
    }

    /// <summary>Sends a consumer's message on the stream that the item has here.</summary>
    public bool TryForward(CachedItem item, ReadOnlySpan<byte> message, MessageKind kind)
    {
        if (message.Length > (long)Channel.OutputBufferLimit * Channel.Info.MaxFragmentBytes)
            return false;
        Span<byte> room = _requests!.Begin(message.Length);
        message.CopyTo(room);
        MsgPatch.SetStreamId(room, item.StreamId);
        _requests.End(message.Length, kind);
        return true;
    }

    /// <summary>Nobody waits any more for what a consumer's connection has posted.</summary>
    public void ForgetPosts(int sessionHost, uint connection) => _posts.Forget(sessionHost, connection);

    private void Acknowledge(scoped in RwfMsg ack)
    {
        if (_posts.TryTake(ack.StreamId, ack.AckId, out WaitingPost post))
            _host.Acknowledge(post, ack);
    }

    // What is posted to an item that has ended is not acknowledged any more.
    private void GiveUpPosts(int streamId)
    {
        if (_posts.Count == 0)
            return;
        foreach (WaitingPost post in _posts.TakeOfStream(streamId))
            _source.GiveUp(post, PostRefusal.StreamNotOpen);
    }
}
