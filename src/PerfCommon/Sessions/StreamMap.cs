namespace PerfCommon.Sessions;

/// <summary>What belongs to the streams of one connection, by their ids; compact while the ids are counted up, as peers do.</summary>
/// <remarks>One owner thread. Ids beyond the dense part cost more, and nothing else.</remarks>
/// <typeparam name="T">What is kept; its default stands for nothing.</typeparam>
internal sealed class StreamMap<T>
{
    private const int MinDense = 16;

    private T?[] _dense = [];
    private Dictionary<int, T>? _others;
    private int _first; // the id at index 0 of the dense part

    /// <summary>Streams that have something.</summary>
    public int Count { get; private set; }

    /// <summary>What a stream has; a place to change it in, or the default of nothing.</summary>
    /// <param name="streamId">The stream, counted up or, when it is negative, down.</param>
    public T? Find(int streamId)
    {
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Length)
            return _dense[index];
        return _others is not null && _others.TryGetValue(streamId, out T? found) ? found : default;
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
        if (_dense.Length == 0)
        {
            _first = (int)Math.Min(Math.Abs((long)streamId), int.MaxValue);
            _dense = new T[MinDense];
        }

        int index = IndexOf(streamId);
        if (index >= _dense.Length && index < 2 * Math.Max(Count, MinDense))
            Grow(index);
        if ((uint)index < (uint)_dense.Length)
            _dense[index] = value;
        else
            (_others ??= [])[streamId] = value;
    }

    /// <summary>Takes out what a stream has.</summary>
    public void Remove(int streamId)
    {
        Count--;
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Length)
            _dense[index] = default;
        else
            _others?.Remove(streamId);
    }

    /// <summary>
    /// All ids that may have something, on a connection whose ids count up. What it has may be changed meanwhile, but nothing added.
    /// </summary>
    public IEnumerable<int> PositiveIds()
    {
        for (int i = 0; i < _dense.Length; i++)
            yield return i + _first;
        foreach (int id in _others?.Keys.ToArray() ?? [])
            yield return id;
    }

    // Positive and negative ids never meet on one connection: one side owns all of them.
    private int IndexOf(int streamId) => (int)(Math.Abs((long)streamId) - _first);

    private void Grow(int index)
    {
        Array.Resize(ref _dense, Math.Max(_dense.Length * 2, index + 1));
        if (_others is null)
            return;
        foreach (int id in _others.Keys.Where(id => (uint)IndexOf(id) < (uint)_dense.Length).ToArray())
        {
            _dense[IndexOf(id)] = _others[id];
            _others.Remove(id);
        }
    }
}
