namespace PerfHub.Upstream;

/// <summary>Goes through all items of a source thread, as much at a time as its owner takes.</summary>
/// <param name="host">The thread.</param>
internal sealed class ItemSweep(SourceHost host)
{
    private int _next = int.MaxValue; // slot

    /// <summary>True while it is under way.</summary>
    public bool IsOn => _next < int.MaxValue;

    /// <summary>Begins at the first item.</summary>
    public void Begin() => _next = 0;

    /// <summary>Goes no further.</summary>
    public void End() => _next = int.MaxValue;

    /// <summary>The item of the next slot; null where there is none.</summary>
    /// <returns>False behind the last, where it is over.</returns>
    public bool TryTakeNext(out CachedItem? item)
    {
        item = null;
        if (!IsOn)
            return false;
        if (_next >= host.SlotCount)
        {
            End();
            return false;
        }

        item = host.ItemAt(_next++) is { Of: null } found ? found : null;
        return true;
    }
}
