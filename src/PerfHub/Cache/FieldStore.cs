using System.Buffers.Binary;
using System.Numerics;

namespace PerfHub.Cache;

/// <summary>
/// Stores the bytes of all images of one thread in large blocks, so that an item is one object for the garbage collector and its bytes are none.
/// </summary>
/// <remarks>
/// A piece is known by its place: the number of its block and, in units of 16 bytes, its start there; 0 is no place. Returned pieces are reused for
/// others of their size. When most pieces are free, the owner moves the others together, a few at a time: see <see cref="BeginMoving"/>. One owner
/// thread.
/// </remarks>
internal sealed class FieldStore
{
    private const int BlockBytes = 1 << 20;
    private const int UnitBytes = 16;
    private const int UnitShift = 4;
    private const int UnitBits = 16; // of a place, for the unit in its block; the others for the block
    private const int UnitMask = (1 << UnitBits) - 1;
    private const int MaxBlocks = (1 << (32 - UnitBits)) - 1;
    private const int SpareBlocks = 16; // more than one image uses at a time

    // Up to these units each size has its own free list, above them each eighth of a power of two; a larger piece has its own block.
    private const int FineUnits = 64;
    private const int StepBits = 3;
    private const int MaxPieceUnits = BlockBytes / UnitBytes / 8;

    // Less is not worth moving.
    private const long MinSparseBytes = 16 * BlockBytes;

    private readonly List<byte[]?> _blocks = [];
    private readonly Stack<int> _freeBlocks = new();
    private readonly List<int> _cutBlocks = []; // numbers of the blocks that pieces are cut from
    private bool[] _isLeaving = []; // by numbers of blocks, while pieces are moved
    private readonly int[] _free = new int[SizeOf(MaxPieceUnits).List + 1]; // the first piece of each list; it holds the place of the next one
    private int _next; // place after the last piece
    private int _unitsLeft;
    private long _blockBytes;

    /// <summary>Bytes of all pieces in use.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>True when no further image may be stored: a place can distinguish 65,535 blocks.</summary>
    public bool IsFull => _blocks.Count - _freeBlocks.Count > MaxBlocks - SpareBlocks;

    /// <summary>True when more than half of the blocks' bytes are unused: the pieces should be moved together.</summary>
    public bool IsSparse => _blockBytes >= MinSparseBytes && UsedBytes < _blockBytes / 2;

    /// <summary>True from <see cref="BeginMoving"/> to <see cref="EndMoving"/>.</summary>
    public bool IsMoving => _isLeaving.Length > 0;

    /// <summary>Rents new pieces from new blocks only, until every piece was moved.</summary>
    public void BeginMoving()
    {
        _isLeaving = new bool[_blocks.Count];
        foreach (int number in _cutBlocks)
            _isLeaving[number] = true;
        _cutBlocks.Clear();
        Array.Clear(_free);
        _unitsLeft = 0;
    }

    /// <summary>Moves a piece if its block is being freed; otherwise it stays.</summary>
    /// <param name="place">Its place; 0 is ignored.</param>
    /// <param name="room">Its size in bytes, before and after.</param>
    /// <returns>Its new place.</returns>
    public int Move(int place, int room)
    {
        if (!IsLeaving(place))
            return place;
        int moved = Rent(room, out _);
        Of(place, room).CopyTo(Of(moved, room));
        UsedBytes -= room;
        return moved;
    }

    /// <summary>Frees all blocks whose pieces were moved.</summary>
    public void EndMoving()
    {
        for (int number = 0; number < _isLeaving.Length; number++)
        {
            if (_isLeaving[number])
                RemoveBlock(number);
        }

        _isLeaving = [];
    }

    /// <summary>Rents a piece; its contents are undefined.</summary>
    /// <param name="bytes">Required bytes, at least 1.</param>
    /// <param name="room">The size of the piece, at least the required bytes.</param>
    public int Rent(int bytes, out int room)
    {
        int units = (bytes + UnitBytes - 1) >> UnitShift;
        (int list, units) = SizeOf(units);
        room = units << UnitShift;
        UsedBytes += room;
        if (units > MaxPieceUnits)
            return AddBlock(room) << UnitBits;
        int place = _free[list];
        if (place == 0)
            return Cut(units);
        _free[list] = BinaryPrimitives.ReadInt32LittleEndian(Of(place, sizeof(int)));
        return place;
    }

    /// <summary>Returns a piece.</summary>
    /// <param name="place">Its place; 0 is ignored.</param>
    /// <param name="room">Its size in bytes.</param>
    public void Return(int place, int room)
    {
        if (place == 0)
            return;
        UsedBytes -= room;
        int units = room >> UnitShift;
        if (units > MaxPieceUnits)
        {
            RemoveBlock(place >>> UnitBits);
            return;
        }

        if (IsLeaving(place))
            return;
        ref int first = ref _free[SizeOf(units).List];
        BinaryPrimitives.WriteInt32LittleEndian(Of(place, sizeof(int)), first);
        first = place;
    }

    /// <summary>Returns the first bytes of a piece; they do not move.</summary>
    public Span<byte> Of(int place, int bytes) => _blocks[place >>> UnitBits].AsSpan((place & UnitMask) << UnitShift, bytes);

    private bool IsLeaving(int place) => place >>> UnitBits is var number && number < _isLeaving.Length && _isLeaving[number];

    // Finds the free list of a size, and the size that all pieces of the list have.
    private static (int List, int Units) SizeOf(int units)
    {
        if (units <= FineUnits)
            return (units, units);
        int shift = BitOperations.Log2((uint)units - 1) - StepBits;
        int steps = (units + (1 << shift) - 1) >> shift; // 9 to 16
        int list = FineUnits + ((shift - StepBits) << StepBits) + steps - (1 << StepBits);
        return (list, steps << shift);
    }

    private int Cut(int units)
    {
        if (_unitsLeft < units)
        {
            // a place is never 0: the first unit of a block is left out
            int number = AddBlock(BlockBytes);
            _cutBlocks.Add(number);
            _next = (number << UnitBits) + 1;
            _unitsLeft = (BlockBytes / UnitBytes) - 1;
        }

        int place = _next;
        _next += units;
        _unitsLeft -= units;
        return place;
    }

    private int AddBlock(int bytes)
    {
        byte[] block = GC.AllocateUninitializedArray<byte>(bytes);
        _blockBytes += bytes;
        if (_freeBlocks.TryPop(out int number))
        {
            _blocks[number] = block;
            return number;
        }

        if (_blocks.Count == 0)
            _blocks.Add(null); // nor the number of a block that begins a place
        if (_blocks.Count > MaxBlocks)
            throw new InsufficientMemoryException("The images of one thread have no room in 65,535 blocks.");
        _blocks.Add(block);
        return _blocks.Count - 1;
    }

    private void RemoveBlock(int number)
    {
        _blockBytes -= _blocks[number]!.Length;
        _blocks[number] = null;
        _freeBlocks.Push(number);
    }
}
