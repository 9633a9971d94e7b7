using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <content>Handles the requests of sessions.</content>
internal sealed partial class UpstreamThread
{
    private const int MaxStatusBytes = 512;

    private readonly byte[] _statusRoom = new byte[MaxStatusBytes];

    // Handles a record of a session thread, whose number is that of its ring; other source threads send the last two kinds only.
    private void Receive(int session, RingRecord record)
    {
        switch ((SessionRecord)record.Kind)
        {
            case SessionRecord.Request:
                ReceiveRequest(session, ServiceKey.Of(record.Number), RequestedItem.Read(record.Bytes));
                break;
            case SessionRecord.Reissue:
                ReceiveReissue(session, _items[record.Number]!, RequestedItem.Read(record.Bytes));
                break;
            case SessionRecord.RequestPassThrough:
                ReceivePassThroughRequest(session, ServiceKey.Of(record.Number), record.Bytes);
                break;
            case SessionRecord.ReissuePassThrough:
                ReceivePassThroughReissue(session, _items[record.Number]!, record.Bytes);
                break;
            case SessionRecord.Unwatch:
                Leave(_forms.Leave(_items[record.Number]!, session));
                break;
            case SessionRecord.Withdraw:
                Withdraw(session, record);
                break;
            case SessionRecord.PosterLeft:
                uint connection = StreamAddress.Read(record.Bytes).Serial;
                _sources.ForEach(source => source.DiscardPosts(session, connection));
                break;
            case SessionRecord.Post:
                ReceivePost(session, _items[record.Number]!, record.Bytes);
                break;
            case SessionRecord.PostByName:
                ReceivePostByName(session, ServiceKey.Of(record.Number), record.Bytes);
                break;
            case SessionRecord.Generic:
                ReceiveGeneric(ItemOf(_items[record.Number]!), record.Bytes[StreamAddress.Bytes..]);
                break;
            case SessionRecord.Published:
                ReceivePublished(_inputs[session].Providers, record);
                break;
            case SessionRecord.PublisherLeft:
                EndProvider(_inputs[session].Providers, record.Number);
                break;
            default:
                throw new InvalidOperationException($"a record of kind {record.Kind} for a source");
        }
    }

    private void ReceiveRequest(int session, ServiceKey key, RequestedItem asked)
    {
        if (FindService(key) is not { } service)
            Refuse(session, asked, StateCode.SourceUnknown, "the service is not known"u8);
        else if (asked.Has(ItemRequestMarks.Streaming))
            Open(session, service, asked);
        else
            ReceiveSnapshotRequest(session, service, asked);
    }

    // Opens a streaming request: on the common stream, or on one for this consumer alone.
    private void Open(int session, ServiceItems service, RequestedItem asked)
    {
        bool isShared = !service.Source.IsInteractive || (_settings.IsCaching && !asked.Has(ItemRequestMarks.Private));
        CachedItem? item = isShared ? _items.Find(service, asked.Name, asked.Domain) : null;
        if (item is not { HasImage: true } && !service.Source.IsInteractive && service.Source.Uncached == UncachedAnswer.Closed)
        {
            Refuse(session, asked, StateCode.NotFound, "the item is not published"u8); // wire/domains 11
            return;
        }

        bool isNew = item is null;
        item ??= Create(service, asked, isShared, isSnapshot: false);
        ForwardWaiting(item);
        CachedItem watched = _forms.Open(item, FormOf(asked));
        watched.AddWatcher(session);
        if (!service.Source.IsPublishing)
            item.LeftNanos = null;
        if (isNew && service.Source.IsInteractive)
            service.Source.Open(item);
        if (item.HasImage || HasEmptyImage(service.Source))
            Send(session, SourceRecord.WatchWithAnswer, watched.Slot, asked.Address, EncodeAnswer(item, asked, StreamState.Open));
        else if (!service.Source.IsInteractive)
            Send(session, SourceRecord.WatchWithAnswer, watched.Slot, asked.Address, EncodeUnpublished(asked.Domain, asked.Address, asked.Has(ItemRequestMarks.Private)));
        else
            Send(session, SourceRecord.Watch, watched.Slot, asked.Address, default);
    }

    // Returns the form of an item that a consumer receives.
    private ItemForm FormOf(RequestedItem asked) => new(_settings.Views.Find(asked.View), asked.Has(ItemRequestMarks.Private), asked.Has(ItemRequestMarks.Standby));

    private static CachedItem ItemOf(CachedItem watched) => watched.Of ?? watched;

