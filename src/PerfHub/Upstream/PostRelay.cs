using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>
/// Relays what consumers send to the items of one source thread, posts and generic messages, and the acknowledgements. A post to an item without an
/// interactive source is reflected to its watchers.
/// </summary>
/// <param name="counters">The counters of the thread.</param>
/// <param name="items">The items.</param>
/// <param name="broadcaster">Sends reflections and acknowledgements.</param>
internal sealed class PostRelay(CounterSet counters, ItemCache items, Broadcaster broadcaster)
{
    private readonly byte[] _ackRoom = new byte[StatusReplies.MaxBytes];
    private byte[] _reflectionRoom = new byte[4_096];

    /// <summary>Handles a post on the stream of an item.</summary>
    public void Receive(int session, CachedItem watched, ReadOnlySpan<byte> record)
    {
        Poster poster = new(session, StreamAddress.Read(record), watched.Slot);
        if (RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg post) == DecodeResult.Success)
            Receive(watched.Service, watched.Whole, post, poster, watched.Whole.Terms.IsPrivate || watched.Form.IsPrivate);
    }

    /// <summary>Handles a post that names its item.</summary>
    public void ReceiveByName(int session, ServiceKey key, ReadOnlySpan<byte> record)
    {
        if (RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg post) == DecodeResult.Success
            && items.FindService(key) is { } service)
        {
            Receive(service, items.Table.Find(service, post.Key.Name, post.DomainType), post, new Poster(session, StreamAddress.Read(record), 0));
        }
    }

    /// <summary>Handles a generic message to an item.</summary>
    public void ReceiveGeneric(CachedItem item, ReadOnlySpan<byte> message)
    {
        if (!item.Service.Source.TryForwardGeneric(item, message))
            counters.Add(Counter.GenericNotSent, 1);
    }

    /// <summary>Forwards a source's answer to a post; on a private stream it gets the private flag, which the source may have left out.</summary>
    public void Acknowledge(in PendingPost post, scoped in RwfMsg ack) =>
        Acknowledge(post.Poster, post.IsPrivate && !ack.Has(AckFlags.PrivateStream) ? items.Forms.AsPrivate(ack) : ack.Message);

    /// <summary>Sends a negative acknowledgement for a post that was waiting for its own.</summary>
    public void Refuse(in PendingPost waiting, PostRefusal why)
    {
        RwfMsg post = new();
        post.MsgClass = MsgClass.Post;
        post.DomainType = waiting.Domain;
        post.PostId = waiting.PostId;
        if (waiting.SeqNum is { } number)
        {
            post.Flags |= PostFlags.HasSeqNum;
            post.SeqNum = number;
        }

        int bytes = PostReflection.EncodeAck(_ackRoom, post, why, waiting.IsPrivate);
        Acknowledge(waiting.Poster, _ackRoom.AsSpan(0, bytes));
    }

    private void Receive(ServiceItems service, CachedItem? item, scoped in RwfMsg post, Poster poster, bool isPrivate = false)
    {
        PostRefusal refusal = service.Source.IsInteractive ? service.Source.Forward(item, post, poster)
            : item is null ? PostRefusal.ItemNotOpen : Reflect(item, post);
        if (refusal != PostRefusal.None)
            counters.Add(Counter.PostsRefused, 1);
        if (!post.Has(PostFlags.Ack) || (refusal == PostRefusal.None && service.Source.IsInteractive))
            return; // the provider of the item answers
        int bytes = PostReflection.EncodeAck(_ackRoom, post, refusal, isPrivate);
        Acknowledge(poster, _ackRoom.AsSpan(0, bytes));
    }

    // wire/domains 11
    private PostRefusal Reflect(CachedItem item, scoped in RwfMsg post)
    {
        int maxBytes = PostReflection.MaxBytes(post);
        if (_reflectionRoom.Length < maxBytes)
            _reflectionRoom = new byte[maxBytes];
        int bytes = PostReflection.Encode(_reflectionRoom, post, streamId: 0);
        ReadOnlySpan<byte> message = _reflectionRoom.AsSpan(0, bytes);
        if (bytes == 0 || RwfMsg.TryDecode(message, out RwfMsg reflected) != DecodeResult.Success || !TryMerge(item, reflected))
            return PostRefusal.Content;
        if (item.Watchers == 0)
            counters.Add(Counter.PostsUnwatched, 1);
        broadcaster.BroadcastOrCount(item, SourceRecord.Reflection, message, Counter.PostsNotReflected);
        return PostRefusal.None;
    }

    private bool TryMerge(CachedItem item, scoped in RwfMsg reflected)
    {
        if (reflected.MsgClass == MsgClass.Status)
        {
            if (reflected.Has(StatusFlags.HasState))
                item.Image.Receive(reflected.State.DataState);
            return true;
        }

        if (reflected.ContainerType != items.Table.StateOf(item.Slot).PayloadType)
            return true;
        bool replaces = reflected.MsgClass == MsgClass.Refresh && reflected.Has(RefreshFlags.ClearCache);
        bool isTaken = items.TryKeep(item, reflected.Payload, replaces);
        if (reflected.MsgClass == MsgClass.Refresh || item.Service.Source.UncachedData == DataState.Ok)
            (item.Image.Exists, item.Image.IsOk) = (true, true);
        return isTaken;
    }

    private void Acknowledge(Poster poster, ReadOnlySpan<byte> ack) =>
        broadcaster.Send(poster.ConsumerIndex, SourceRecord.Direct, poster.Slot, poster.Address, ack);
}
