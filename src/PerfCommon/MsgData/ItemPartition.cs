namespace PerfCommon.MsgData;

/// <summary>Assigns the items of the list to threads: some common to all, the rest divided evenly and in order.</summary>
public sealed class ItemPartition
{
    private readonly int _share;
    private readonly int _largerShares;

    /// <summary>Divides <paramref name="itemCount"/> items among the threads.</summary>
    /// <param name="itemCount">Items of all threads together, the common ones counted once per thread.</param>
    /// <param name="threadCount">Threads, 1 or more.</param>
    /// <param name="commonItemCount">Items that every thread has; at most the smallest share of a thread.</param>
    public ItemPartition(int itemCount, int threadCount, int commonItemCount)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(threadCount, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(itemCount);
        ArgumentOutOfRangeException.ThrowIfNegative(commonItemCount);
        if (threadCount > 1)
            ArgumentOutOfRangeException.ThrowIfGreaterThan(commonItemCount, itemCount / threadCount);

        CommonItemCount = Math.Min(commonItemCount, itemCount);
        ListItemsUsed = itemCount - ((threadCount - 1) * CommonItemCount);
        (_share, _largerShares) = Math.DivRem(itemCount, threadCount);
    }

    /// <summary>Items that every thread has, the first of the list.</summary>
    internal int CommonItemCount { get; }

    /// <summary>Number of entries of the list that are used, counted from its first.</summary>
    public int ListItemsUsed { get; }

    /// <summary>Returns the items of one thread, the common ones included; the first threads have one more when the shares are uneven.</summary>
    public int CountOf(int thread) => _share + (thread < _largerShares ? 1 : 0);

    /// <summary>Returns the list index of a thread's item.</summary>
    /// <param name="thread">Thread, from 0.</param>
    /// <param name="item">0 to <see cref="CountOf"/> - 1; the common items come first.</param>
    public int ListIndexOf(int thread, int item) =>
        item < CommonItemCount ? item : (thread * (_share - CommonItemCount)) + Math.Min(thread, _largerShares) + item;
}