    private void ReceiveSnapshotRequest(int session, ServiceItems service, RequestedItem asked)
    {
        bool isShared = !service.Source.IsInteractive || (_settings.IsCaching && !asked.Has(ItemRequestMarks.Private));
        CachedItem? item = isShared ? _items.Find(service, asked.Name, asked.Domain) : null;
        if (item is { HasImage: true })
        {
            Send(session, SourceRecord.Answer, item.Slot, asked.Address, EncodeAnswer(item, asked, StreamState.NonStreaming));
            return;
        }

        if (!service.Source.IsInteractive)
        {
            AnswerUncached(session, item ?? Create(service, asked, isShared: false, isSnapshot: true), asked);
            return;
        }

        bool isNew = item is null;
        item ??= Create(service, asked, isShared: false, isSnapshot: true);
        (item.Snapshots ??= []).Add((session, asked.Address), ItemForms.Of(item, FormOf(asked)));
        Send(session, SourceRecord.Await, item.Slot, asked.Address, default);
        if (isNew)
            service.Source.Open(item);
    }

    // The consumer that waits for an image is gone, or has closed the stream; the image may be under way.
    private void Withdraw(int session, RingRecord record)
    {
        if (_items[record.Number] is not { Snapshots: { } waiting } item || !waiting.Remove((session, StreamAddress.Read(record.Bytes))))
            return;
        if (waiting.Count == 0)
            EndSnapshots(item);
    }

    // Each gets an answer, possibly without a message: the session counts them.
    private void ReceiveReissue(int session, CachedItem watched, RequestedItem asked)
    {
        CachedItem item = ItemOf(watched);
        ForwardWaiting(item);
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
            Send(session, SourceRecord.Reissued, watched.Slot, asked.Address,
                EncodeInUse(asked.Domain, asked.Address, asked.Has(ItemRequestMarks.Private)));
            return;
        }

