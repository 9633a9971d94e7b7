using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <content>Moves images together once most of their memory is free.</content>
internal sealed partial class UpstreamThread
{
    private const int MaxMovesPerTurn = 256; // items; received messages wait for them

    private int _nextToMove; // slot of the next one

    // Moves the remaining images together once many were freed, some items in each turn, so that the system gets the memory back. Images that arrive
    // meanwhile are stored in new blocks.
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

        int slots = _items.SlotCount; // also of those that arrived meanwhile
        int end = Math.Min(slots, _nextToMove + MaxMovesPerTurn);
        for (; _nextToMove < end; _nextToMove++)
            _items[_nextToMove]?.Move(store);
        if (_nextToMove >= slots)
            store.EndMoving();
    }
}
