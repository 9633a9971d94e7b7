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

    private const ushort FlagBit = 0x8000; // the other bits are an index, below MessageLimits.MaxOfAKind
    private const ushort IndexBits = FlagBit - 1;

    private ushort _update; // flag: has a view
    private ushort _generic; // flag: is an order book

    /// <summary>True for an item with different updates: of market by order, or with a view.</summary>
    public readonly bool IsSpecial => ((_update | _generic) & FlagBit) != 0;

    /// <summary>True for an item with a view.</summary>
    public bool HasView
    {
        readonly get => (_update & FlagBit) != 0;
        set => _update = (ushort)(value ? _update | FlagBit : _update & IndexBits);
    }

    /// <summary>True for a market-by-order item.</summary>
    public bool IsOrderBook
    {
        readonly get => (_generic & FlagBit) != 0;
        init => _generic = (ushort)(value ? _generic | FlagBit : _generic & IndexBits);
    }

    /// <summary>Returns the index of the next update among a number of them, and advances it; a post contains one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int TakeUpdate(int count) => TakeNext(ref _update, count);

    /// <summary>Returns the index of the next generic message among a number of them, and advances it.</summary>
    public int TakeGeneric(int count) => TakeNext(ref _generic, count);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int TakeNext(ref ushort place, int count)
    {
        int index = place & IndexBits;
        place = (ushort)((place & FlagBit) | (index + 1 < count ? index + 1 : 0));
        return index;
    }
}
