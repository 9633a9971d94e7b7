namespace PerfHub.Upstream;

/// <summary>The items without publishers and watchers whose images are still kept, in the order of their removal.</summary>
/// <remarks>Time is an argument. An item is contained once at most, also after it was watched again. One owner thread.</remarks>
/// <param name="keepNanos">How long an image is kept after its provider has left.</param>
internal sealed class UnwantedItems(long keepNanos)
{
    private Queue<(CachedItem Item, long DueNanos)> _byTime = new();

    /// <summary>Number of items, some of which may be watched again.</summary>
    public int Count => _byTime.Count;

    /// <summary>When the next item is removed; far in the future for none.</summary>
    public long NextDueNanos => _byTime.TryPeek(out (CachedItem Item, long DueNanos) next) ? next.DueNanos : long.MaxValue;

    /// <summary>Keeps an item without watchers as long as its image may be requested.</summary>
    /// <returns>False when it is to be removed at once.</returns>
    public bool TryKeep(CachedItem item, long nowNanos)
    {
        if (!item.Image.Exists || !item.Terms.IsShared)
            return false;
        item.LeftNanos ??= nowNanos;
        long due = item.LeftNanos.Value + keepNanos;
        if (due <= nowNanos)
            return false;
        if (item.IsKept)
            return true; // at its place, where it is checked again
        item.IsKept = true;
        _byTime.Enqueue((item, due));
        return true;
    }

    /// <summary>Returns the next item to remove, if it is still unwanted.</summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="item">The item; null when the due one is watched, or got more time.</param>
    /// <returns>False when none is due.</returns>
    public bool TryDequeueDue(long nowNanos, out CachedItem? item)
    {
        item = null;
        if (NextDueNanos > nowNanos)
            return false;
        CachedItem due = _byTime.Dequeue().Item;
        due.IsKept = false;
        if (_byTime.Count == 0)
            _byTime = new(); // with the capacity that many items needed
        if (due is { IsUnwanted: true, IsFreed: false } && !TryKeep(due, nowNanos))
            item = due;
        return true;
    }

    /// <summary>Returns the next unwanted item, due or not.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryDequeueAny(out CachedItem? item)
    {
        item = null;
        if (!_byTime.TryDequeue(out (CachedItem Item, long DueNanos) next))
            return false;
        next.Item.IsKept = false;
        if (next.Item is { IsUnwanted: true, IsFreed: false })
            item = next.Item;
        return true;
    }
}
