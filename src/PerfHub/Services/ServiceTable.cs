using System.Diagnostics.CodeAnalysis;
using PerfCommon.Measurement;

namespace PerfHub.Services;

/// <summary>
/// The services of all sources in one table: ids are kept unless two collide, names are unique. Any thread; changes are rare.
/// </summary>
/// <remarks>
/// A change costs only what it changes: a search by id needs no lock, and the list for directories is built on demand. A service lives while it has a
/// source, or while a source thread has items of it, and a moment longer: messages between threads still find it. Time is an argument.
/// </remarks>
/// <param name="maxServices">Maximum number of services, at most all ids.</param>
/// <param name="domains">Domains of items that may be requested; null for all.</param>
internal sealed class ServiceTable(int maxServices = ServiceIds.Max, DomainLimit? domains = null)
{
    /// <summary>Time for which a service without a source or items is kept.</summary>
    public const long LingerNanos = 2 * Clock.NanosPerSecond;

    private const int MaxListedBytes = 12 * 1024 * 1024; // so that a directory is one message

    private readonly Lock _gate = new();
    private readonly HubService?[] _byId = new HubService?[ServiceIds.Max + 1];
    private readonly Dictionary<string, Entry> _byName = [];
    private readonly ServiceIds _ids = new();
    private ServiceSnapshot _listed = ServiceSnapshot.Empty;
    private long _listedBytes;
    private readonly Queue<(Entry Entry, long DueNanos)> _ending = new();
    private long _nextEndNanos = long.MaxValue;
    private ushort _lastSerial;
    private volatile int _version;

    /// <summary>Domains of items that may be requested.</summary>
    public DomainLimit Domains { get; } = domains ?? DomainLimit.None;

    /// <summary>Called at every change, on the thread that makes it; set before the first one.</summary>
    public Action OnChanged { get; set; } = static () => { };

    /// <summary>Grows with every change.</summary>
    public int Version => _version;

    /// <summary>When <see cref="Sweep"/> has something to do; far in the future for nothing.</summary>
    public long NextDueNanos => Volatile.Read(ref _nextEndNanos);

    /// <summary>Finds the present service of an id; null for none.</summary>
    public HubService? Find(ushort id) => Volatile.Read(ref _byId[id]);

    /// <summary>Finds the same service, if it still has the id.</summary>
    public HubService? Find(ServiceKey key) => Find(key.Id) is { } found && found.Serial == key.Serial ? found : null;

    /// <summary>Finds the present service of a name; null for none.</summary>
    public HubService? Find(string name)
    {
        lock (_gate)
            return _byName.TryGetValue(name, out Entry? entry) ? entry.Service : null;
    }

    /// <summary>Returns the present contents of directories.</summary>
    public ServiceSnapshot List()
    {
        lock (_gate)
        {
            if (_listed.Version != _version)
                _listed = new ServiceSnapshot(_version, [.. _ids.InUse().Select(id => _byId[id]!.Offer)]);
            return _listed;
        }
    }

    /// <summary>Adds services, or changes them; all at once.</summary>
    /// <param name="services">The services with the ids of their source; an id is changed when another service has it.</param>
    /// <param name="provider">The non-interactive provider that has them, possibly with others. Null for an interactive source.</param>
    /// <returns>The services as they are offered; null for one whose name another owner has, or for which the table is full.</returns>
    public IReadOnlyList<HubService?> Offer(IReadOnlyList<HubService> services, object? provider = null)
    {
        int before;
        HubService?[] offered = new HubService?[services.Count];
        lock (_gate)
        {
            before = _version;
            for (int i = 0; i < services.Count; i++)
                offered[i] = Enter(Limited(services[i]), provider);
        }

        NotifyIfChanged(before);
        return offered;
    }

    /// <summary>Moves existing services to another source; all at once.</summary>
    public void Replace(IReadOnlyList<(HubService Known, HubService Now)> services)
    {
        int before;
        lock (_gate)
        {
            before = _version;
            foreach ((HubService known, HubService now) in services)
            {
                if (!TryFind(known, out Entry? entry))
                    continue;
                entry.IsDown = false;
                Set(entry, Limited(now));
            }
        }

        NotifyIfChanged(before);
    }

    /// <summary>Removes a non-interactive provider from services: those that no other provider has go down, and are removed later.</summary>
    public void Leave(IEnumerable<HubService> services, object provider, long nowNanos) =>
        End(services, entry => entry.Providers?.Remove(provider) == true && entry.Providers.Count == 0, nowNanos);

    /// <summary>Marks services as down, because their source is lost; they are removed later.</summary>
    public void SetDown(IEnumerable<HubService> services, long nowNanos) => End(services, static _ => true, nowNanos);

