using HubPerf.Rings;
using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <content>Items, and what comes for them but images.</content>
internal sealed partial class SourceHost
{
    private readonly Dictionary<ushort, ServiceItems> _byService = [];
    private readonly List<CachedItem?> _items = [];
    private readonly Segments<ItemState> _states = new(); // by the slots of the items
    private readonly Stack<int> _freeSlots = new();
    private byte[] _translatedRoom = [];
    private int _itemCount;
    private long _itemBytes;

    /// <summary>Offers a service of a source; its items are known by the id that the hub gives it.</summary>
    /// <returns>Null when another source has one of that name.</returns>
    public ServiceItems? Offer(HubService service, ItemSource source)
    {
        if (_services.Offer(service) is not { } offered)
            return null;
        if (!_byService.TryGetValue(offered.Id, out ServiceItems? items))
            _byService.Add(offered.Id, items = new ServiceItems(offered, source));
        return items;
    }

    /// <summary>Its items of a service by the hub's id; null when it is another thread's, or nobody's.</summary>
    public ServiceItems? FindService(ushort id)
    {
        if (_byService.TryGetValue(id, out ServiceItems? items))
            return items;
        if (!_services.Current.ById.TryGetValue(id, out HubService? service) || !service.IsPublished)
            return null;
        _byService.Add(id, items = new ServiceItems(service, Publishers));
        return items;
    }

    /// <summary>The items of a service of this thread; null when it is another thread's, or nobody's.</summary>
    public ServiceItems? FindService(string name) => _byService.Values.FirstOrDefault(items => items.Service.Offer.Name == name);

    /// <summary>Has a source of this thread that has the service, too, take its items over.</summary>
    public void HandOver(ServiceItems service) => _ = _sources.OfType<UpstreamSource>().Any(standby => standby.TryTakeOver(service));

    /// <summary>Says that a service has no source any more.</summary>
    public void SetDown(ServiceItems service) => _services.Change(service.Service.Id, known => known.Down());

    /// <summary>True while the item is in the cache.</summary>
    public bool Has(CachedItem item) => _items[item.Slot] == item;

    /// <summary>Enters a shared item that a provider publishes.</summary>
    public CachedItem Create(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain)
    {
        CachedItem item = new(TakeSlot(), _states, service, name.ToArray(), domain) { IsShared = true };
        Enter(item);
        return item;
    }

    /// <summary>A slot for an item that is about to be entered.</summary>
    private int TakeSlot()
    {
        if (_freeSlots.Count > 0)
            return _freeSlots.Pop();
        _items.Add(null);
        _states.Reserve(_items.Count);
        return _items.Count - 1;
    }

    /// <summary>Enters an item at its slot.</summary>
    private void Enter(CachedItem item)
    {
        _items[item.Slot] = item;
        item.Enter();
        _itemCount++;
        _itemBytes += CachedItem.OverheadBytes + item.Name.Length;
        if (item.IsShared)
            item.Service.Add(item);
    }

    /// <summary>Takes an update in its quick form.</summary>
    /// <returns>True while there is room for another message.</returns>
    public bool Take(ItemRef item, in UpdateHeader update)
    {
        if (_items[item.Slot] == item.Item)
            TakeUpdate(item.Slot, update.Message, update.ContainerType, update.IsCached ? update.Payload : default);
        else
            PassOver(MsgClass.Update);
        return HasRoom();
    }

    /// <summary>Takes any other message of an item.</summary>
    /// <inheritdoc cref="Take(ItemRef, in UpdateHeader)"/>
    public bool Take(CachedItem item, scoped in RwfMsg msg)
    {
        if (Has(item))
            TakeWhole(item, msg);
        else
            PassOver(msg.MsgClass);
        return HasRoom();
    }

