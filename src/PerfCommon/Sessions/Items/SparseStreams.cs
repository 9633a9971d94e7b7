using PerfCommon.Load;

namespace PerfCommon.Sessions;

/// <summary>Stores values of streams whose ids are sparse, by their numbers: the ids without their sign. One owner.</summary>
/// <typeparam name="T">Type of the values; the default means none.</typeparam>
internal interface ISparseStreams<T>
{
    /// <summary>Number of streams with a value.</summary>
    int Count { get; }

    /// <summary>Returns the value of a stream, or the default.</summary>
    T? Find(uint number);

    /// <summary>Adds or replaces the value of a stream.</summary>
    void Set(uint number, T value);

    /// <summary>Removes the value of a stream, if it has one.</summary>
    void Remove(uint number);

    /// <summary>Enumerates all streams with a value; values may be removed meanwhile, but not added.</summary>
    IEnumerable<uint> Numbers();
}

/// <summary>Stores values with their streams' numbers: 12 bytes a stream and the value.</summary>
internal sealed class SparseValues<T> : ISparseStreams<T>
{
    private readonly Segments<(uint Number, T? Value)> _entries = new();
    private readonly Stack<int> _free = new();
    private readonly SlotChains _chains;
    private int _used;

    public SparseValues() => _chains = new(entry => StreamNumber.Hash(_entries[entry].Number));

    public int Count => _chains.Count;

    public T? Find(uint number) => EntryOf(number) is var entry and >= 0 ? _entries[entry].Value : default;

    public void Set(uint number, T value)
    {
        int entry = EntryOf(number);
        if (entry >= 0)
        {
            _entries[entry].Value = value;
            return;
        }

        entry = _free.Count > 0 ? _free.Pop() : _used++;
        _entries.Reserve(_used);
        _entries[entry] = (number, value);
        _chains.Add(entry);
    }

    public void Remove(uint number)
    {
        int entry = EntryOf(number);
        if (entry < 0)
            return;
        _chains.Remove(entry);
        _entries[entry].Value = default;
        _free.Push(entry);
    }

    public IEnumerable<uint> Numbers()
    {
        for (int entry = 0; entry < _used; entry++)
        {
            if (!EqualityComparer<T?>.Default.Equals(_entries[entry].Value, default))
                yield return _entries[entry].Number;
        }
    }

    private int EntryOf(uint number)
    {
        int entry = _chains.First(StreamNumber.Hash(number));
        while (entry >= 0 && _entries[entry].Number != number)
            entry = _chains.Next(entry);
        return entry;
    }
}

/// <summary>Stores the slots of streams whose ids are in a table by slot: 8 bytes a stream.</summary>
/// <remarks>The value is one more than the slot. It is never replaced: <see cref="Set"/> is for a stream without one.</remarks>
internal sealed class SparseSlots : ISparseStreams<int>
{
    private readonly Func<int, int> _streamIdOf;
    private readonly SlotChains _chains;

    /// <param name="streamIdOf">Returns the stream id of a slot, which must not change while it is stored.</param>
    public SparseSlots(Func<int, int> streamIdOf)
    {
        _streamIdOf = streamIdOf;
        _chains = new(slot => StreamNumber.Hash(NumberOf(slot)));
    }

    public int Count => _chains.Count;

    public int Find(uint number)
    {
        int slot = _chains.First(StreamNumber.Hash(number));
        while (slot >= 0 && NumberOf(slot) != number)
            slot = _chains.Next(slot);
        return slot + 1;
    }

    public void Set(uint number, int value) => _chains.Add(value - 1);

    public void Remove(uint number)
    {
        int slot = Find(number) - 1;
        if (slot >= 0)
            _chains.Remove(slot);
    }

    public IEnumerable<uint> Numbers() => [.. _chains.Slots().Select(NumberOf)];

    private uint NumberOf(int slot) => StreamNumber.Of(_streamIdOf(slot));
}

/// <summary>Converts a stream's id to its number, the id without the sign.</summary>
internal static class StreamNumber
{
    // One connection never has both positive and negative ids: one side owns all of them.
    public static uint Of(int streamId) => (uint)Math.Abs((long)streamId);

    // Includes a secret, so that a peer cannot choose ids that all collide.
    public static uint Hash(uint number) => (uint)HashCode.Combine(number);
}
