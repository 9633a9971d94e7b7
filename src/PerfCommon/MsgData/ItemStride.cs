namespace PerfCommon.MsgData;

/// <summary>Items of a list at even distances, so that updates sent round-robin over the list are even for their user, too.</summary>
/// <remarks>
/// Of N items K are chosen with the distance N / K, rounded down: user u begins with item u modulo that. 10,000 items and 100 of them: user
/// 7 has 7, 107, 207 ... With at least as many users as the distance, every item below K times the distance has a user, and their counts
/// differ by one at most.
/// </remarks>
public readonly record struct ItemStride
{
    private ItemStride(int first, int step, int count) => (First, Step, Count) = (first, step, count);

    /// <summary>The first item's position in the list.</summary>
    internal int First { get; }

    /// <summary>Distance from one to the next.</summary>
    internal int Step { get; }

    /// <summary>Number of items.</summary>
    internal int Count { get; }

    /// <summary>Returns the items of one user.</summary>
    /// <param name="items">Items in the list.</param>
    /// <param name="count">Items of the user, 1 to <paramref name="items"/>.</param>
    /// <param name="user">The user's number, from 0.</param>
    public static ItemStride Of(int items, int count, int user)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, items);
        ArgumentOutOfRangeException.ThrowIfNegative(user);
        int step = items / count;
        return new(user % step, step, count);
    }

    /// <summary>Returns the position in the list of one of them.</summary>
    /// <param name="item">0 to <see cref="Count"/> - 1.</param>
    internal int ListIndexOf(int item) => First + (item * Step);
}
