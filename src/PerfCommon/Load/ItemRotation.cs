using System.Runtime.CompilerServices;

namespace PerfCommon.Load;

/// <summary>Lists the items that receive messages in turn: streaming, their image sent or received.</summary>
/// <remarks>One owner thread. 100,000 items need about 1.2 MB.</remarks>
internal sealed class ItemRotation
{
    private RotatingItem[] _items = new RotatingItem[64];

    public int Count { get; private set; }

    /// <summary>The items in the order of their turns; valid until one is added or removed.</summary>
    public Span<RotatingItem> Items => _items.AsSpan(0, Count);

    /// <summary>Adds an item after the others.</summary>
    /// <returns>Its position.</returns>
    public int Add(int slot, int streamId, bool isOrderBook = false, bool hasView = false)
    {
        if (Count == _items.Length)
            Array.Resize(ref _items, _items.Length * 2);
        _items[Count] = new RotatingItem { Slot = slot, StreamId = streamId, IsOrderBook = isOrderBook, HasView = hasView };
        return Count++;
    }

    /// <summary>Removes an item; the last one is moved to its position.</summary>
    /// <returns>Slot of the item at the position now; of the removed one when it was the last.</returns>
    public int RemoveAt(int position)
    {
        RotatingItem last = _items[--Count];
        _items[position] = last;
        return last.Slot;
    }

    /// <summary>Changes the stream of an item, if it is in the list. Searches all of them.</summary>
    public void Move(int slot, int streamId)
    {
        foreach (ref RotatingItem item in Items)
        {
            if (item.Slot == slot)
                item.StreamId = streamId;
        }
    }

    /// <summary>Removes an item by its slot, if it is in the list. Searches all of them.</summary>
    public void Remove(int slot)
    {
        for (int position = 0; position < Count; position++)
        {
            if (_items[position].Slot == slot)
                RemoveAt(position--);
        }
    }
}

/// <summary>An item that receives messages in turn; its data is contiguous, so that it costs one cache line.</summary>
internal struct RotatingItem
{
    /// <summary>Its stream.</summary>
    public int StreamId;

    /// <summary>Its slot.</summary>
    public int Slot;

    private const ushort OrderBookBit = 0x8000;
    private const ushort ViewBit = 0x4000;
    private const ushort SpecialBits = OrderBookBit | ViewBit;

    private ushort _update;
    private ushort _generic;

    /// <summary>True for an item with different updates: of market by order, or with a view.</summary>
    public readonly bool IsSpecial => (_generic & SpecialBits) != 0;

    /// <summary>True for an item with a view.</summary>
    public bool HasView
    {
        readonly get => (_generic & ViewBit) != 0;
        set => _generic = (ushort)(value ? _generic | ViewBit : _generic & ~ViewBit);
    }

    /// <summary>True for a market-by-order item.</summary>
    public bool IsOrderBook
    {
        readonly get => (_generic & OrderBookBit) != 0;
        init => _generic = (ushort)(value ? _generic | OrderBookBit : _generic & ~OrderBookBit);
    }

    /// <summary>Returns the index of the next update among a number of them, and advances it; a post contains one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int TakeUpdate(int count)
    {
        int index = _update;
        _update = (ushort)(index + 1 < count ? index + 1 : 0);
        return index;
    }

    /// <summary>Returns the index of the next generic message among a number of them, and advances it.</summary>
    public int TakeGeneric(int count)
    {
        int index = _generic & ~SpecialBits;
        _generic = (ushort)((_generic & SpecialBits) | (index + 1 < count ? index + 1 : 0));
        return index;
    }
}
