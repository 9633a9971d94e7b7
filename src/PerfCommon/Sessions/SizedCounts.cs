namespace PerfCommon.Sessions;

/// <summary>What each item of a connection counts of its updates (<see cref="SizedMessages"/>), by its slot. One owner thread.</summary>
internal sealed class SizedCounts
{
    private int[] _counts = [];

    /// <summary>
    /// The count of an item; of one that was not asked for before, that before its first update. Grows with the first look at a slot only.
    /// </summary>
    public ref int Of(int slot)
    {
        if (slot >= _counts.Length)
            Grow(slot);
        return ref _counts[slot];
    }

    private void Grow(int slot)
    {
        int before = _counts.Length;
        Array.Resize(ref _counts, Math.Max(slot + 1, 2 * before));
        _counts.AsSpan(before).Fill(SizedMessages.MinCount);
    }
}
