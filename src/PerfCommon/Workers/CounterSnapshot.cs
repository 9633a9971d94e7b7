namespace PerfCommon.Workers;

/// <summary>A copy of all counts of a worker; running totals, or the difference of two. Immutable.</summary>
internal readonly struct CounterSnapshot
{
    private readonly long[]? _values; // null counts nothing

    public CounterSnapshot(ReadOnlySpan<long> values) => _values = values.ToArray();

    /// <summary>The count; 0 for a counter that the schema of the counts lacks.</summary>
    public long this[Counter counter] => (int)counter < Length ? _values![(int)counter] : 0;

    private int Length => _values?.Length ?? 0;

    /// <summary>Adds the counts of two workers.</summary>
    public static CounterSnapshot operator +(CounterSnapshot left, CounterSnapshot right) => Combine(left, right, 1);

    /// <summary>Returns the counts from the second snapshot to the first.</summary>
    public static CounterSnapshot operator -(CounterSnapshot left, CounterSnapshot right) => Combine(left, right, -1);

    private static CounterSnapshot Combine(CounterSnapshot left, CounterSnapshot right, int sign)
    {
        long[] values = new long[Math.Max(left.Length, right.Length)];
        for (int i = 0; i < values.Length; i++)
            values[i] = left[(Counter)i] + (sign * right[(Counter)i]);
        return new(values);
    }
}
