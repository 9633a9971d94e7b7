using PerfCommon.Load;

namespace PerfCommon.Sessions;

/// <summary>Stores values of the streams of one connection, by their ids; compact while the ids are consecutive, as is usual.</summary>
/// <remarks>One owner thread. Ids beyond the dense part only cost more. Growing copies nothing once there are many.</remarks>
/// <typeparam name="T">Type of the values; the default means none.</typeparam>
internal sealed class StreamMap<T>
{
    private const int MinDense = 16;

    private const int MinGivenBack = 1_024; // entries that make releasing memory worthwhile

    private Segments<T> _dense = new();
    private readonly Func<ISparseStreams<T>> _spread;
    private ISparseStreams<T>? _others;
    private int _first; // the id at index 0 of the dense part

    public StreamMap()
        : this(() => new SparseValues<T>())
    {
    }

    /// <param name="spread">Creates the store for sparse ids; called for the first of them.</param>
    public StreamMap(Func<ISparseStreams<T>> spread) => _spread = spread;

    /// <summary>Number of streams with a value.</summary>
    public int Count { get; private set; }

    /// <summary>Returns the value of a stream, which may be an object to modify, or the default for none.</summary>
    /// <param name="streamId">The stream, counted up or, when it is negative, down.</param>
    public T? Find(int streamId)
    {
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Capacity)
            return _dense[index];
        return _others is null ? default : _others.Find(StreamNumber.Of(streamId));
    }

    /// <summary>Adds the value of a stream that has none.</summary>
    public void Add(int streamId, T value)
    {
        Count++;
        Set(streamId, value);
    }

    /// <summary>Replaces the value of a stream.</summary>
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

    /// <summary>Removes the value of a stream.</summary>
    public void Remove(int streamId)
    {
        Count--;
        int index = IndexOf(streamId);
        if ((uint)index < (uint)_dense.Capacity)
            _dense[index] = default;
        else
            _others?.Remove(StreamNumber.Of(streamId));
        if (Count == 0 && (_others is not null || _dense.Capacity > MinGivenBack))
            (_dense, _others) = (new(), null); // with the memory of many streams
    }

    /// <summary>
    /// Enumerates all ids that may have a value, on a connection whose ids count up. Values may be changed meanwhile, but none added.
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
