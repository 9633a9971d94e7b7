using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <content>What consumers send to the source, and what it answers to their posts.</content>
internal sealed partial class UpstreamSession
{
    // Posts that wait for their acknowledgement.
    private const int MaxAcks = 10_000;

    private readonly List<WaitingPost> _acks = [];

    /// <summary>Hands a consumer's post on.</summary>
    // wire/domains 11
    public PostRefusal Forward(CachedItem item, scoped in RwfMsg post, Poster poster)
    {
        bool isToBeAcknowledged = post.Has(PostFlags.Ack) && post.Has(PostFlags.HasPostId);
        if (isToBeAcknowledged && _acks.Count >= MaxAcks)
            return PostRefusal.SourceDown;
        // off-stream, it names its item: here it goes on the item's stream as well
        if (!TryForward(item, post.Message, MessageKind.Post))
            return PostRefusal.TooLarge;
        if (isToBeAcknowledged)
            _acks.Add(new WaitingPost(item.StreamId, item.Domain, post.PostId, post.Has(PostFlags.HasSeqNum) ? post.SeqNum : null, poster));
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

    private void Acknowledge(scoped in RwfMsg ack)
    {
        (int streamId, uint ackId) = (ack.StreamId, ack.AckId);
        int at = _acks.FindIndex(waiting => waiting.StreamId == streamId && waiting.PostId == ackId);
        if (at < 0)
            return;
        _host.Acknowledge(_acks[at].Poster, ack.Message);
        _acks.RemoveAt(at);
    }

    // What is posted to an item that has ended is not acknowledged any more.
    private void GiveUpPosts(int streamId)
    {
        for (int i = _acks.Count - 1; i >= 0; i--)
        {
            if (_acks[i].StreamId != streamId)
                continue;
            _source.GiveUp(_acks[i], PostRefusal.StreamNotOpen);
            _acks.RemoveAt(i);
        }
    }
}
