using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <content>Handles items, and all their messages but images.</content>
internal sealed partial class UpstreamThread
{
    private readonly Dictionary<ushort, ServiceItems> _byService = [];
    private readonly ItemTable _items = new();
    private byte[] _translatedRoom = [];
    private long _itemBytes; // without fields, which the store counts

    /// <summary>Number of slots of items, for loops over all of them.</summary>
    public int SlotCount => _items.SlotCount;

    /// <summary>Bytes of all items.</summary>
    public long HeldBytes => _itemBytes + _forms.HeldBytes + Merger.Store.UsedBytes;

    /// <summary>Returns the item of a slot; null for none.</summary>
    public CachedItem? ItemAt(int slot) => _items[slot];

    /// <summary>Offers services of a source; their items are known by the ids that the hub gives them.</summary>
    /// <returns>Null for each service that another source has.</returns>
    public IReadOnlyList<ServiceItems?> Offer(IReadOnlyList<HubService> services, ItemSource source) =>
        [.. Services.Offer(services).Select(offered => offered is null ? null : ItemsOf(offered, source))];

    /// <summary>Finds this thread's items of a service; null when the service is another thread's, or has no source.</summary>
    public ServiceItems? FindService(ServiceKey key)
    {
        if (_byService.TryGetValue(key.Id, out ServiceItems? items) && items.Service.Key == key)
            return items;
        return Services.Find(key) is { IsPublished: true } service ? new ServiceItems(service, Publishers) : null;
    }

    /// <summary>Finds this thread's items of a service by its name; null when the service is another thread's, or has no source.</summary>
    public ServiceItems? FindService(string name) =>
        Services.Find(name) is { } service && _byService.TryGetValue(service.Id, out ServiceItems? items) && items.Service.Key == service.Key
            ? items : null;

    /// <summary>Moves services without a source to other sources of this thread that have them, too.</summary>
    public void FailOver()
    {
        foreach (UpstreamSource standby in _sources.OfType<UpstreamSource>())
            standby.TakeOverLost();
    }

    /// <summary>Marks services as without a source.</summary>
    public void SetDown(IReadOnlyList<ServiceItems> services)
    {
        Services.SetDown(services.Select(service => service.Service), Worker.Time.NowNanos);
        foreach (ServiceItems service in services)
            RemoveUnused(service);
    }

    /// <summary>True while the item is in the cache.</summary>
    public bool Has(CachedItem item) => _items.Has(item);

    /// <summary>Adds a shared item that a provider publishes.</summary>
    public CachedItem Create(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain) =>
        Enter(new CachedItem(_items, service, name.ToArray(), domain) { IsShared = true });

    /// <summary>Counts a publisher of a shared item, which is created when it does not exist.</summary>
    public CachedItem Publish(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain)
    {
        CachedItem item = _items.Find(service, name, domain) ?? Create(service, name, domain);
        item.Publishers++;
        item.LeftNanos = null;
        return item;
    }

    /// <summary>Removes a publisher of an item; the item is lost when no other publishes it.</summary>
    public void LosePublisher(CachedItem item)
    {
        if (item.Publishers > 0 || item.IsOver || !Has(item))
            return;
        item.StreamId = 0;
        item.LeftNanos = Worker.Time.NowNanos;
        Suspect(item);
        FreeWhenUnwanted(item);
    }

    private ServiceItems ItemsOf(HubService service, ItemSource source)
    {
        if (_byService.TryGetValue(service.Id, out ServiceItems? known) && known.Service.Key == service.Key)
            return known;
        return _byService[service.Id] = new ServiceItems(service, source);
    }

    private CachedItem Enter(CachedItem item)
    {
        _items.Enter(item);
        _itemBytes += item.HeldBytes;
        if (item.Service.Count++ > 0)
            return item;
        Services.Hold(item.Service.Service);
        _byService[item.Service.Service.Id] = item.Service;
        return item;
    }

    // A service without items is known while its source has it.
    private void RemoveUnused(ServiceItems service)
    {
        HubService of = service.Service;
        if (service.Count == 0 && (of.IsPublished || Services.Find(of.Key) is null) && _byService.GetValueOrDefault(of.Id) == service)
            _byService.Remove(of.Id);
    }

