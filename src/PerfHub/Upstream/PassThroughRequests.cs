using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>
/// Handles the requests of consumers for items of domains whose images are not cached field by field. At an interactive source each watcher has a
/// stream there, and receives its messages; of a non-interactive source all consumers receive its last complete image, and its later messages.
/// </summary>
/// <param name="items">The items of the thread.</param>
/// <param name="broadcaster">Sends the answers.</param>
/// <param name="replies">The answers without an image.</param>
internal sealed class PassThroughRequests(ItemCache items, Broadcaster broadcaster, StatusReplies replies)
{
    /// <summary>Handles a request for an item.</summary>
    public void Receive(int session, ServiceKey key, ReadOnlySpan<byte> record)
    {
        StreamAddress address = StreamAddress.Read(record);
        RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg msg);
        ItemRequest request = new(msg);
        if (items.FindService(key) is not { } service)
            replies.Refuse(session, request.Domain, address, request.IsPrivate, StateCode.SourceUnknown, "the service is not known"u8);
        else if (service.Source.IsInteractive)
            Open(session, service, address, request, msg.Message);
        else
            WatchPublished(session, service, address, request);
    }

    /// <summary>Handles a request on an open stream.</summary>
    // The answer is sent like an image; only its existence is announced here.
    public void ReceiveReissue(int session, CachedItem watched, ReadOnlySpan<byte> record)
    {
        StreamAddress address = StreamAddress.Read(record);
        RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg msg);
        ItemRequest request = new(msg);
        CachedItem item = watched.Whole;
        if (item.PassThrough is not { } passed || item.Domain != request.Domain || !request.Name.SequenceEqual(item.Name)) // wire/domains 12
        {
            broadcaster.Send(session, SourceRecord.Reissued, watched.Slot, address, replies.EncodeInUse(request.Domain, address, request.IsPrivate));
            return;
        }

        broadcaster.Send(session, SourceRecord.Reissued, watched.Slot, address, default);
        if (item.Service.Source.IsInteractive)
        {
            items.CountBytes(msg.Message.Length - passed.Request.Length);
            (passed.Request, passed.IsAwaited) = (msg.Message.ToArray(), !request.IsWithoutRefresh);
            item.Service.Source.Reissue(item);
            MsgPatch.RemoveFlags(passed.Request, RequestFlags.NoRefresh); // where the hub repeats the request by itself, it needs an image
        }
        else if (item.Image.Exists && !request.IsWithoutRefresh)
        {
            SendParts(session, SourceRecord.DirectInParts, watched, address, StreamState.Open, isSolicited: true, watched.Form.IsPrivate);
        }
    }

    /// <summary>Sends a consumer that missed updates an image: the last published one, or a new one of the source.</summary>
    public void Resend(int session, CachedItem watched, StreamAddress address, bool isSolicited)
    {
        if (watched.Whole.Service.Source.IsInteractive)
            watched.Service.Source.Reissue(watched);
        else
            SendParts(session, SourceRecord.DirectInParts, watched, address, StreamState.Open, isSolicited, watched.Form.IsPrivate);
    }

    private void Open(int session, ServiceItems service, StreamAddress address, scoped in ItemRequest request, ReadOnlySpan<byte> message)
    {
        CachedItem item = new(items.Table, service, request.Name.ToArray(), request.Domain)
        {
            Terms = new() { IsPrivate = request.IsPrivate, IsSnapshot = !request.IsStreaming },
        };
        (item.PassThrough!.Request, item.PassThrough.IsAwaited) = (message.ToArray(), true);
        items.Enter(item);
        item.AddWatcher(session);
        service.Source.Open(item);
        broadcaster.Send(session, SourceRecord.Watch, item.Slot, address, default);
    }

    private void WatchPublished(int session, ServiceItems service, StreamAddress address, scoped in ItemRequest request)
    {
        CachedItem? item = items.Table.Find(service, request.Name, request.Domain);
        bool isThere = item is { Image.Exists: true };
        if (!service.Source.IsPublishing || (!isThere && (!request.IsStreaming || service.Source.Uncached == UncachedAnswer.Closed)))
        {
            replies.Refuse(session, request.Domain, address, request.IsPrivate, StateCode.NotFound, "the item is not published"u8); // wire/domains 11
            return;
        }

        if (!request.IsStreaming)
        {
            SendParts(session, SourceRecord.AnswerInParts, item!, address, StreamState.NonStreaming, isSolicited: true, request.IsPrivate);
            return;
        }

        item ??= items.Create(service, request.Name, request.Domain);
        CachedItem watched = items.Forms.Open(item, new ItemForm(null, request.IsPrivate));
        watched.AddWatcher(session);
        if (isThere)
        {
            SendParts(session, SourceRecord.WatchWithParts, watched, address, StreamState.Open, isSolicited: true, request.IsPrivate);
        }
        else
        {
            broadcaster.Send(session, SourceRecord.WatchWithAnswer, watched.Slot, address,
                replies.EncodeUnpublished(request.Domain, address, request.IsPrivate));
        }
    }

    private void SendParts(
        int session, SourceRecord kind, CachedItem watched, StreamAddress address, StreamState stream, bool isSolicited, bool isPrivate)
    {
        CachedItem item = watched.Whole;
        Span<byte> head = stackalloc byte[StreamAddress.Bytes];
        address.Write(head);
        broadcaster.SendAddressed(session, kind, watched.Slot, item.PassThrough!.Encode(head,
            new PassThroughHead(address.StreamId, item.Service.Service.Id, stream, item.Image.IsOk, isSolicited, isPrivate)));
    }
}
