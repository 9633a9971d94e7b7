namespace PerfCommon.Load;

/// <summary>Keeps the update count of each item of a connection (<see cref="SizedMessages"/>), by its slot. One owner thread.</summary>
internal sealed class SizedCounts
{
    private readonly Segments<int> _counts = new(SizedMessages.MinCount);

    /// <summary>
    /// Returns the count of an item; for a new item, the count before its first update. Memory grows only with the first access to a slot.
    /// </summary>
    /// <param name="slot">Number of the item in its session.</param>
    public ref int Of(int slot)
    {
        _counts.Reserve(slot + 1);
        return ref _counts[slot];
    }
}
