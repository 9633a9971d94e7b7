using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfHub.Upstream;

/// <content>Forwards consumers' messages to the source, and its answers to their posts.</content>
internal sealed partial class UpstreamSession
{
    private readonly PendingPosts _posts = new();

    /// <summary>Forwards a consumer's post.</summary>
    // wire/domains 11
    public PostRefusal Forward(CachedItem item, scoped in RwfMsg post, Poster poster)
    {
        bool isToBeAcknowledged = post.Has(PostFlags.Ack); // without an id by 0
        if (isToBeAcknowledged && _posts.IsFullFor(poster))
            return PostRefusal.SourceDown;
        // an off-stream post names its item: here it is sent on the item's stream as well
        if (!TryForward(item, post.Message, MessageKind.Post))
            return PostRefusal.TooLarge;
        if (!isToBeAcknowledged)
            return PostRefusal.None;
        uint? number = post.Has(PostFlags.HasSeqNum) ? post.SeqNum : null;
        _posts.Add(new PendingPost(item.StreamId, item.Domain, post.PostId, number, poster, item.Terms.IsPrivate));
        return PostRefusal.None;
    }

    /// <summary>Forwards a consumer's message on the stream that the item has here.</summary>
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

    /// <summary>Discards the posts of a consumer's connection that wait for acknowledgements.</summary>
    public void DiscardPosts(int consumerIndex, uint connection) => _posts.Discard(consumerIndex, connection);

    private void Acknowledge(scoped in RwfMsg ack)
    {
        if (_posts.TryRemove(ack.StreamId, ack.AckId, out PendingPost post))
            _host.Posts.Acknowledge(post, ack);
    }

    // Posts to an item that has ended are not acknowledged any more.
    private void RejectPosts(int streamId)
    {
        if (_posts.Count == 0)
            return;
        foreach (PendingPost post in _posts.RemoveOfStream(streamId))
            _source.Reject(post, PostRefusal.StreamNotOpen);
    }
}
