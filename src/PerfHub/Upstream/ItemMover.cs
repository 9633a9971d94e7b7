using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>Moves images together once most of their memory is free, so that the system gets the memory back.</summary>
/// <remarks>Some items in each turn; images that arrive meanwhile are stored in new blocks. One owner thread.</remarks>
/// <param name="items">The items of the thread.</param>
internal sealed class ItemMover(ItemCache items)
{
    private const int MaxMovesPerTurn = 256; // items; received messages wait for them

    private readonly FieldStore _store = items.Merger.Store;
    private readonly ItemTable _table = items.Table;
    private int _nextToMove; // slot of the next one

    /// <summary>True while images are being moved.</summary>
    public bool IsMoving => _store.IsMoving;

    /// <summary>Moves some of the remaining images, if many were freed.</summary>
    public void MoveWhenSparse()
    {
        if (!_store.IsMoving && !_store.IsSparse)
            return;
        if (!_store.IsMoving)
        {
            _store.BeginMoving();
            _nextToMove = 0;
        }

        int slots = _table.SlotCount; // also of those that arrived meanwhile
        int end = Math.Min(slots, _nextToMove + MaxMovesPerTurn);
        for (; _nextToMove < end; _nextToMove++)
            _table[_nextToMove]?.Move(items.Merger);
        if (_nextToMove >= slots)
            _store.EndMoving();
    }
}
