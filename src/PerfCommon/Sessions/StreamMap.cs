namespace PerfCommon.Sessions;

/// <summary>What belongs to the streams of one connection, by their ids; compact while the ids are counted up, as peers do.</summary>
/// <remarks>One owner thread. Ids beyond the dense part cost more, and nothing else. Growing copies nothing once there are many.</remarks>
/// <typeparam name="T">What is kept; its default stands for nothing.</typeparam>
internal sealed class StreamMap<T>
{
    private const int MinDense = 16;

    private readonly Segments<T> _dense = new();
    private SpreadValues? _others;
    private int _first; // the id at index 0 of the dense part

    /// <summary>Streams that have something.</summary>
    public int Count { get; private set; }

    /// <summary>What a stream has; a place to change it in, or the default of nothing.</summary>
    /// <param name="streamId">The stream, counted up or, when it is negative, down.</param>
    public T? Find(int streamId)
    {
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Capacity)
            return _dense[index];
        return _others is null ? default : _others.Find(index);
    }

    /// <summary>Enters what a stream has that had nothing.</summary>
    public void Add(int streamId, T value)
    {
        Count++;
        Set(streamId, value);
    }

    /// <summary>Replaces what a stream has.</summary>
    public void Set(int streamId, T value)
    {
        if (_dense.Capacity == 0)
        {
            _first = (int)Math.Min(Math.Abs((long)streamId), int.MaxValue);
            _dense.Reserve(MinDense);
        }

        int index = IndexOf(streamId);
        if (index >= _dense.Capacity && index < 2 * Math.Max(Count, MinDense))
            Grow(index);
        if ((uint)index < (uint)_dense.Capacity)
            _dense[index] = value;
        else
            (_others ??= new()).Set(index, value);
    }

    /// <summary>Takes out what a stream has.</summary>
    public void Remove(int streamId)
    {
        Count--;
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Capacity)
            _dense[index] = default;
        else
            _others?.Remove(index);
    }

    /// <summary>
    /// All ids that may have something, on a connection whose ids count up. What it has may be changed meanwhile, but nothing added.
    /// </summary>
    public IEnumerable<int> PositiveIds()
    {
        for (int i = 0; i < _dense.Capacity; i++)
            yield return i + _first;
        foreach (int index in _others?.Indexes() ?? [])
            yield return index + _first;
    }

    // Positive and negative ids never meet on one connection: one side owns all of them.
    private int IndexOf(int streamId) => (int)(Math.Abs((long)streamId) - _first);

    private void Grow(int index)
    {
        int before = _dense.Capacity;
        _dense.Reserve(index + 1);
        for (int i = before; i < _dense.Capacity && _others is { Count: > 0 }; i++)
        {
            _dense[i] = _others.Find(i);
            _others.Remove(i);
        }
    }

    // Of streams whose ids are far apart: 8 bytes each beside what they have.
    private sealed class SpreadValues
    {
        private readonly Segments<(int Index, T? Value)> _entries = new();
        private readonly Stack<int> _free = new();
        private readonly SlotChains _chains;
        private int _used;

        public SpreadValues() => _chains = new(entry => Hash(_entries[entry].Index));

        public int Count => _chains.Count;

        public T? Find(int index) => EntryOf(index) is var entry and >= 0 ? _entries[entry].Value : default;

        public void Set(int index, T value)
        {
            int entry = EntryOf(index);
            if (entry >= 0)
            {
                _entries[entry].Value = value;
                return;
            }

            entry = _free.Count > 0 ? _free.Pop() : _used++;
            _entries.Reserve(_used);
            _entries[entry] = (index, value);
            _chains.Add(entry);
        }

        public void Remove(int index)
        {
            int entry = EntryOf(index);
            if (entry < 0)
                return;
            _chains.Remove(entry);
            _entries[entry].Value = default;
            _free.Push(entry);
        }

        public int[] Indexes() =>
            [.. Enumerable.Range(0, _used).Where(entry => EntryOf(_entries[entry].Index) == entry).Select(entry => _entries[entry].Index)];

        private int EntryOf(int index)
        {
            int entry = _chains.First(Hash(index));
            while (entry >= 0 && _entries[entry].Index != index)
                entry = _chains.Next(entry);
            return entry;
        }

        // With a secret, so that a peer cannot choose ids that all collide.
        private static uint Hash(int index) => (uint)HashCode.Combine(index);
    }
}
