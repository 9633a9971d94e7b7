namespace PerfCommon.Workers;

/// <summary>Counters of one worker, or of one of its connections. The worker's thread adds, any thread reads.</summary>
public sealed class CounterSet
{
    private readonly CounterSet? _sum;
    private readonly ConnectionCounters? _kept; // null: all
    private readonly long[] _values;

    /// <param name="schema">What is counted; null for the counters of the library.</param>
    internal CounterSet(RecordingSchema? schema = null) => _values = new long[(schema ?? RecordingSchema.Library).CounterCount];

    /// <param name="sum">The counters of a connection's worker: additions count there, too.</param>
    /// <param name="kept">Those that the connection keeps for itself; null for all.</param>
    internal CounterSet(CounterSet sum, ConnectionCounters? kept = null) =>
        (_sum, _kept, _values) = (sum, kept, new long[kept?.Count ?? sum._values.Length]);

    /// <summary>The current count. Any thread.</summary>
    /// <param name="counter">One of the recording's schema.</param>
    /// <exception cref="InvalidOperationException">The role does not keep this count for single connections: the worker's recording has it.</exception>
    public long this[Counter counter]
    {
        get
        {
            int place = (int)counter;
            if (_kept is not null && !_kept.TryFind(counter, out place))
                throw new InvalidOperationException($"{counter} is not kept for single connections; the recording of the worker has it.");
            return Volatile.Read(ref _values[place]);
        }
    }

    /// <summary>True when the count can be read: always of a worker; of a connection when it is one of its <see cref="ConnectionCounters"/>.</summary>
    internal bool Keeps(Counter counter) => _kept is null || _kept.TryFind(counter, out _);

    /// <summary>Adds to a count. Owning thread only; no lock, no allocation.</summary>
    /// <param name="counter">One of the recording's schema.</param>
    /// <param name="amount">How much is added.</param>
    public void Add(Counter counter, long amount)
    {
        int place = (int)counter;
        if (_kept is null || _kept.TryFind(counter, out place))
        {
            ref long value = ref _values[place];
            Volatile.Write(ref value, value + amount);
        }

        _sum?.Add(counter, amount);
    }

    /// <summary>Returns a copy of all counts; consistent only when the owning thread calls it.</summary>
    internal CounterSnapshot Snapshot() => _kept?.Snapshot(_values) ?? new(_values);
}
