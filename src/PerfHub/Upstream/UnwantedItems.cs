namespace PerfHub.Upstream;

/// <summary>The items that no provider has any more and nobody watches, while their images are kept: in the order in which they go.</summary>
/// <remarks>Time is an argument. An item is among them once at most, also after it was wanted again. One owner thread.</remarks>
/// <param name="keepNanos">For how long an image is kept once its provider has left.</param>
internal sealed class UnwantedItems(long keepNanos)
{
    private Queue<(CachedItem Item, long DueNanos)> _byTime = new();

    /// <summary>Items that are among them, some of which may be wanted again.</summary>
    public int Count => _byTime.Count;

    /// <summary>When the next one goes; far away for none.</summary>
    public long NextDueNanos => _byTime.TryPeek(out (CachedItem Item, long DueNanos) next) ? next.DueNanos : long.MaxValue;

    /// <summary>Keeps an item that nobody wants for as long as its image may be asked for.</summary>
    /// <returns>False when it is to go at once.</returns>
    public bool TryKeep(CachedItem item, long nowNanos)
    {
        if (!item.HasImage || !item.IsShared)
            return false;
        item.LeftNanos ??= nowNanos;
        long due = item.LeftNanos.Value + keepNanos;
        if (due <= nowNanos)
            return false;
        if (item.IsKept)
            return true; // at its place, where it is looked at anew
        item.IsKept = true;
        _byTime.Enqueue((item, due));
        return true;
    }

    /// <summary>The next item that is to go, if it is still unwanted.</summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="item">It; null when the one that was due is wanted, or was given more time.</param>
    /// <returns>False when none is due.</returns>
    public bool TryTakeDue(long nowNanos, out CachedItem? item)
    {
        item = null;
        if (NextDueNanos > nowNanos)
            return false;
        CachedItem due = _byTime.Dequeue().Item;
        due.IsKept = false;
        if (_byTime.Count == 0)
            _byTime = new(); // with what many took
        if (due is { IsUnwanted: true, IsFreed: false } && !TryKeep(due, nowNanos))
            item = due;
        return true;
    }

    /// <summary>The next item that is unwanted, whether its time has come or not.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTakeAny(out CachedItem? item)
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
