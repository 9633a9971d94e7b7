using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Notices;

namespace PerfHub.Upstream;

/// <summary>Receives the messages of the items of one source thread: keeps what they say, and sends them to the session threads.</summary>
internal sealed partial class ItemReceiver
{
    private readonly Worker _worker;
    private readonly CounterSet _counters;
    private readonly ItemCache _items;
    private readonly ItemTable _table;
    private readonly FieldMerger _merger;
    private readonly ItemImages _images;
    private readonly Broadcaster _broadcaster;
    private readonly UpdateThrottle _throttle;
    private readonly SnapshotAnswers _snapshots;
    private readonly MessageTranslator _translator = new();

    /// <param name="worker">The worker of the thread.</param>
    /// <param name="items">The items.</param>
    /// <param name="images">Encodes their images.</param>
    /// <param name="broadcaster">Sends messages.</param>
    /// <param name="throttle">Holds updates back.</param>
    /// <param name="snapshots">Answers the requests that wait for an image.</param>
    public ItemReceiver(
        Worker worker, ItemCache items, ItemImages images, Broadcaster broadcaster, UpdateThrottle throttle, SnapshotAnswers snapshots)
    {
        (_worker, _counters, _items, _table, _merger) = (worker, worker.Recording.Counters, items, items.Table, items.Merger);
        (_images, _broadcaster, _throttle, _snapshots) = (images, broadcaster, throttle, snapshots);
    }

    /// <summary>Dispatches an update in its quick form.</summary>
    /// <returns>True while there is space for another message.</returns>
    public bool Receive(ItemRef item, in UpdateHeader update)
    {
        if (_table[item.Slot] == item.Item)
            ReceiveUpdate(item.Slot, update.Message, update.ContainerType, update.IsCached ? update.Payload : default);
        else
            CountUnused(MsgClass.Update);
        return _broadcaster.HasRoom();
    }

    /// <summary>Dispatches any other message of an item.</summary>
    /// <inheritdoc cref="Receive(ItemRef, in UpdateHeader)"/>
    public bool Receive(CachedItem item, scoped in RwfMsg msg)
    {
        if (_table.Has(item))
            ReceiveWhole(item, msg);
        else
            CountUnused(msg.MsgClass);
        return _broadcaster.HasRoom();
    }

    /// <summary>Counts a message for an item that was closed meanwhile.</summary>
    public void CountUnused(MsgClass msgClass)
    {
        (Counter? received, Counter? unused) = msgClass switch
        {
            MsgClass.Refresh => (Counter.RefreshesReceived, default(Counter?)),
            MsgClass.Update => (HubCounter.UpdatesReceived, HubCounter.UpdatesUnwatched),
            MsgClass.Generic => (HubCounter.SourceGenericReceived, Counter.GenericNotSent),
            _ => (default(Counter?), default(Counter?)),
        };
        _counters.Add(received, 1);
        _counters.Add(unused, 1);
    }

    /// <summary>Counts a message that cannot be used.</summary>
    public void Drop(string what)
    {
        if (_counters[Counter.MessagesDropped] == 0)
            _worker.Recording.Notices.Add(HubNotices.SourceMessageIgnored, what);
        _counters.Add(Counter.MessagesDropped, 1);
    }

    /// <summary>Removes a publisher of an item; the item is lost when no other publishes it.</summary>
    public void LosePublisher(CachedItem item)
    {
        if (item.Publishers > 0 || item.IsOver || !_table.Has(item))
            return;
        item.StreamId = 0;
        item.LeftNanos = _worker.Time.NowNanos;
        Suspect(item);
        _items.FreeWhenUnwanted(item);
    }