    /// <summary>Keeps a service, because a source thread has items of it.</summary>
    public void Hold(HubService service)
    {
        lock (_gate)
        {
            if (TryFind(service, out Entry? entry))
                entry.Holders++;
        }
    }

    /// <summary>Releases a service, because a source thread has no items of it any more.</summary>
    public void Release(HubService service, long nowNanos)
    {
        lock (_gate)
        {
            if (TryFind(service, out Entry? entry) && --entry.Holders == 0 && entry.IsDown)
                EndLater(entry, nowNanos);
        }
    }

    /// <summary>Removes the services whose time has elapsed.</summary>
    public void Sweep(long nowNanos)
    {
        int before;
        lock (_gate)
        {
            before = _version;
            while (_ending.TryPeek(out (Entry Entry, long DueNanos) next) && next.DueNanos <= nowNanos)
            {
                _ending.Dequeue();
                next.Entry.IsEnding = false;
                if (next.Entry is { IsDown: true, Holders: 0 })
                    Remove(next.Entry);
            }

            Volatile.Write(ref _nextEndNanos, _ending.Count > 0 ? _ending.Peek().DueNanos : long.MaxValue);
        }

        NotifyIfChanged(before);
    }

    private void End(IEnumerable<HubService> services, Func<Entry, bool> isLast, long nowNanos)
    {
        int before;
        lock (_gate)
        {
            before = _version;
            foreach (HubService service in services)
            {
                if (!TryFind(service, out Entry? entry) || !isLast(entry))
                    continue;
                entry.IsDown = true;
                Set(entry, entry.Service.Down());
                if (entry.Holders == 0)
                    EndLater(entry, nowNanos);
            }
        }

        NotifyIfChanged(before);
    }

    private void EndLater(Entry entry, long nowNanos)
    {
        if (entry.IsEnding)
            return;
        entry.IsEnding = true;
        _ending.Enqueue((entry, nowNanos + LingerNanos));
        if (_ending.Count == 1)
            Volatile.Write(ref _nextEndNanos, nowNanos + LingerNanos);
    }

    private HubService Limited(HubService service) => service with { Offer = Domains.Apply(service.Offer) };

    private HubService? Enter(HubService service, object? provider)
    {
        string name = service.Offer.Name;
        if (!_byName.TryGetValue(name, out Entry? entry))
        {
            if (_byName.Count >= maxServices || _listedBytes + service.Offer.MaxEntryBytes > MaxListedBytes)
                return null;
            ushort id = _ids.Allocate(service.Id);
            entry = new Entry { Service = service with { Offer = service.Offer with { Id = id }, Serial = NextSerial() } };
            _byName.Add(name, entry);
            _listedBytes += service.Offer.MaxEntryBytes;
            Volatile.Write(ref _byId[id], entry.Service);
            _version++;
        }
        else if (entry.Service.Owner != service.Owner || entry.Service.UpstreamIndex != service.UpstreamIndex)
        {
            return null;
        }

        entry.IsDown = false;
        Set(entry, service);
        if (provider is not null && (entry.Providers ??= []).Add(provider))
            _version++; // another provider has it, too: consumers are notified
        return entry.Service;
    }

    private void Set(Entry entry, HubService wanted)
    {
        HubService before = entry.Service;
        HubService service = wanted with { Offer = wanted.Offer with { Id = before.Id }, Serial = before.Serial };
        if (service.IsLike(before))
            return;
        entry.Service = service;
        _listedBytes += service.Offer.MaxEntryBytes - before.Offer.MaxEntryBytes;
        Volatile.Write(ref _byId[service.Id], service);
        _version++;
    }

    private void Remove(Entry entry)
    {
        _byName.Remove(entry.Service.Offer.Name);
        _listedBytes -= entry.Service.Offer.MaxEntryBytes;
        _ids.Return(entry.Service.Id);
        Volatile.Write(ref _byId[entry.Service.Id], null);
        _version++;
    }

    private bool TryFind(HubService service, [NotNullWhen(true)] out Entry? entry) =>
        _byName.TryGetValue(service.Offer.Name, out entry) && entry.Service.Key == service.Key;

    private ushort NextSerial() => ++_lastSerial;

    private void NotifyIfChanged(int before)
    {
        if (_version != before)
            OnChanged();
    }

    private sealed class Entry
    {
        public required HubService Service { get; set; }

        public HashSet<object>? Providers { get; set; } // non-interactive ones

        public int Holders { get; set; } // source threads that have items of it

        public bool IsDown { get; set; }

        public bool IsEnding { get; set; } // it is to be removed later
    }
}
