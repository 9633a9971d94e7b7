
namespace HubPerf.Services;

/// <summary>
/// The services of all sources in one table: ids are kept unless two collide, names are unique. Any thread; changes are rare.
/// </summary>
internal sealed class ServiceTable
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<ushort, HubService> _services = [];
    private readonly Dictionary<ushort, HashSet<object>> _providers = []; // non-interactive ones, by the services that they have
    private volatile ServiceSnapshot _current = ServiceSnapshot.Empty;

    /// <summary>Told of every change, on the thread that makes it; before the first one.</summary>
    public Action OnChanged { get; set; } = static () => { };

    /// <summary>What there is now; read it once for what belongs together.</summary>
    public ServiceSnapshot Current => _current;

    /// <summary>Enters a service, or changes what is said of it.</summary>
    /// <param name="service">The service with the id of its source; the id is changed when it belongs to another.</param>
    /// <param name="provider">The non-interactive provider that has it: one of several, perhaps. Null for an interactive source.</param>
    /// <returns>The service as it is offered; null when one of that name is another owner's.</returns>
    public HubService? Offer(HubService service, object? provider = null)
    {
        HubService? offered;
        lock (_gate)
        {
            offered = Enter(service);
            if (offered is not null && provider is not null)
                ProvidersOf(offered.Id).Add(provider);
        }

        if (offered is not null)
            OnChanged();
        return offered;
    }

    /// <summary>Changes a service that is there.</summary>
    public void Change(ushort id, Func<HubService, HubService> change)
    {
        lock (_gate)
        {
            if (!_services.TryGetValue(id, out HubService? known))
                return;
            _services[id] = change(known);
            Publish();
        }

        OnChanged();
    }

    /// <summary>A non-interactive provider is gone: services that no other has are down.</summary>
    public void Leave(object provider)
    {
        lock (_gate)
        {
            ushort[] lost = [.. _providers.Where(of => of.Value.Remove(provider) && of.Value.Count == 0).Select(of => of.Key)];
            if (lost.Length == 0)
                return;
            foreach (ushort id in lost)
                _services[id] = _services[id].Down();
            Publish();
        }

        OnChanged();
    }

    private HashSet<object> ProvidersOf(ushort id) => _providers.TryGetValue(id, out HashSet<object>? known) ? known : _providers[id] = [];

    private HubService? Enter(HubService service)
    {
        HubService? known = _services.Values.FirstOrDefault(other => other.Offer.Name == service.Offer.Name);
        if (known is not null && (known.Owner != service.Owner || known.SourceHost != service.SourceHost))
            return null;
        ushort id = known?.Id ?? FindFreeId(service.Id);
        HubService offered = service with { Offer = service.Offer with { Id = id } };
        _services[id] = offered;
        Publish();
        return offered;
    }

    // 0 is no id of ours: keys without a service read as 0.
    private ushort FindFreeId(ushort wanted)
    {
        ushort id = Math.Max(wanted, (ushort)1);
        while (_services.ContainsKey(id))
            id = id == ushort.MaxValue ? (ushort)1 : (ushort)(id + 1);
        return id;
    }

    private void Publish() => _current = new ServiceSnapshot(
        _current.Version + 1, new Dictionary<ushort, HubService>(_services), [.. _services.Values.Select(service => service.Offer)]);
}