    /// <summary>Sends the consumers of an item the status that its source is lost; the item stays.</summary>
    public void Suspect(CachedItem item)
    {
        item.Image.IsOk = false;
        if (item.Watchers == 0)
            return;
        Span<byte> room = stackalloc byte[StatusReplies.MaxBytes];
        RwfState state = new(StreamState.Open, DataState.Suspect, StateCode.None, "the source is gone"u8); // wire/domains 11
        _broadcaster.Broadcast(item, SourceRecord.Status, room[..DomainMsg.EncodeStatus(room, item.Domain, 0, state, item.Terms.IsPrivate)]);
    }

    private void ReceiveWhole(CachedItem item, scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                ReceiveRefresh(item, msg);
                break;
            case MsgClass.Update:
                ReceiveFullUpdate(item, msg);
                break;
            case MsgClass.Status:
                ReceiveStatus(item, msg);
                break;
            case MsgClass.Generic:
                _counters.Add(HubCounter.SourceGenericReceived, 1);
                _broadcaster.BroadcastOrCount(item, SourceRecord.Generic, _translator.Translate(item, msg), Counter.GenericNotSent);
                break;
            default:
                Drop($"an unexpected {msg.MsgClass} message");
                break;
        }
    }

    private void ReceiveFullUpdate(CachedItem item, scoped in RwfMsg msg)
    {
        ReceiveUpdate(item.Slot, _translator.Translate(item, msg), msg.ContainerType, msg.Has(UpdateFlags.DoNotCache) ? default : msg.Payload);
    }

    // Reads nothing of the item itself, unless it is an order book, or its updates wait.
    private void ReceiveUpdate(int slot, ReadOnlySpan<byte> message, DataType type, ReadOnlySpan<byte> payload)
    {
        ref ItemState state = ref _table.StateOf(slot);
        CounterSet counters = _counters;
        counters.Add(HubCounter.UpdatesReceived, 1);
        if (!state.IsWatched)
            counters.Add(HubCounter.UpdatesUnwatched, 1);
        ReadOnlySpan<byte> kept = type == state.PayloadType ? payload : default;
        bool isGood = kept.IsEmpty
            || (state.IsOrderBook ? TryKeep(_table[slot]!, kept, replaces: false) : state.Fields.Merge(kept, _merger));
        if (!isGood)
            Drop("an update that cannot be decoded");
        else if (!_throttle.Concerns(state) || !_throttle.TryHoldBack(_table[slot]!, message, kept))
            _broadcaster.Broadcast(state, slot, SourceRecord.Update, message);
    }

    // Orders beyond the limit of a book are left out of its image alone: the message goes on.
    private bool TryKeep(CachedItem item, ReadOnlySpan<byte> payload, bool replaces)
    {
        bool isKept = _items.TryKeep(item, payload, replaces);
        if (isKept && item.HasLeftOut)
            Drop("orders beyond the limit of their book");
        return isKept;
    }

    private void ReceiveStatus(CachedItem item, scoped in RwfMsg msg)
    {
        _counters.Add(Counter.StatusesReceived, 1);
        ReadOnlySpan<byte> ours = _translator.Translate(item, msg);
        if (DomainMsg.EndsStream(msg))
        {
            EndItem(item, ours);
            return;
        }

        if (msg.Has(StatusFlags.HasState))
            item.Image.Receive(msg.State.DataState);
        _broadcaster.Broadcast(item, SourceRecord.Status, ours);
    }

    // Nothing more will arrive; the session threads remove its watchers and report each (Unwatch).
    private void EndItem(CachedItem item, ReadOnlySpan<byte> message)
    {
        if (item.IsOver)
            return;
        _throttle.ForwardWaiting(item);
        if (item.Terms.IsShared)
            _table.Hide(item);
        item.IsOver = true;
        item.Service.Source.Remove(item);
        _broadcaster.Broadcast(item, SourceRecord.Final, message);
        if (item.Snapshots is not null)
            item.Snapshots.FinalMessage = message.ToArray();
        _snapshots.Answer(item);
        if (item.Watchers == 0 && item.Snapshots is null && _table.Has(item))
            _items.Free(item);
    }
}
