namespace PerfCommon.Sessions;

/// <summary>What each item of a connection counts of its updates (<see cref="SizedMessages"/>), by its slot. One owner thread.</summary>
internal sealed class SizedCounts
{
    private readonly Segments<int> _counts = new(SizedMessages.MinCount);

    /// <summary>
    /// The count of an item; of one that was not asked for before, that before its first update. Grows with the first look at a slot only.
    /// </summary>
    public ref int Of(int slot)
    {
        _counts.Reserve(slot + 1);
        return ref _counts[slot];
    }
}
