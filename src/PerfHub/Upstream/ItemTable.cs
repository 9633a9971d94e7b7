using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>
/// The items of one source thread by their slots, with the state that updates need stored together; shared items also by their names.
/// </summary>
/// <remarks>It grows and shrinks with the items, a little at a time. One owner thread.</remarks>
internal sealed class ItemTable
{
    private readonly SlotNumbers _slots = new();
    private readonly SlotSegments<CachedItem?> _items = new();
    private readonly SlotSegments<ItemState> _states = new();
    private readonly SlotChains _shared;

    public ItemTable() => _shared = new SlotChains(slot => _items[slot]!.NameHash);

    /// <summary>Number of items.</summary>
    public int Count { get; private set; }

    /// <summary>Approximate number of slots up to the last one in use.</summary>
    public int SlotCount => _slots.Capacity;

    /// <summary>The item of a slot; null for none.</summary>
    public CachedItem? this[int slot] => _items[slot];

    /// <summary>Returns the state of the item in a slot.</summary>
    public ref ItemState StateOf(int slot) => ref _states[slot];

    /// <summary>True while the item is in the table.</summary>
    public bool Has(CachedItem item) => _items[item.Slot] == item;

    /// <summary>Finds the shared item of a name; null for none.</summary>
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

    /// <summary>Reserves a slot for an item that is added next.</summary>
    public int AllocateSlot()
    {
        int slot = _slots.Allocate(out bool isFirst);
        if (!isFirst)
            return slot;
        _items.Open(slot);
        _states.Open(slot);
        return slot;
    }

    /// <summary>Adds an item at its slot.</summary>
    public void Enter(CachedItem item)
    {
        _items[item.Slot] = item;
        _states[item.Slot] = new ItemState
        {
            PayloadType = HubDomain.IsCached(item.Domain) ? MarketPriceHeaders.PayloadOf(item.Domain) : ItemState.Passed,
        };
        Count += item.Of is null ? 1 : 0;
        if (item.Terms.IsShared)
            _shared.Add(item.Slot);
    }

    /// <summary>Removes an item from the names; it keeps its slot.</summary>
    public void Hide(CachedItem item) => _shared.Remove(item.Slot);

    /// <summary>Removes an item that is not found by its name.</summary>
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

    /// <summary>Computes the hash of a shared item.</summary>
    public static uint HashOf(ServiceItems service, ReadOnlySpan<byte> name, DomainType domain) =>
        (uint)HashCode.Combine(BytesComparer.Instance.GetHashCode(name), service.Service.Key, domain);
}