    /// <summary>Dispatches an update in its quick form.</summary>
    /// <returns>True while there is space for another message.</returns>
    public bool Receive(ItemRef item, in UpdateHeader update)
    {
        if (_items[item.Slot] == item.Item)
            ReceiveUpdate(item.Slot, update.Message, update.ContainerType, update.IsCached ? update.Payload : default);
        else
            CountUnused(MsgClass.Update);
        return HasRoom();
    }

    /// <summary>Dispatches any other message of an item.</summary>
    /// <inheritdoc cref="Receive(ItemRef, in UpdateHeader)"/>
    public bool Receive(CachedItem item, scoped in RwfMsg msg)
    {
        if (Has(item))
            ReceiveWhole(item, msg);
        else
            CountUnused(msg.MsgClass);
        return HasRoom();
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
                Worker.Recording.Counters.Add(Counter.SourceGenericReceived, 1);
                BroadcastOrCount(item, SourceRecord.Generic, InOurTerms(item, msg), Counter.GenericNotSent);
                break;
            default:
                Drop($"an unexpected {msg.MsgClass} message");
                break;
        }
    }

    /// <summary>Sends a message to every session thread with watchers of the item.</summary>
    public void Broadcast(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message) =>
        Broadcast(_items.StateOf(item.Slot), item.Slot, kind, message);

    private void Broadcast(in ItemState state, int slot, SourceRecord kind, ReadOnlySpan<byte> message)
    {
        int rings = AddToRings(state, slot, kind, message);
        if (state.HasForms)
            rings += BroadcastForms(_items[slot]!, kind, message);
        if (rings > 1)
            Worker.Recording.Counters.Add(kind.Copies(), rings - 1);
        else if (rings == 0 && kind == SourceRecord.Update && state.IsWatched)
            Worker.Recording.Counters.Add(Counter.UpdatesUnwatched, 1); // none of its fields is in any view
    }

    // Encoded once for each form. An image is for the item itself: each form has its own.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int BroadcastForms(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message)
    {
        int rings = 0;
        foreach (CachedItem form in item.Forms!)
        {
            ReadOnlySpan<byte> shaped = kind == SourceRecord.Image && item.PassThrough is null
                ? EncodeImage(form, 0, StreamState.Open, isSolicited: false, item.HasNameType) : _forms.Shape(form, message);
            if (!shaped.IsEmpty)
                rings += AddToRings(_items.StateOf(form.Slot), form.Slot, kind, shaped);
        }

        return rings;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int AddToRings(in ItemState state, int slot, SourceRecord kind, ReadOnlySpan<byte> message)
    {
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

        return rings;
    }

    // A message without watchers, of an item that stays in the cache, is counted as not delivered.
    private void BroadcastOrCount(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message, Counter unused)
    {
        if (item.Watchers == 0)
            Worker.Recording.Counters.Add(unused, 1);
        Broadcast(item, kind, message);
    }

    /// <summary>Counts a message for an item that was closed meanwhile.</summary>
    public void CountUnused(MsgClass msgClass)
    {
        (Counter? received, Counter? unused) = msgClass switch
        {
            MsgClass.Refresh => (Counter.RefreshesReceived, default(Counter?)),
            MsgClass.Update => (Counter.UpdatesReceived, Counter.UpdatesUnwatched),
            MsgClass.Generic => (Counter.SourceGenericReceived, Counter.GenericNotSent),
            _ => (default(Counter?), default(Counter?)),
        };
        Worker.Recording.Counters.Add(received, 1);
        Worker.Recording.Counters.Add(unused, 1);
    }

    /// <summary>Counts a message that cannot be used.</summary>
    public void Drop(string what)
    {
        if (Worker.Recording.Counters[Counter.MessagesDropped] == 0)
            Worker.Recording.Notices.Add("Ignored", $"Ignored {what} of a source; further messages are only counted.");
        Worker.Recording.Counters.Add(Counter.MessagesDropped, 1);
    }

    /// <summary>Sends the consumers of an item the status that its source is lost; the item stays.</summary>
    public void Suspect(CachedItem item)
    {
        item.IsOk = false;
        if (item.Watchers == 0)
            return;
        Span<byte> room = stackalloc byte[MaxStatusBytes];
        RwfState state = new(StreamState.Open, DataState.Suspect, StateCode.None, "the source is gone"u8); // wire/domains 11
        Broadcast(item, SourceRecord.Status, room[..DomainMsg.EncodeStatus(room, item.Domain, 0, state, item.IsPrivate)]);
    }

    /// <summary>Removes an item without watchers.</summary>
    public void Free(CachedItem item)
    {
        if (item.IsShared && !item.IsOver)
            _items.Hide(item);
        _itemBytes -= item.HeldBytes;
        item.Free(Merger);
        _items.Remove(item);
        if (--item.Service.Count > 0)
            return;
        Services.Release(item.Service.Service, Worker.Time.NowNanos);
        RemoveUnused(item.Service);
    }

    // Removes an item without watchers or publishers; its image is kept for a time before.
    private void FreeWhenUnwanted(CachedItem item)
    {
        if (item.IsUnwanted && (_settings.Memory.IsTight || !_unwanted.TryKeep(item, Worker.Time.NowNanos)))
            Free(item);
    }

    private void FreeUnwanted(long nowNanos)
    {
        bool isTight = _settings.Memory.IsTight;
        for (int i = 0; i < MaxRecordsPerTurn; i++)
        {
            if (!(isTight ? _unwanted.TryDequeueAny(out CachedItem? item) : _unwanted.TryDequeueDue(nowNanos, out item)))
                return;
            if (item is not null)
                Free(item);
        }
    }

    // False when the bytes cannot be decoded, or do not fit.
    private bool TryKeep(CachedItem item, ReadOnlySpan<byte> payload, bool replaces)
    {
        int before = item.HeldBytes;
        bool isKept = replaces ? item.Replace(payload, Merger) : item.Merge(payload, Merger);
        _itemBytes += item.HeldBytes - before;
        return isKept;
    }

    // Translates a message with the source's service id, where the hub's differs, or without the flag of its private stream.
    private ReadOnlySpan<byte> InOurTerms(CachedItem item, scoped in RwfMsg msg)
    {
        ushort id = item.Service.Service.Id;
        bool namesAnother = msg.Has(HeaderBits.Of(msg.MsgClass).Key) && msg.Key.Has(MsgKeyFlags.HasServiceId) && msg.Key.ServiceId != id;
        int missing = item.IsPrivate ? ItemForms.PrivateFlagOf(msg.MsgClass) & ~msg.Flags : 0;
        if (!namesAnother && missing == 0)
            return msg.Message;
        int maxBytes = msg.Message.Length + MaxStatusBytes;
        if (_translatedRoom.Length < maxBytes)
            _translatedRoom = new byte[maxBytes];
        RwfMsg translated = msg;
        translated.Flags |= missing;
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

    private void ReceiveFullUpdate(CachedItem item, scoped in RwfMsg msg)
    {
        ReceiveUpdate(item.Slot, InOurTerms(item, msg), msg.ContainerType, msg.Has(UpdateFlags.DoNotCache) ? default : msg.Payload);
    }

    // Reads nothing of the item itself, unless it is an order book, or its updates wait.
    private void ReceiveUpdate(int slot, ReadOnlySpan<byte> message, DataType type, ReadOnlySpan<byte> payload)
    {
        ref ItemState state = ref _items.StateOf(slot);
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
            Broadcast(state, slot, SourceRecord.Update, message);
    }

    private void ReceiveStatus(CachedItem item, scoped in RwfMsg msg)
    {
        Worker.Recording.Counters.Add(Counter.StatusesReceived, 1);
        ReadOnlySpan<byte> ours = InOurTerms(item, msg);
        if (DomainMsg.EndsStream(msg))
        {
            EndItem(item, ours);
            return;
        }

        if (msg.Has(StatusFlags.HasState))
            item.IsOk = msg.State.DataState switch { DataState.Ok => true, DataState.Suspect => false, _ => item.IsOk };
        Broadcast(item, SourceRecord.Status, ours);
    }

    // Nothing more will arrive; the session threads remove its watchers and report each (Unwatch).
    private void EndItem(CachedItem item, ReadOnlySpan<byte> message)
    {
        if (item.IsOver)
            return;
        ForwardWaiting(item);
        if (item.IsShared)
            _items.Hide(item);
        item.IsOver = true;
        item.Service.Source.Remove(item);
        Broadcast(item, SourceRecord.Final, message);
        if (item.Snapshots is not null)
            item.FinalMessage = message.ToArray();
        AnswerSnapshots(item);
        if (item.Watchers == 0 && item.Snapshots is null && Has(item))
            Free(item);
    }
}
