namespace PerfCommon.Workers;

/// <summary>Counters of one worker, or of one of its connections. The worker's thread adds, any thread reads.</summary>
public sealed class CounterSet
{
    private readonly CounterSet? _sum;
    private readonly long[] _values;

    /// <param name="schema">What is counted; null for the counters of the library.</param>
    internal CounterSet(RecordingSchema? schema = null) => _values = new long[(schema ?? RecordingSchema.Library).CounterCount];

    /// <param name="sum">The counters of a connection's worker: additions count there, too.</param>
    internal CounterSet(CounterSet sum) => (_sum, _values) = (sum, new long[sum._values.Length]);

    /// <summary>The current count. Any thread.</summary>
    /// <param name="counter">One of the recording's schema.</param>
    public long this[Counter counter] => Volatile.Read(ref _values[(int)counter]);

    /// <summary>Adds to a count. Owning thread only; no lock, no allocation.</summary>
    /// <param name="counter">One of the recording's schema.</param>
    /// <param name="amount">How much is added.</param>
    public void Add(Counter counter, long amount)
    {
        ref long value = ref _values[(int)counter];
        Volatile.Write(ref value, value + amount);
        _sum?.Add(counter, amount);
    }

    /// <summary>Returns a copy of all counts; consistent only when the owning thread calls it.</summary>
    internal CounterSnapshot Snapshot() => new(_values);
}
