namespace PerfCommon.Sessions;

/// <summary>What streams have whose ids are far apart, by their numbers: the ids without their sign. One owner.</summary>
/// <typeparam name="T">What is kept; its default stands for nothing.</typeparam>
internal interface ISpreadStreams<T>
{
    /// <summary>Streams that have something.</summary>
    int Count { get; }

    /// <summary>What a stream has, or the default.</summary>
    T? Find(uint number);

    /// <summary>Enters or replaces what a stream has.</summary>
    void Set(uint number, T value);

    /// <summary>Takes out what a stream has, if anything.</summary>
    void Remove(uint number);

    /// <summary>All streams that have something; what they have may be taken out meanwhile, but nothing added.</summary>
    IEnumerable<uint> Numbers();
}

/// <summary>Values beside their streams' numbers: 12 bytes a stream and the value.</summary>
internal sealed class SpreadValues<T> : ISpreadStreams<T>
{
    private readonly Segments<(uint Number, T? Value)> _entries = new();
    private readonly Stack<int> _free = new();
    private readonly SlotChains _chains;
    private int _used;

    public SpreadValues() => _chains = new(entry => StreamNumber.Hash(_entries[entry].Number));

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

/// <summary>The slots of streams whose ids stand in a table by slot: 8 bytes a stream.</summary>
/// <remarks>What is kept is one more than the slot. It is never replaced: <see cref="Set"/> is for a stream that has none.</remarks>
internal sealed class SpreadSlots : ISpreadStreams<int>
{
    private readonly Func<int, int> _streamIdOf;
    private readonly SlotChains _chains;

    /// <param name="streamIdOf">The id of the stream that has a slot, always the same while it is in.</param>
    public SpreadSlots(Func<int, int> streamIdOf)
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

/// <summary>Streams by their ids without the sign.</summary>
internal static class StreamNumber
{
    // Positive and negative ids never meet on one connection: one side owns all of them.
    public static uint Of(int streamId) => (uint)Math.Abs((long)streamId);

    // With a secret, so that a peer cannot choose ids that all collide.
    public static uint Hash(uint number) => (uint)HashCode.Combine(number);
}