        // a stream may become private, never common again
        // wire/domains 5.5
        ItemForm form = FormOf(asked) with { IsPrivate = asked.Has(ItemRequestMarks.Private) || watched.Form.IsPrivate };
        CachedItem to = _forms.Open(item, form);
        bool moves = item.Forms is not null; // also where it has the form already: it may have been moved since the request
        if (moves)
            to.AddWatcher(session);
        ReadOnlySpan<byte> answer = !asked.Has(ItemRequestMarks.NoRefresh) && (item.HasImage || HasEmptyImage(item.Service.Source))
            ? Encode(item, to.Form, asked.Address.StreamId, StateOfAnswer(item, StreamState.Open), isSolicited: true, asked.Has(ItemRequestMarks.NameType))
            : default;
        Send(session, moves ? SourceRecord.Moved : SourceRecord.Reissued, to.Slot, asked.Address, answer);
    }

    // A server that becomes active gets everything anew; one that stands by gets nothing more.
    // wire/domains 5.11
    private void SwitchStandby(int session, CachedItem watched, RequestedItem asked)
    {
        CachedItem item = ItemOf(watched);
        if (item.PassThrough is not null || !StandbyParts.IsChanged(asked.Name, item.Service.Service.Id, out bool isStandby))
        {
            Send(session, SourceRecord.Reissued, watched.Slot, asked.Address, default);
            return;
        }

        CachedItem to = _forms.Open(
            item, FormOf(asked) with { IsPrivate = asked.Has(ItemRequestMarks.Private) || watched.Form.IsPrivate, IsStandby = isStandby });
        bool moves = item.Forms is not null; // see TakeReissue
        if (moves)
            to.AddWatcher(session);
        ReadOnlySpan<byte> image = !isStandby && (item.HasImage || HasEmptyImage(item.Service.Source))
            ? Encode(item, to.Form, asked.Address.StreamId, StateOfAnswer(item, StreamState.Open), isSolicited: false, item.HasNameType)
            : default;
        Send(session, moves ? SourceRecord.Moved : SourceRecord.Reissued, to.Slot, asked.Address, image);
    }

    // Sends an image that the session did not queue, because too many bytes waited for its consumer.
    private void SendDeferred(int session, CachedItem watched, RequestedItem asked)
    {
        if (watched.PassThrough is not null)
        {
            ResendPassThrough(session, watched, asked.Address, asked.Has(ItemRequestMarks.Solicited));
            return;
        }

        Send(session, SourceRecord.Direct, watched.Slot, asked.Address,
            EncodeImage(watched, asked.Address.StreamId, StreamState.Open, asked.Has(ItemRequestMarks.Solicited), ItemOf(watched).HasNameType));
    }

    private ReadOnlySpan<byte> EncodeInUse(DomainType domain, StreamAddress address, bool isPrivate) => _statusRoom.AsSpan(0,
        MarketPriceProvider.EncodeRejection(_statusRoom, domain, address.StreamId, ItemRejection.StreamInUse, isPrivate));

    private static bool HasEmptyImage(ItemSource source) => !source.IsInteractive && source.Uncached == UncachedAnswer.Image;

    // Handles an item that lost a watcher or a request.
    private void Leave(CachedItem item)
    {
        if (item.Watchers > 0 || item.Snapshots is not null)
            return;
        if (item.IsOver)
        {
            Free(item);
        }
        else if (item.Service.Source.IsInteractive)
        {
            item.Service.Source.Close(item);
            Free(item);
        }
        else
        {
            FreeWhenUnwanted(item);
        }
    }

    private CachedItem Create(ServiceItems service, RequestedItem asked, bool isShared, bool isSnapshot) =>
        Enter(new CachedItem(_items, service, asked.Name.ToArray(), asked.Domain)
        {
            IsShared = isShared,
            IsSnapshot = isSnapshot,
            IsPrivate = asked.Has(ItemRequestMarks.Private) && service.Source.IsInteractive, // else a form of it is private
            HasNameType = asked.Has(ItemRequestMarks.NameType),
        });

    // Answers a snapshot of an item that no non-interactive provider has published.
    // wire/domains 11
    private void AnswerUncached(int session, CachedItem item, RequestedItem asked)
    {
        if (item.Service.Source.Uncached == UncachedAnswer.Image)
            Send(session, SourceRecord.Answer, item.Slot, asked.Address, EncodeAnswer(item, asked, StreamState.NonStreaming));
        else
            Refuse(session, asked, StateCode.NotFound, "the item is not published"u8);
        if (item.IsSnapshot)
            Free(item);
    }

    private ReadOnlySpan<byte> EncodeUnpublished(DomainType domain, StreamAddress address, bool isPrivate)
    {
        RwfState state = new(StreamState.Open, DataState.Suspect, StateCode.None, "the item is not published yet"u8); // wire/domains 11
        return _statusRoom.AsSpan(0, DomainMsg.EncodeStatus(_statusRoom, domain, address.StreamId, state, isPrivate));
    }

    // Encodes the cached image; for a source without requests, the answer for an item that is not cached.
    private ReadOnlySpan<byte> EncodeAnswer(CachedItem item, RequestedItem asked, StreamState stream) =>
        Encode(item, ItemForms.Of(item, FormOf(asked)), asked.Address.StreamId, StateOfAnswer(item, stream), isSolicited: true, asked.Has(ItemRequestMarks.NameType));

    private static RwfState StateOfAnswer(CachedItem item, StreamState stream) =>
        item.HasImage ? StateOf(item, stream) : new(stream, item.Service.Source.UncachedData);

    private void Refuse(int session, RequestedItem asked, StateCode code, ReadOnlySpan<byte> text) =>
        Refuse(session, asked.Domain, asked.Address, asked.Has(ItemRequestMarks.Private), code, text);

    private void Refuse(int session, DomainType domain, StreamAddress address, bool isPrivate, StateCode code, ReadOnlySpan<byte> text)
    {
        Span<byte> room = stackalloc byte[MaxStatusBytes];
        RwfState state = new(StreamState.Closed, DataState.Suspect, code, text);
        Send(session, SourceRecord.Answer, 0, address, room[..DomainMsg.EncodeStatus(room, domain, address.StreamId, state, isPrivate)]);
    }

    // For one stream, which the session knows by the address before the message.
    private void Send(int session, SourceRecord kind, int slot, StreamAddress address, ReadOnlySpan<byte> message)
    {
        if (!_isStamped[session])
            Stamp(session);
        ByteRing ring = ToSessions[session];
        int bytes = StreamAddress.Bytes + message.Length;
        Span<byte> room = bytes <= ByteRing.MaxRecordBytes ? ring.Begin(bytes) : new byte[bytes];
        address.Write(room);
        message.CopyTo(room[StreamAddress.Bytes..]);
        if (bytes <= ByteRing.MaxRecordBytes)
            ring.End((byte)kind, slot, bytes);
        else
            ring.Add((byte)kind, slot, room);
    }
}
