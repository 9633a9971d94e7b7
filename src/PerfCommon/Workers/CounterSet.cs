namespace PerfCommon.Workers;

/// <summary>Counters of one worker, or of one of its connections. The worker's thread adds, any thread reads.</summary>
/// <param name="sum">For a connection, the counters of its worker: additions count there too.</param>
internal sealed class CounterSet(CounterSet? sum = null)
{
    private readonly long[] _values = new long[CounterSnapshot.Size];

    /// <summary>The current count. Any thread.</summary>
    public long this[Counter counter] => Volatile.Read(ref _values[(int)counter]);

    /// <summary>Adds to a count. Owning thread only; no lock, no allocation.</summary>
    public void Add(Counter counter, long amount)
    {
        ref long value = ref _values[(int)counter];
        Volatile.Write(ref value, value + amount);
        sum?.Add(counter, amount);
    }

    /// <summary>Returns a copy of all counts; consistent only when the owning thread calls it.</summary>
    public CounterSnapshot Snapshot() => new(_values);
}

/// <summary>A copy of all counts; running totals, or the difference of two.</summary>
internal readonly struct CounterSnapshot
{
    public static readonly int Size = Enum.GetValues<Counter>().Length;

    private readonly long[]? _values; // null counts nothing

    public CounterSnapshot(ReadOnlySpan<long> values) => _values = values.ToArray();

    public long this[Counter counter] => _values is null ? 0 : _values[(int)counter];

    /// <summary>Adds the counts of two workers.</summary>
    public static CounterSnapshot operator +(CounterSnapshot a, CounterSnapshot b) => Combine(a, b, 1);

    /// <summary>Returns the counts from the second snapshot to the first.</summary>
    public static CounterSnapshot operator -(CounterSnapshot a, CounterSnapshot b) => Combine(a, b, -1);

    private static CounterSnapshot Combine(CounterSnapshot a, CounterSnapshot b, int sign) =>
        new([.. Enum.GetValues<Counter>().Select(counter => a[counter] + (sign * b[counter]))]);
}
