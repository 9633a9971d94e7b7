using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <content>Handles messages that consumers send to items, and those that providers send by way of another thread.</content>
internal sealed partial class UpstreamThread
{
    private byte[] _reflectionRoom = new byte[4_096];

    /// <summary>Sends an acknowledgement to the consumer that posted.</summary>
    public void Acknowledge(Poster poster, ReadOnlySpan<byte> ack) =>
        Send(poster.ConsumerIndex, SourceRecord.Direct, poster.Slot, poster.Address, ack);

    /// <summary>Forwards a source's answer to a post; on a private stream it gets the private flag, which the source may have left out.</summary>
    public void Acknowledge(in PendingPost post, scoped in RwfMsg ack) =>
        Acknowledge(post.Poster, post.IsPrivate && !ack.Has(AckFlags.PrivateStream) ? _forms.AsPrivate(ack) : ack.Message);

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

        int bytes = PostReflection.EncodeAck(_statusRoom, post, why, waiting.IsPrivate);
        Acknowledge(waiting.Poster, _statusRoom.AsSpan(0, bytes));
    }

    private void ReceivePost(int session, CachedItem item, ReadOnlySpan<byte> record)
    {
        Poster poster = new(session, StreamAddress.Read(record), item.Slot);
        if (RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg post) == DecodeResult.Success)
            ReceivePost(item.Service, ItemOf(item), post, poster, ItemOf(item).IsPrivate || item.Form.IsPrivate);
    }

    private void ReceivePostByName(int session, ServiceKey key, ReadOnlySpan<byte> record)
    {
        if (RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg post) == DecodeResult.Success
            && FindService(key) is { } service)
        {
            ReceivePost(service, _items.Find(service, post.Key.Name, post.DomainType), post, new Poster(session, StreamAddress.Read(record), 0));
        }
    }

    private void ReceivePost(ServiceItems service, CachedItem? item, scoped in RwfMsg post, Poster poster, bool isPrivate = false)
    {
        PostRefusal refusal = service.Source.IsInteractive ? service.Source.Forward(item, post, poster)
            : item is null ? PostRefusal.ItemNotOpen : Reflect(item, post);
        if (refusal != PostRefusal.None)
            Worker.Recording.Counters.Add(Counter.PostsRefused, 1);
        if (!post.Has(PostFlags.Ack) || (refusal == PostRefusal.None && service.Source.IsInteractive))
            return; // the provider of the item answers
        int bytes = PostReflection.EncodeAck(_statusRoom, post, refusal, isPrivate);
        Acknowledge(poster, _statusRoom.AsSpan(0, bytes));
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
        BroadcastOrCount(item, SourceRecord.Reflection, message, Counter.PostsNotReflected);
        return PostRefusal.None;
    }

    private bool TryMerge(CachedItem item, scoped in RwfMsg reflected)
    {
        if (reflected.MsgClass == MsgClass.Status)
        {
            if (reflected.Has(StatusFlags.HasState))
                item.IsOk = reflected.State.DataState switch { DataState.Ok => true, DataState.Suspect => false, _ => item.IsOk };
            return true;
        }

        if (reflected.ContainerType != _items.StateOf(item.Slot).PayloadType)
            return true;
        bool replaces = reflected.MsgClass == MsgClass.Refresh && reflected.Has(RefreshFlags.ClearCache);
        bool isTaken = TryKeep(item, reflected.Payload, replaces);
        if (reflected.MsgClass == MsgClass.Refresh || item.Service.Source.UncachedData == DataState.Ok)
            (item.HasImage, item.IsOk) = (true, true);
        return isTaken;
    }

    private void ReceiveGeneric(CachedItem item, ReadOnlySpan<byte> message)
    {
        if (!item.Service.Source.TryForwardGeneric(item, message))
            Worker.Recording.Counters.Add(Counter.GenericNotSent, 1);
    }

    private void ReceivePublished(StreamMap<NiProvider> providers, RingRecord record)
    {
        PublishedHead head = PublishedHead.Read(record.Bytes);
        ReadOnlySpan<byte> message = record.Bytes[PublishedHead.Bytes..];
        if (providers.Find(record.Number) is not { } provider)
            providers.Add(record.Number, provider = new NiProvider(this));
        RecordReceived(head.ReceivedNanos);
        if (UpdateHeader.TryRead(message, out UpdateHeader update) && HubDomain.IsItem(update.DomainType))
            provider.Receive(update);
        else if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
            provider.Receive(msg, head.Service);
    }

    private void EndProvider(StreamMap<NiProvider> providers, int number)
    {
        if (providers.Find(number) is not { } provider)
            return; // it has nothing in this thread
        providers.Remove(number);
        Publishers.Leave(provider);
    }
}
