using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <content>
/// Handles items of domains whose images are not cached field by field. At an interactive source each watcher has a stream there, and receives its
/// messages; of a non-interactive source all consumers receive its last complete image, and its later messages.
/// </content>
internal sealed partial class UpstreamThread
{
    private void ReceivePassThroughRequest(int session, ServiceKey key, ReadOnlySpan<byte> record)
    {
        StreamAddress address = StreamAddress.Read(record);
        RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg msg);
        ItemRequest request = new(msg);
        if (FindService(key) is not { } service)
            Refuse(session, request.Domain, address, request.IsPrivate, StateCode.SourceUnknown, "the service is not known"u8);
        else if (service.Source.IsInteractive)
            OpenPassThrough(session, service, address, request, msg.Message);
        else
            WatchPublished(session, service, address, request);
    }

    private void OpenPassThrough(int session, ServiceItems service, StreamAddress address, scoped in ItemRequest request, ReadOnlySpan<byte> message)
    {
        CachedItem item = new(_items, service, request.Name.ToArray(), request.Domain)
        {
            IsPrivate = request.IsPrivate,
            IsSnapshot = !request.IsStreaming,
        };
        (item.PassThrough!.Request, item.PassThrough.IsAwaited) = (message.ToArray(), true);
        Enter(item);
        item.AddWatcher(session);
        service.Source.Open(item);
        Send(session, SourceRecord.Watch, item.Slot, address, default);
    }

    private void WatchPublished(int session, ServiceItems service, StreamAddress address, scoped in ItemRequest request)
    {
        CachedItem? item = _items.Find(service, request.Name, request.Domain);
        bool isThere = item is { HasImage: true };
        if (!service.Source.IsPublishing || (!isThere && (!request.IsStreaming || service.Source.Uncached == UncachedAnswer.Closed)))
        {
            Refuse(session, request.Domain, address, request.IsPrivate, StateCode.NotFound, "the item is not published"u8); // wire/domains 11
            return;
        }

        if (!request.IsStreaming)
        {
            SendParts(session, SourceRecord.AnswerInParts, item!, address, StreamState.NonStreaming, isSolicited: true, request.IsPrivate);
            return;
        }

        item ??= Create(service, request.Name, request.Domain);
        CachedItem watched = _forms.Open(item, new ItemForm(null, request.IsPrivate));
        watched.AddWatcher(session);
        if (isThere)
            SendParts(session, SourceRecord.WatchWithParts, watched, address, StreamState.Open, isSolicited: true, request.IsPrivate);
        else
            Send(session, SourceRecord.WatchWithAnswer, watched.Slot, address, EncodeUnpublished(request.Domain, address, request.IsPrivate));
    }

    // The answer is sent like an image; only its existence is announced here.
    private void ReceivePassThroughReissue(int session, CachedItem watched, ReadOnlySpan<byte> record)
    {
        StreamAddress address = StreamAddress.Read(record);
        RwfMsg.TryDecode(record[StreamAddress.Bytes..], out RwfMsg msg);
        ItemRequest request = new(msg);
        CachedItem item = ItemOf(watched);
        if (item.PassThrough is not { } passed || item.Domain != request.Domain || !request.Name.SequenceEqual(item.Name)) // wire/domains 12
        {
            Send(session, SourceRecord.Reissued, watched.Slot, address, EncodeInUse(request.Domain, address, request.IsPrivate));
            return;
        }

        Send(session, SourceRecord.Reissued, watched.Slot, address, default);
        if (item.Service.Source.IsInteractive)
        {
            _itemBytes += msg.Message.Length - passed.Request.Length;
            (passed.Request, passed.IsAwaited) = (msg.Message.ToArray(), !request.IsWithoutRefresh);
            item.Service.Source.Reissue(item);
        }
        else if (item.HasImage && !request.IsWithoutRefresh)
        {
            SendParts(session, SourceRecord.DirectInParts, watched, address, StreamState.Open, isSolicited: true, watched.Form.IsPrivate);
        }
    }

    // A consumer that missed updates gets an image: the last published one, or a new one of the source.
    private void ResendPassThrough(int session, CachedItem watched, StreamAddress address, bool isSolicited)
    {
        if (ItemOf(watched).Service.Source.IsInteractive)
            watched.Service.Source.Reissue(watched);
        else
            SendParts(session, SourceRecord.DirectInParts, watched, address, StreamState.Open, isSolicited, watched.Form.IsPrivate);
    }

    private void SendParts(
        int session, SourceRecord kind, CachedItem watched, StreamAddress address, StreamState stream, bool isSolicited, bool isPrivate)
    {
        CachedItem item = ItemOf(watched);
        Span<byte> head = stackalloc byte[StreamAddress.Bytes];
        address.Write(head);
        if (!_isStamped[session])
            Stamp(session);
        ToSessions[session].Add((byte)kind, watched.Slot, item.PassThrough!.Encode(head,
            new PassThroughHead(address.StreamId, item.Service.Service.Id, stream, item.IsOk, isSolicited, isPrivate)));
    }

    // Refreshes are passed on unchanged, except for the Solicited flag where no consumer waits for an answer.
    private void ReceivePassThrough(CachedItem item, PassThroughStream passed, scoped in RwfMsg msg)
    {
        bool isLast = msg.Has(RefreshFlags.RefreshComplete);
        if (DomainMsg.EndsStream(msg) || (isLast && !item.IsShared && (item.IsSnapshot || msg.State.StreamState == StreamState.NonStreaming)))
        {
            EndItem(item, InOurTerms(item, msg));
            return;
        }

        int before = item.HeldBytes;
        bool isKept = !item.IsShared || (!HasStopped && passed.TryKeep(msg));
        _itemBytes += item.HeldBytes - before;
        if (!isKept)
            Drop("an image that is too large to be kept");
        item.HasImage = item.IsShared ? passed.HasImage : item.HasImage || isLast;
        item.IsOk = msg.State.DataState != DataState.Suspect;
        RwfMsg sent = msg;
        if (!passed.IsAwaited)
            sent.Flags &= ~RefreshFlags.Solicited;
        passed.IsAwaited &= !isLast;
        BroadcastPassed(item, msg, sent.Flags);
    }

    private void BroadcastPassed(CachedItem item, scoped in RwfMsg msg, int flags)
    {
        ReadOnlySpan<byte> ours = InOurTerms(item, msg);
        if (flags == msg.Flags)
        {
            Broadcast(item, SourceRecord.Image, ours);
            return;
        }

        byte[] copy = ours.ToArray();
        MsgPatch.RemoveFlags(copy, RefreshFlags.Solicited);
        Broadcast(item, SourceRecord.Image, copy);
    }
}
