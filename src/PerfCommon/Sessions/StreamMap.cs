namespace PerfCommon.Sessions;

/// <summary>What belongs to the streams of one connection, by their ids; compact while the ids are counted up, as peers do.</summary>
/// <remarks>One owner thread. Ids beyond the dense part cost more, and nothing else. Growing copies nothing once there are many.</remarks>
/// <typeparam name="T">What is kept; its default stands for nothing.</typeparam>
internal sealed class StreamMap<T>
{
    private const int MinDense = 16;

    private const int MinGivenBack = 1_024; // places, for which it is worth it

    private Segments<T> _dense = new();
    private readonly Func<ISpreadStreams<T>> _spread;
    private ISpreadStreams<T>? _others;
    private int _first; // the id at index 0 of the dense part

    public StreamMap()
        : this(() => new SpreadValues<T>())
    {
    }

    /// <param name="spread">Keeps what streams have whose ids are far apart; made with the first of them.</param>
    public StreamMap(Func<ISpreadStreams<T>> spread) => _spread = spread;

    /// <summary>Streams that have something.</summary>
    public int Count { get; private set; }

    /// <summary>What a stream has; a place to change it in, or the default of nothing.</summary>
    /// <param name="streamId">The stream, counted up or, when it is negative, down.</param>
    public T? Find(int streamId)
    {
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Capacity)
            return _dense[index];
        return _others is null ? default : _others.Find(StreamNumber.Of(streamId));
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
            (_others ??= _spread()).Set(StreamNumber.Of(streamId), value);
    }

    /// <summary>Takes out what a stream has.</summary>
    public void Remove(int streamId)
    {
        Count--;
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Capacity)
            _dense[index] = default;
        else
            _others?.Remove(StreamNumber.Of(streamId));
        if (Count == 0 && (_others is not null || _dense.Capacity > MinGivenBack))
            (_dense, _others) = (new(), null); // with what many streams took
    }

    /// <summary>
    /// All ids that may have something, on a connection whose ids count up. What it has may be changed meanwhile, but nothing added.
    /// </summary>
    public IEnumerable<int> PositiveIds()
    {
        for (int i = 0; i < _dense.Capacity; i++)
            yield return i + _first;
        foreach (uint number in _others?.Numbers() ?? [])
            yield return (int)number;
    }

    private int IndexOf(int streamId) => (int)(StreamNumber.Of(streamId) - _first);

    private void Grow(int index)
    {
        int before = _dense.Capacity;
        _dense.Reserve(index + 1);
        for (int i = before; i < _dense.Capacity && _others is { Count: > 0 }; i++)
        {
            uint number = (uint)(i + _first);
            _dense[i] = _others.Find(number);
            _others.Remove(number);
        }
    }
}
