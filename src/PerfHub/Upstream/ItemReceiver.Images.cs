using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <content>Receives images: those kept field by field, and those passed on unread.</content>
internal sealed partial class ItemReceiver
{
    private void ReceiveRefresh(CachedItem item, scoped in RwfMsg msg)
    {
        _counters.Add(Counter.RefreshesReceived, 1);
        if (item.PassThrough is { } passed)
        {
            ReceivePassThrough(item, passed, msg);
            return;
        }

        _throttle.ForwardWaiting(item);
        if (DomainMsg.EndsStream(msg))
        {
            EndItem(item, _translator.Translate(item, msg));
            return;
        }

        bool isOk = msg.State.DataState == DataState.Ok;
        bool replaces = !item.Image.Exists || msg.Has(RefreshFlags.ClearCache) || (isOk && !item.Image.IsOk); // wire/domains 11
        bool isTaken = !_items.HasStopped && msg.ContainerType == _table.StateOf(item.Slot).PayloadType
            && TryKeep(item, msg.Payload, replaces);
        if (!isTaken)
        {
            Drop("a refresh that cannot be decoded");
            return;
        }

        (item.Image.Exists, item.Image.IsOk, item.Image.IsPartial) = (true, isOk, !msg.Has(RefreshFlags.RefreshComplete));
        if (msg.Has(RefreshFlags.HasQos) && msg.Qos.IsSpecified)
            item.Image.Qos = msg.Qos;
        if (item.Image.IsPartial)
            return;
        if (item.Watchers > 0)
        {
            _broadcaster.Broadcast(
                item, SourceRecord.Image, _images.EncodeImage(item, 0, StreamState.Open, isSolicited: false, item.Terms.HasNameType));
        }

        _snapshots.Answer(item);
    }

    // Refreshes are passed on unchanged, except for the Solicited flag where no consumer waits for an answer.
    private void ReceivePassThrough(CachedItem item, PassThroughStream passed, scoped in RwfMsg msg)
    {
        bool isLast = msg.Has(RefreshFlags.RefreshComplete);
        bool isShared = item.Terms.IsShared;
        if (DomainMsg.EndsStream(msg) || (isLast && !isShared && (item.Terms.IsSnapshot || msg.State.StreamState == StreamState.NonStreaming)))
        {
            EndItem(item, _translator.Translate(item, msg));
            return;
        }

        int before = item.HeldBytes;
        bool isKept = !isShared || (!_items.HasStopped && passed.TryKeep(msg));
        _items.CountBytes(item.HeldBytes - before);
        if (!isKept)
            Drop("an image that is too large to be kept");
        item.Image.Exists = isShared ? passed.HasImage : item.Image.Exists || isLast;
        item.Image.IsOk = msg.State.DataState != DataState.Suspect;
        bool removesSolicited = !passed.IsAwaited && msg.Has(RefreshFlags.Solicited);
        passed.IsAwaited &= !isLast;
        BroadcastPassed(item, msg, removesSolicited);
    }

    private void BroadcastPassed(CachedItem item, scoped in RwfMsg msg, bool removesSolicited)
    {
        ReadOnlySpan<byte> ours = _translator.Translate(item, msg);
        if (!removesSolicited)
        {
            _broadcaster.Broadcast(item, SourceRecord.Image, ours);
            return;
        }

        byte[] copy = ours.ToArray();
        MsgPatch.RemoveFlags(copy, RefreshFlags.Solicited);
        _broadcaster.Broadcast(item, SourceRecord.Image, copy);
    }
}
