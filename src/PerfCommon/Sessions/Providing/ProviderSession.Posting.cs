using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Sends posts back.</content>
public sealed partial class ProviderSession
{
    /// <summary>
    /// Sends a post back as an update of its item: the refresh, update or status in it, with the posting user, or an update around its bare
    /// content. Acknowledges it when it requests that.
    /// </summary>
    /// <param name="item">The item, as the handler received it: -1 for a post on the login stream, whose key names its item, or on a stream that is
    /// not open.</param>
    /// <param name="post">The post.</param>
    /// <returns>Why nothing was sent back; a requested acknowledgement carries the same reason.</returns>
    public PostRefusal Reflect(int item, scoped in RwfMsg post)
    {
        if (!IsOpen)
        {
            Count(Counter.PostsNotReflected); // sending has ended, acknowledging too
            return PostRefusal.None;
        }

        PostRefusal refusal = FindTarget(item, post, out int streamId);
        if (refusal == PostRefusal.None)
            refusal = SendBack(post, streamId, IsPrivate(Items.FindStream(streamId)));
        if (refusal != PostRefusal.None)
            CountRefusal(post, refusal);
        if (post.Has(PostFlags.Ack))
            Replies.End(PostReflection.EncodeAck(Replies.Begin(PostReflection.MaxAckBytes), post, refusal, IsPrivate(item)), MessageKind.Other);
        return refusal;
    }

    private PostRefusal FindTarget(int item, scoped in RwfMsg post, out int streamId)
    {
        streamId = post.StreamId;
        if (item != OffStream)
            return PostRefusal.None;
        if (!IsLoginOn(streamId))
            return PostRefusal.StreamNotOpen;
        if (!post.Key.Has(MsgKeyFlags.HasName))
            return PostRefusal.NoName;
        if (post.Key.Has(MsgKeyFlags.HasServiceId) && post.Key.ServiceId != _options.Service.Id)
            return PostRefusal.OtherService;
        int named = Items.FindAny(post.Key.Name, ItemKeys.Of(post.DomainType, isPrivate: false));
        if (named < 0)
            return PostRefusal.ItemNotOpen;
        streamId = Items.StreamIdOf(named);
        return PostRefusal.None;
    }

    private bool IsPrivate(int item) => item >= 0 && (Items.TraitsOf(item) & ItemTraits.PrivateStream) != 0;

    private PostRefusal SendBack(scoped in RwfMsg post, int streamId, bool isPrivate)
    {
        int maxBytes = PostReflection.MaxBytes(post);
        if (maxBytes > (long)Channel.OutputBufferLimit * Channel.Info.MaxFragmentBytes)
            return PostRefusal.TooLarge; // it would wait forever
        int bytes = PostReflection.Encode(Replies.Begin(maxBytes), post, streamId, isPrivate);
        Replies.End(bytes, MessageKind.Reflection);
        return bytes > 0 ? PostRefusal.None : PostRefusal.Content;
    }

    private void CountRefusal(scoped in RwfMsg post, PostRefusal why)
    {
        if (Recording.Counters[Counter.PostsRefused] == 0)
            Recording.Notices.Add(SessionNotices.PostRefused, post.StreamId, why);
        Count(Counter.PostsRefused);
    }
}
