using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <content>Images that move together once most of their memory is free.</content>
internal sealed partial class SourceHost
{
    private const int MaxMovesPerTurn = 256; // items: what is received waits for them

    private int _nextToMove; // slot of the next one

    // Once much was given back the rest moves together, some items in each turn, and the system has the room again. What comes meanwhile is
    // in new blocks.
    internal void MoveWhenSparse()
    {
        FieldStore store = Merger.Store;
        if (!store.IsMoving && !store.IsSparse)
            return;
        if (!store.IsMoving)
        {
            store.BeginMoving();
            _nextToMove = 0;
        }

        int slots = _items.SlotCount; // also of those that came meanwhile
        int end = Math.Min(slots, _nextToMove + MaxMovesPerTurn);
        for (; _nextToMove < end; _nextToMove++)
            _items[_nextToMove]?.Move(store);
        if (_nextToMove >= slots)
            store.EndMoving();
    }
}
