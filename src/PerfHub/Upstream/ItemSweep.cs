namespace PerfHub.Upstream;

/// <summary>Visits all items of a source thread, in steps whose size its owner decides.</summary>
/// <param name="items">The items of the thread.</param>
internal sealed class ItemSweep(ItemTable items)
{
    private int _next = int.MaxValue; // slot

    /// <summary>True while it is under way.</summary>
    public bool IsOn => _next < int.MaxValue;

    /// <summary>Begins at the first item.</summary>
    public void Begin() => _next = 0;

    /// <summary>Stops.</summary>
    public void End() => _next = int.MaxValue;

    /// <summary>Returns the item of the next slot; null where there is none.</summary>
    /// <returns>False after the last, where it ends.</returns>
    public bool TryGetNext(out CachedItem? item)
    {
        item = null;
        if (!IsOn)
            return false;
        if (_next >= items.SlotCount)
        {
            End();
            return false;
        }

        item = items[_next++] is { Of: null } found ? found : null;
        return true;
    }
}
