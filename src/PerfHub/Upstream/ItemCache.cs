using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Notices;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The items of one source thread and their services: how they are added, what they use, and when they are removed.</summary>
/// <remarks>It sends nothing. One owner thread.</remarks>
internal sealed class ItemCache
{
    private const long LookBytes = 1 << 20; // change of the items' bytes after which the memory is checked again

    private readonly Worker _worker;
    private readonly SourceSettings _settings;
    private readonly Dictionary<ushort, ServiceItems> _byService = [];
    private readonly UnwantedItems _unwanted;
    private long _itemBytes; // without fields, which the store counts
    private long _bytesAtLook;
    private long _droppedFields; // dropped fields already counted

    /// <param name="worker">The worker of the thread.</param>
    /// <param name="settings">The settings that all source threads share.</param>
    public ItemCache(Worker worker, SourceSettings settings)
    {
        (_worker, _settings) = (worker, settings);
        _unwanted = new UnwantedItems(settings.KeepImagesNanos);
        Forms = new ItemForms(Table);
        Merger = new FieldMerger(new FieldLimit(settings.MaxFields));
        Publishers = new NiSource(settings.Uncached);
    }

    /// <summary>The items by their slots and names.</summary>
    public ItemTable Table { get; } = new();

    public ItemForms Forms { get; }

    public FieldMerger Merger { get; }

    /// <summary>The source of non-interactive providers, for their items in this thread.</summary>
    public NiSource Publishers { get; }

    public ServiceTable Services => _settings.Services;

    /// <summary>True once nothing more is kept: the run ends for lack of memory.</summary>
    public bool HasStopped => _settings.Memory.HasEnded;

    /// <summary>Bytes of all items.</summary>
    public long HeldBytes => _itemBytes + Forms.HeldBytes + Merger.Store.UsedBytes;

    /// <summary>When it must free items at the latest; far in the future for never.</summary>
    public long NextDueNanos => _unwanted.NextDueNanos;

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

    /// <summary>Marks services as without a source.</summary>
    public void SetDown(IReadOnlyList<ServiceItems> services)
    {
        Services.SetDown(services.Select(service => service.Service), _worker.Time.NowNanos);
        foreach (ServiceItems service in services)
            RemoveUnused(service);
    }

    /// <summary>Adds an item at its slot.</summary>
    public CachedItem Enter(CachedItem item)
    {
        Table.Enter(item);
        _itemBytes += item.HeldBytes;
        if (item.Service.Count++ > 0)
            return item;
        Services.Hold(item.Service.Service);
        _byService[item.Service.Service.Id] = item.Service;
        return item;
    }

    /// <summary>Adds a shared item that a provider publishes.</summary>
    public CachedItem Create(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain) =>
        Enter(new CachedItem(Table, service, name.ToArray(), domain) { Terms = new() { IsShared = true } });

    /// <summary>Adds an item that a consumer requests.</summary>
    public CachedItem Create(ServiceItems service, RequestedItem asked, bool isShared, bool isSnapshot) =>
        Enter(new CachedItem(Table, service, asked.Name.ToArray(), asked.Domain)
        {
            Terms = new()
            {
                IsShared = isShared,
                IsSnapshot = isSnapshot,
                IsPrivate = asked.Has(ItemRequestMarks.Private) && service.Source.IsInteractive, // else a form of it is private
                HasNameType = asked.Has(ItemRequestMarks.NameType),
            },
        });

    /// <summary>Counts a publisher of a shared item, which is created when it does not exist.</summary>
    public CachedItem Publish(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain)
    {
        CachedItem item = Table.Find(service, name, domain) ?? Create(service, name, domain);
        item.Publishers++;
        item.LeftNanos = null;
        return item;
    }

    /// <summary>Replaces the last values of an item by an image, or merges an update into them.</summary>
    /// <returns>False when the bytes cannot be decoded, or do not fit.</returns>
    public bool TryKeep(CachedItem item, ReadOnlySpan<byte> payload, bool replaces)
    {
        int before = item.HeldBytes;
        bool isKept = replaces ? item.Replace(payload, Merger) : item.Merge(payload, Merger);
        _itemBytes += item.HeldBytes - before;
        return isKept;
    }

    /// <summary>Counts a change of the bytes that an item holds besides its fields.</summary>
    public void CountBytes(int change) => _itemBytes += change;

    /// <summary>Handles an item that lost a watcher or a request.</summary>
    public void Leave(CachedItem item)
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

    /// <summary>Removes an item without watchers.</summary>
    public void Free(CachedItem item)
    {
        if (item.Terms.IsShared && !item.IsOver)
            Table.Hide(item);
        _itemBytes -= item.HeldBytes;
        item.Free(Merger);
        Table.Remove(item);
        if (--item.Service.Count > 0)
            return;
        Services.Release(item.Service.Service, _worker.Time.NowNanos);
        RemoveUnused(item.Service);
    }

    /// <summary>Removes an item without watchers or publishers; its image is kept for a time before.</summary>
    public void FreeWhenUnwanted(CachedItem item)
    {
        if (item.IsUnwanted && (_settings.Memory.IsTight || !_unwanted.TryKeep(item, _worker.Time.NowNanos)))
            Free(item);
    }

    /// <summary>Removes items whose images were kept long enough, some in each turn.</summary>
    public void FreeUnwanted()
    {
        if (_unwanted.Count == 0)
            return;
        long nowNanos = _worker.Time.NowNanos;
        bool isTight = _settings.Memory.IsTight;
        for (int i = 0; i < UpstreamThread.MaxRecordsPerTurn; i++)
        {
            if (!(isTight ? _unwanted.TryDequeueAny(out CachedItem? item) : _unwanted.TryDequeueDue(nowNanos, out item)))
                return;
            if (item is not null)
                Free(item);
        }
    }

    /// <summary>Ends a turn: checks the memory after a large change, and counts the fields that were not kept.</summary>
    public void EndTurn()
    {
        Merger.Trim();
        if (HeldBytes - _bytesAtLook is > LookBytes or < -LookBytes)
        {
            _bytesAtLook = HeldBytes;
            _settings.Memory.Look();
        }

        long dropped = Merger.Limit.Dropped - _droppedFields;
        if (dropped == 0)
            return;
        if (_droppedFields == 0)
            _worker.Recording.Notices.Add(HubNotices.TooManyFields, Merger.Limit.MaxFields);
        _worker.Recording.Counters.Add(HubCounter.FieldsNotKept, dropped);
        _droppedFields += dropped;
    }

    private ServiceItems ItemsOf(HubService service, ItemSource source)
    {
        if (_byService.TryGetValue(service.Id, out ServiceItems? known) && known.Service.Key == service.Key)
            return known;
        return _byService[service.Id] = new ServiceItems(service, source);
    }

    // A service without items is known while its source has it.
    private void RemoveUnused(ServiceItems service)
    {
        HubService of = service.Service;
        if (service.Count == 0 && (of.IsPublished || Services.Find(of.Key) is null) && _byService.GetValueOrDefault(of.Id) == service)
            _byService.Remove(of.Id);
    }
}
