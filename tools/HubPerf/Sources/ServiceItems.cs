using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace HubPerf.Sources;

/// <summary>The shared items of one service, by their names: one name may be there in both domains.</summary>
internal sealed class ServiceItems(HubService service, ItemSource source)
{
    private readonly Dictionary<byte[], CachedItem> _items = new(BytesComparer.Instance);
    private readonly Dictionary<byte[], CachedItem> _books = new(BytesComparer.Instance); // of market by order

    /// <summary>The service as it was offered; its id does not change.</summary>
    public HubService Service => service;

    /// <summary>Where they come from; another takes them over where one stands by.</summary>
    public ItemSource Source { get; set; } = source;

    /// <summary>What its source says of it, with the id there.</summary>
    public ServiceInfo? AtSource { get; set; }

    public CachedItem? Find(ReadOnlySpan<byte> name, DomainType domain) =>
        ItemsOf(domain).GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(name, out CachedItem? item) ? item : null;

    public void Add(CachedItem item) => ItemsOf(item.Domain).Add(item.Name, item);

    public void Remove(CachedItem item) => ItemsOf(item.Domain).Remove(item.Name);

    private Dictionary<byte[], CachedItem> ItemsOf(DomainType domain) => domain == DomainType.MarketByOrder ? _books : _items;
}
