namespace PerfCommon.Workers;

/// <summary>A count that one thread keeps and any thread reads.</summary>
internal sealed class Tally
{
    private long _value;

    /// <summary>The count now.</summary>
    public long Value => Volatile.Read(ref _value);

    /// <summary>Adds to the count. Owning thread only.</summary>
    public void Add(long amount) => Volatile.Write(ref _value, _value + amount);
}
