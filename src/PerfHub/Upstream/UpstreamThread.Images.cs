using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <content>Handles images: those received, and those sent from the cache.</content>
internal sealed partial class UpstreamThread
{
    private readonly ImageEncoder _images = new();
    private readonly Queue<CachedItem> _toAnswer = new();
    private readonly List<(int ConsumerIndex, StreamAddress Address)> _answered = [];

    private void ReceiveRefresh(CachedItem item, scoped in RwfMsg msg)
    {
        Worker.Recording.Counters.Add(Counter.RefreshesReceived, 1);
        if (item.PassThrough is { } passed)
        {
            ReceivePassThrough(item, passed, msg);
            return;
        }

        ForwardWaiting(item);
        if (DomainMsg.EndsStream(msg))
        {
            EndItem(item, InOurTerms(item, msg));
            return;
        }

        bool isOk = msg.State.DataState == DataState.Ok;
        bool replaces = !item.HasImage || msg.Has(RefreshFlags.ClearCache) || (isOk && !item.IsOk); // wire/domains 11
        bool isTaken = !HasStopped && msg.ContainerType == _items.StateOf(item.Slot).PayloadType
            && TryKeep(item, msg.Payload, replaces);
        if (!isTaken)
        {
            Drop("a refresh that cannot be decoded");
            return;
        }

        item.HasImage = true;
        item.IsOk = isOk;
        if (msg.Has(RefreshFlags.HasQos))
            item.Qos = msg.Qos;
        if (!msg.Has(RefreshFlags.RefreshComplete))
            return; // a part
        if (item.Watchers > 0)
            Broadcast(item, SourceRecord.Image, EncodeImage(item, 0, StreamState.Open, isSolicited: false, item.HasNameType));
        AnswerSnapshots(item);
    }

    // As far as the rings have space.
    private void AnswerSnapshots(CachedItem item)
    {
        if (item.Snapshots is not { } waiting)
            return;
        foreach (((int session, StreamAddress address), ItemForm form) in waiting)
        {
            if (!HasRoom())
                break;
            ReadOnlySpan<byte> answer = item.IsOver ? FinalMessageOf(item, form)
                : Encode(item, form, address.StreamId, StateOf(item, StreamState.NonStreaming), isSolicited: true, item.HasNameType);
            Send(session, SourceRecord.Answer, item.Slot, address, answer);
            _answered.Add((session, address));
        }

        _answered.ForEach(one => waiting.Remove(one));
        _answered.Clear();
        if (waiting.Count > 0)
            _toAnswer.Enqueue(item);
        else
            EndSnapshots(item);
    }

    private ReadOnlySpan<byte> FinalMessageOf(CachedItem item, ItemForm form) =>
        form.IsPrivate && RwfMsg.TryDecode(item.FinalMessage, out RwfMsg final) == DecodeResult.Success ? _forms.AsPrivate(final) : item.FinalMessage;

    private void EndSnapshots(CachedItem item)
    {
        item.Snapshots = null;
        Leave(item);
    }

    private void AnswerWaiting()
    {
        while (_toAnswer.Count > 0 && HasRoom())
            AnswerSnapshots(_toAnswer.Dequeue());
    }

    // Encodes the image of an item, or of a form of it.
    private ReadOnlySpan<byte> EncodeImage(CachedItem watched, int streamId, StreamState stream, bool isSolicited, bool hasNameType) =>
        Encode(watched.Of ?? watched, watched.Form, streamId, StateOf(watched.Of ?? watched, stream), isSolicited, hasNameType);

    private static RwfState StateOf(CachedItem item, StreamState stream) => new(stream, item.IsOk ? DataState.Ok : DataState.Suspect);

    private ReadOnlySpan<byte> Encode(CachedItem item, ItemForm form, int streamId, scoped in RwfState state, bool isSolicited, bool hasNameType) =>
        _images.Encode(
            new ImageHead
            {
                StreamId = streamId,
                Domain = item.Domain,
                ServiceId = item.Service.Service.Id,
                Name = item.Name,
                HasNameType = hasNameType,
                IsSolicited = isSolicited,
                IsPrivate = item.IsPrivate || form.IsPrivate,
                State = state,
                Qos = item.Qos,
            },
            form.IsStandby ? _forms.BlankOf(item.Domain) : item.Read(Merger), form.IsStandby ? null : form.View);
}
