using PerfCommon.Codec;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>Handles the requests of consumers for items whose images are cached.</summary>
/// <param name="settings">The settings that all source threads share.</param>
/// <param name="items">The items of the thread.</param>
/// <param name="images">Encodes their images.</param>
/// <param name="broadcaster">Sends the answers.</param>
/// <param name="throttle">Sends waiting updates before an image.</param>
/// <param name="replies">The answers without an image.</param>
/// <param name="passed">Sends images that are passed on once more.</param>
internal sealed class ItemRequests(
    SourceSettings settings, ItemCache items, ItemImages images, Broadcaster broadcaster, UpdateThrottle throttle, StatusReplies replies,
    PassThroughRequests passed)
{
    /// <summary>Handles a request for an item.</summary>
    public void Receive(int session, ServiceKey key, RequestedItem asked)
    {
        if (items.FindService(key) is not { } service)
            replies.Refuse(session, asked, StateCode.SourceUnknown, "the service is not known"u8);
        else if (asked.Has(ItemRequestMarks.Streaming))
            Open(session, service, asked);
        else
            ReceiveSnapshotRequest(session, service, asked);
    }

    /// <summary>Handles a request on an open stream.</summary>
    // Each gets an answer, possibly without a message: the session counts them.
    public void ReceiveReissue(int session, CachedItem watched, RequestedItem asked)
    {
        CachedItem item = watched.Whole;
        throttle.ForwardWaiting(item);
        if (asked.Has(ItemRequestMarks.Deferred))
        {
            SendDeferred(session, watched, asked);
            return;
        }

        if (asked.Has(ItemRequestMarks.Switch))
        {
            SwitchStandby(session, watched, asked);
            return;
        }

        if (!asked.Name.SequenceEqual(item.Name) || asked.Domain != item.Domain) // wire/domains 12
        {
            broadcaster.Send(session, SourceRecord.Reissued, watched.Slot, asked.Address,
                replies.EncodeInUse(asked.Domain, asked.Address, asked.Has(ItemRequestMarks.Private)));
            return;
        }

        // a stream may become private, never common again
        // wire/domains 5.5
        ItemForm form = images.FormOf(asked) with { IsPrivate = asked.Has(ItemRequestMarks.Private) || watched.Form.IsPrivate };
        CachedItem to = items.Forms.Open(item, form);
        bool moves = item.Forms is not null; // also where it has the form already: it may have been moved since the request
        if (moves)
            to.AddWatcher(session);
        ReadOnlySpan<byte> answer = !asked.Has(ItemRequestMarks.NoRefresh) && (item.HasImage || HasEmptyImage(item.Service.Source))
            ? EncodeOpen(item, to.Form, asked, isSolicited: true, asked.Has(ItemRequestMarks.NameType))
            : default;
        broadcaster.Send(session, moves ? SourceRecord.Moved : SourceRecord.Reissued, to.Slot, asked.Address, answer);
    }

    // Opens a streaming request: on the common stream, or on one for this consumer alone.
    private void Open(int session, ServiceItems service, RequestedItem asked)
    {
        bool isShared = IsShared(service, asked);
        CachedItem? item = isShared ? items.Table.Find(service, asked.Name, asked.Domain) : null;
        if (item is not { Image.Exists: true } && !service.Source.IsInteractive && service.Source.Uncached == UncachedAnswer.Closed)
        {
            replies.Refuse(session, asked, StateCode.NotFound, "the item is not published"u8); // wire/domains 11
            return;
        }

        bool isNew = item is null;
        item ??= items.Create(service, asked, isShared, isSnapshot: false);
        throttle.ForwardWaiting(item);
        CachedItem watched = items.Forms.Open(item, images.FormOf(asked));
        watched.AddWatcher(session);
        if (!service.Source.IsPublishing)
            item.LeftNanos = null;
        if (isNew && service.Source.IsInteractive)
            service.Source.Open(item);
        if (item.HasImage || HasEmptyImage(service.Source))
        {
            broadcaster.Send(session, SourceRecord.WatchWithAnswer, watched.Slot, asked.Address, images.EncodeAnswer(item, asked, StreamState.Open));
        }
        else if (!service.Source.IsInteractive)
        {
            broadcaster.Send(session, SourceRecord.WatchWithAnswer, watched.Slot, asked.Address,
                replies.EncodeUnpublished(asked.Domain, asked.Address, asked.Has(ItemRequestMarks.Private)));
        }
        else
        {
            broadcaster.Send(session, SourceRecord.Watch, watched.Slot, asked.Address, default);
        }
    }

    private void ReceiveSnapshotRequest(int session, ServiceItems service, RequestedItem asked)
    {
        CachedItem? item = IsShared(service, asked) ? items.Table.Find(service, asked.Name, asked.Domain) : null;
        if (item is { HasImage: true })
        {
            broadcaster.Send(session, SourceRecord.Answer, item.Slot, asked.Address, images.EncodeAnswer(item, asked, StreamState.NonStreaming));
            return;
        }

        bool isNew = item is null;
        item ??= items.Create(service, asked, isShared: false, isSnapshot: true);
        if (!service.Source.IsInteractive)
        {
            AnswerUncached(session, item, asked);
            return;
        }

        SnapshotAnswers.Add(item, session, asked.Address, ItemForms.Of(item, images.FormOf(asked)));
        broadcaster.Send(session, SourceRecord.Await, item.Slot, asked.Address, default);
        if (isNew)
            service.Source.Open(item);
    }

    private bool IsShared(ServiceItems service, RequestedItem asked) =>
        !service.Source.IsInteractive || (settings.IsCaching && !asked.Has(ItemRequestMarks.Private));

    // A server that becomes active gets everything anew; one that stands by gets nothing more.
    // wire/domains 5.11
    private void SwitchStandby(int session, CachedItem watched, RequestedItem asked)
    {
        CachedItem item = watched.Whole;
        if (item.PassThrough is not null || !StandbyParts.IsChanged(asked.Name, item.Service.Service.Id, out bool isStandby))
        {
            broadcaster.Send(session, SourceRecord.Reissued, watched.Slot, asked.Address, default);
            return;
        }

        CachedItem to = items.Forms.Open(
            item, images.FormOf(asked) with { IsPrivate = asked.Has(ItemRequestMarks.Private) || watched.Form.IsPrivate, IsStandby = isStandby });
        bool moves = item.Forms is not null; // see ReceiveReissue
        if (moves)
            to.AddWatcher(session);
        ReadOnlySpan<byte> image = !isStandby && (item.HasImage || HasEmptyImage(item.Service.Source))
            ? EncodeOpen(item, to.Form, asked, isSolicited: false, item.Terms.HasNameType)
            : default;
        broadcaster.Send(session, moves ? SourceRecord.Moved : SourceRecord.Reissued, to.Slot, asked.Address, image);
    }

    // Sends an image that the session did not queue, because too many bytes waited for its consumer.
    private void SendDeferred(int session, CachedItem watched, RequestedItem asked)
    {
        bool isSolicited = asked.Has(ItemRequestMarks.Solicited);
        if (watched.PassThrough is not null)
        {
            passed.Resend(session, watched, asked.Address, isSolicited);
            return;
        }

        broadcaster.Send(session, SourceRecord.Direct, watched.Slot, asked.Address,
            images.EncodeImage(watched, asked.Address.StreamId, StreamState.Open, isSolicited, watched.Whole.Terms.HasNameType));
    }

    private ReadOnlySpan<byte> EncodeOpen(CachedItem item, ItemForm form, RequestedItem asked, bool isSolicited, bool hasNameType) =>
        images.Encode(item, form, asked.Address.StreamId, ItemImages.StateOfAnswer(item, StreamState.Open), isSolicited, hasNameType);

    private static bool HasEmptyImage(ItemSource source) => !source.IsInteractive && source.Uncached == UncachedAnswer.Image;

    // Answers a snapshot of an item that no non-interactive provider has published.
    // wire/domains 11
    private void AnswerUncached(int session, CachedItem item, RequestedItem asked)
    {
        if (item.Service.Source.Uncached == UncachedAnswer.Image)
            broadcaster.Send(session, SourceRecord.Answer, item.Slot, asked.Address, images.EncodeAnswer(item, asked, StreamState.NonStreaming));
        else
            replies.Refuse(session, asked, StateCode.NotFound, "the item is not published"u8);
        if (item.Terms.IsSnapshot)
            items.Free(item);
    }
}
