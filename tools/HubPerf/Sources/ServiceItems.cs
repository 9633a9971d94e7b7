using HubPerf.Services;
using PerfCommon.Domains;

namespace HubPerf.Sources;

/// <summary>The shared items of one service, by their names.</summary>
internal sealed class ServiceItems(HubService service, ItemSource source)
{
    private readonly Dictionary<byte[], CachedItem> _items = new(NameComparer.Instance);

    /// <summary>The service as it was offered; its id does not change.</summary>
    public HubService Service => service;

    /// <summary>Where they come from; another takes them over where one stands by.</summary>
    public ItemSource Source { get; set; } = source;

    /// <summary>What its source says of it, with the id there.</summary>
    public ServiceInfo? AtSource { get; set; }

    public int Count => _items.Count;

    public CachedItem? Find(ReadOnlySpan<byte> name) =>
        _items.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(name, out CachedItem? item) ? item : null;

    public void Add(CachedItem item) => _items.Add(item.Name, item);

    public void Remove(CachedItem item) => _items.Remove(item.Name);

    /// <summary>All items now.</summary>
    public CachedItem[] ToArray() => [.. _items.Values];

    // From a secret start value, so that a peer cannot choose names that all collide.
    private sealed class NameComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
    {
        public static NameComparer Instance { get; } = new();

        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

        public int GetHashCode(byte[] name) => GetHashCode(name.AsSpan());

        public int GetHashCode(ReadOnlySpan<byte> name)
        {
            HashCode hash = new();
            hash.AddBytes(name);
            return hash.ToHashCode();
        }

        public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
    }
}