    private void TakeWhole(CachedItem item, scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                TakeRefresh(item, msg);
                break;
            case MsgClass.Update:
                TakeFullUpdate(item, msg);
                break;
            case MsgClass.Status:
                TakeStatus(item, msg);
                break;
            case MsgClass.Generic:
                Worker.Recording.Counters.Add(Counter.SourceGenericReceived, 1);
                BroadcastOrCount(item, SourceRecord.Generic, InOurTerms(item, msg), Counter.GenericNotSent);
                break;
            default:
                Drop($"an unexpected {msg.MsgClass} message");
                break;
        }
    }

    /// <summary>Hands a message to every session thread at which the item is watched.</summary>
    public void Broadcast(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message) => Broadcast(item.Slot, kind, message);

    private void Broadcast(int slot, SourceRecord kind, ReadOnlySpan<byte> message)
    {
        ref ItemState state = ref _states[slot];
        int rings = 0;
        for (int session = 0; session < ToSessions.Length; session++)
        {
            if (!state.IsWatchedAt(session))
                continue;
            rings++;
            ByteRing ring = ToSessions[session];
            if (!_isStamped[session])
                Stamp(session);
            ring.Add((byte)kind, slot, message);
        }

        if (rings > 1)
            Worker.Recording.Counters.Add(kind.Copies(), rings - 1);
    }

    // Nobody watches an item that stays in the cache: the message is counted as one that goes nowhere.
    private void BroadcastOrCount(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message, Counter unused)
    {
        if (item.Watchers == 0)
            Worker.Recording.Counters.Add(unused, 1);
        Broadcast(item, kind, message);
    }

    /// <summary>Counts a message for an item that was closed meanwhile.</summary>
    public void PassOver(MsgClass msgClass)
    {
        (Counter? received, Counter? unused) = msgClass switch
        {
            MsgClass.Refresh => (Counter.RefreshesReceived, default(Counter?)),
            MsgClass.Update => (Counter.UpdatesReceived, Counter.UpdatesUnwatched),
            MsgClass.Generic => (Counter.SourceGenericReceived, Counter.GenericNotSent),
            _ => default,
        };
        Worker.Recording.Counters.Add(received, 1);
        Worker.Recording.Counters.Add(unused, 1);
    }

    /// <summary>Counts a message that is of no use.</summary>
    public void Drop(string what)
    {
        if (Worker.Recording.Counters[Counter.MessagesDropped] == 0)
            Worker.Recording.Notices.Add($"Ignored {what} of a source; further messages are only counted.");
        Worker.Recording.Counters.Add(Counter.MessagesDropped, 1);
    }

    /// <summary>Tells the consumers of an item that it has no source any more; it stays.</summary>
    public void Suspect(CachedItem item)
    {
        Span<byte> room = stackalloc byte[MaxStatusBytes];
        RwfState state = new(StreamState.Open, DataState.Suspect, StateCode.None, "the source is gone"u8); // wire/domains 11
        Broadcast(item, SourceRecord.Status, room[..DomainMsg.EncodeStatus(room, item.Domain, 0, state)]);
    }

    /// <summary>Forgets an item that nobody watches.</summary>
    public void Free(CachedItem item)
    {
        if (item.IsShared && !item.IsOver)
            item.Service.Remove(item);
        _items[item.Slot] = null;
        _freeSlots.Push(item.Slot);
        _itemCount--;
        _itemBytes -= CachedItem.OverheadBytes + item.Name.Length + item.BookBytes;
        item.Free(Merger);
    }

    // False when the bytes cannot be decoded, or have no room.
    private bool TryKeep(CachedItem item, ReadOnlySpan<byte> payload, bool replaces)
    {
        int before = item.BookBytes;
        bool isKept = replaces ? item.Replace(payload, Merger) : item.Merge(payload, Merger);
        _itemBytes += item.BookBytes - before;
        return isKept;
    }

    // A message that names its service by the source's id, where the hub's is another.
    private ReadOnlySpan<byte> InOurTerms(CachedItem item, scoped in RwfMsg msg)
    {
        ushort id = item.Service.Service.Id;
        if (!msg.Has(HeaderBits.Of(msg.MsgClass).Key) || !msg.Key.Has(MsgKeyFlags.HasServiceId) || msg.Key.ServiceId == id)
            return msg.Message;
        int maxBytes = msg.Message.Length + MaxStatusBytes;
        if (_translatedRoom.Length < maxBytes)
            _translatedRoom = new byte[maxBytes];
        RwfMsg translated = msg;
        MsgKey key = msg.Key;
        key.ServiceId = id;
        translated.Key = key;
        RwfWriter writer = new(_translatedRoom);
        writer.TryWriteHeader(translated);
        writer.WriteRaw(msg.Payload);
        return _translatedRoom.AsSpan(0, writer.Written);
    }

    private void Stamp(int session)
    {
        _isStamped[session] = true;
        System.Buffers.Binary.BinaryPrimitives.WriteInt64LittleEndian(ToSessions[session].Begin(sizeof(long)), _receivedNanos);
        ToSessions[session].End((byte)SourceRecord.Received, 0, sizeof(long));
    }

    private void TakeFullUpdate(CachedItem item, scoped in RwfMsg msg)
    {
        TakeUpdate(item.Slot, InOurTerms(item, msg), msg.ContainerType, msg.Has(UpdateFlags.DoNotCache) ? default : msg.Payload);
    }

    // Of the item itself nothing is touched but where it is an order book, or its updates wait.
    private void TakeUpdate(int slot, ReadOnlySpan<byte> message, DataType type, ReadOnlySpan<byte> payload)
    {
        ref ItemState state = ref _states[slot];
        CounterSet counters = Worker.Recording.Counters;
        counters.Add(Counter.UpdatesReceived, 1);
        if (!state.IsWatched)
            counters.Add(Counter.UpdatesUnwatched, 1);
        ReadOnlySpan<byte> kept = type == state.PayloadType ? payload : default;
        bool isGood = kept.IsEmpty
            || (state.IsOrderBook ? TryKeep(_items[slot]!, kept, replaces: false) : state.Fields.Merge(kept, Merger));
        if (!isGood)
            Drop("an update that cannot be decoded");
        else if (!IsThrottled(state) || !TryHoldBack(_items[slot]!, message, kept))
            Broadcast(slot, SourceRecord.Update, message);
    }

    private void TakeStatus(CachedItem item, scoped in RwfMsg msg)
    {
        Worker.Recording.Counters.Add(Counter.StatusesReceived, 1);
        if (DomainMsg.EndsStream(msg))
        {
            EndItem(item, InOurTerms(item, msg));
            return;
        }

        if (msg.Has(StatusFlags.HasState))
            item.IsOk = msg.State.DataState switch { DataState.Ok => true, DataState.Suspect => false, _ => item.IsOk };
        Broadcast(item, SourceRecord.Status, InOurTerms(item, msg));
    }

    // Nothing more will come; session threads take its watchers out and say so for each.
    private void EndItem(CachedItem item, ReadOnlySpan<byte> message)
    {
        if (item.IsOver)
            return;
        HandOnWaiting(item);
        if (item.IsShared)
            item.Service.Remove(item);
        item.IsOver = true;
        item.Service.Source.Forget(item);
        Broadcast(item, SourceRecord.Final, message);
        if (item.Snapshots is not null)
            item.FinalMessage = message.ToArray();
        AnswerSnapshots(item);
        if (item.Watchers == 0 && item.Snapshots is null && Has(item))
            Free(item);
    }
}
