using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>
/// The items of one source thread by their slots, what an update needs of them side by side, and those that all who ask share by their
/// names.
/// </summary>
/// <remarks>It grows and shrinks with the items, a little at a time. One owner thread.</remarks>
internal sealed class ItemTable
{
    private readonly SlotNumbers _slots = new();
    private readonly SlotSegments<CachedItem?> _items = new();
    private readonly SlotSegments<ItemState> _states = new();
    private readonly SlotChains _shared;

    public ItemTable() => _shared = new SlotChains(slot => _items[slot]!.NameHash);

    /// <summary>Items that there are.</summary>
    public int Count { get; private set; }

    /// <summary>Slots up to the last that is in use, about.</summary>
    public int SlotCount => _slots.Capacity;

    /// <summary>The item of a slot; null for none.</summary>
    public CachedItem? this[int slot] => _items[slot];

    /// <summary>What an update needs of the item of a slot.</summary>
    public ref ItemState StateOf(int slot) => ref _states[slot];

    /// <summary>True while the item is there.</summary>
    public bool Has(CachedItem item) => _items[item.Slot] == item;

    /// <summary>The shared item of a name; null for none.</summary>
    public CachedItem? Find(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain)
    {
        for (int slot = _shared.First(HashOf(service, name, domain)); slot >= 0; slot = _shared.Next(slot))
        {
            CachedItem item = _items[slot]!;
            if (item.Service == service && item.Domain == domain && name.SequenceEqual(item.Name))
                return item;
        }

        return null;
    }

    /// <summary>A slot for an item that is entered next.</summary>
    public int TakeSlot()
    {
        int slot = _slots.Take(out bool isFirst);
        if (!isFirst)
            return slot;
        _items.Open(slot);
        _states.Open(slot);
        return slot;
    }

    /// <summary>Enters an item at its slot.</summary>
    public void Enter(CachedItem item)
    {
        _items[item.Slot] = item;
        _states[item.Slot] = new ItemState
        {
            PayloadType = ItemDomain.IsCached(item.Domain) ? MarketPriceHeaders.PayloadOf(item.Domain) : ItemState.Passed,
        };
        Count += item.Of is null ? 1 : 0;
        if (item.IsShared)
            _shared.Add(item.Slot);
    }

    /// <summary>An item is found by its name no longer.</summary>
    public void Hide(CachedItem item) => _shared.Remove(item.Slot);

    /// <summary>Takes an item out that is not found by its name.</summary>
    public void Remove(CachedItem item)
    {
        _items[item.Slot] = null;
        _states[item.Slot] = default;
        Count -= item.Of is null ? 1 : 0;
        if (!_slots.Return(item.Slot))
            return;
        _items.Close(item.Slot);
        _states.Close(item.Slot);
        _shared.Trim(_slots.Capacity);
    }

    /// <summary>By what a shared item is found.</summary>
    public static uint HashOf(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain) =>
        (uint)HashCode.Combine(BytesComparer.Instance.GetHashCode(name), service.Service.Key, domain);
}
