using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using PerfCommon.Load;

namespace PerfCommon.Sessions;

/// <summary>Finds the slot of an open item by its name and kind, without an object per item.</summary>
/// <remarks>
/// A name of up to 14 bytes is in the 16 bytes of its slot, a longer one at the position stored there; <see cref="SlotChains"/> finds them.
/// One owner, no allocation once grown.
/// </remarks>
internal sealed class ItemNameIndex
{
    // wire/rwf 9.2
    private const int MaxName = 255;

    // a cell: length of the name | kind, with a bit for a name stored elsewhere | the name, or: space of the name - 1 | 0 | its start, int32
    private const int CellBytes = 16;
    private const int KindAt = 1;
    private const int NameAt = 2;
    private const int RoomAt = 2;
    private const int StartAt = 4;
    private const byte ElsewhereBit = 0x80;

    private readonly SlotChains _chains;
    private readonly Segments<Cell> _cells = new();
    private readonly Segments<byte> _rooms = new(); // of longer names, each of a power of two
    private int _roomBytes;
    private int _cellsUsed;

    public ItemNameIndex() => _chains = new(slot => Hash(NameOf(slot)));

    /// <summary>Names in the index.</summary>
    public int Count => _chains.Count;

    /// <summary>Bytes used for names, current and former.</summary>
    public long KeptBytes => ((long)_cellsUsed * CellBytes) + _roomBytes;

    /// <summary>Returns the name of a slot that is in the index, or was and has no other yet; valid until the next <see cref="Add"/>.</summary>
    public ReadOnlySpan<byte> NameOf(int slot)
    {
        Span<byte> cell = _cells[slot];
        return RoomOf(cell)[..cell[0]];
    }

    /// <summary>True when a name can be added without more memory, because the slot had one as long before.</summary>
    public bool HasRoom(int slot, int nameBytes) => slot < _cellsUsed && RoomOf(_cells[slot]).Length >= nameBytes;

    /// <summary>Finds the slot of a name; -1 for none.</summary>
    /// <param name="name">The name.</param>
    /// <param name="kind">Rest of the item's key, 0 to 127.</param>
    public int Find(ReadOnlySpan<byte> name, byte kind = 0) => FirstOf(_chains.First(Hash(name)), name, kind);

    /// <summary>Finds the next slot with the name and the kind of one that was found; -1 for none.</summary>
    public int FindNext(int slot) => FirstOf(_chains.Next(slot), NameOf(slot), KindOf(_cells[slot]));

    private int FirstOf(int slot, ReadOnlySpan<byte> name, byte kind)
    {
        while (slot >= 0 && !(NameOf(slot).SequenceEqual(name) && KindOf(_cells[slot]) == kind))
            slot = _chains.Next(slot);
        return slot;
    }

    /// <summary>Adds a name; it may already be there with the same kind.</summary>
    /// <param name="slot">0 or more; not in use.</param>
    /// <param name="name">At most 255 bytes.</param>
    /// <param name="kind">As in <see cref="Find"/>.</param>
    public void Add(int slot, ReadOnlySpan<byte> name, byte kind = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(name.Length, MaxName);
        _cells.Reserve(slot + 1);
        _cellsUsed = Math.Max(_cellsUsed, slot + 1);
        Span<byte> cell = _cells[slot];
        if (RoomOf(cell).Length < name.Length)
            Allocate(cell, name.Length);
        cell[0] = (byte)name.Length;
        cell[KindAt] = (byte)((cell[KindAt] & ElsewhereBit) | kind);
        name.CopyTo(RoomOf(cell));
        _chains.Add(slot);
    }

    /// <summary>Removes a slot's name.</summary>
    public void Remove(int slot)
    {
        if (slot >= _cellsUsed || !_chains.Remove(slot))
            throw new InvalidOperationException($"slot {slot} is not in the index");
    }

    // A slot keeps its space when its item closes; a longer name later gets a new one of the next size. None crosses a segment.
    private void Allocate(Span<byte> cell, int length)
    {
        int room = (int)BitOperations.RoundUpToPowerOf2((uint)length);
        int start = (_roomBytes + room - 1) & -room;
        _roomBytes = start + room;
        _rooms.Reserve(_roomBytes);
        cell[KindAt] |= ElsewhereBit;
        cell[RoomAt] = (byte)(room - 1);
        BinaryPrimitives.WriteInt32LittleEndian(cell[StartAt..], start);
    }

    private Span<byte> RoomOf(Span<byte> cell) => (cell[KindAt] & ElsewhereBit) == 0
        ? cell[NameAt..]
        : _rooms.Slice(BinaryPrimitives.ReadInt32LittleEndian(cell[StartAt..]), cell[RoomAt] + 1);

    private static byte KindOf(Span<byte> cell) => (byte)(cell[KindAt] & ~ElsewhereBit);

    // The start value is secret, so that a peer cannot choose names that all collide.
    private static uint Hash(ReadOnlySpan<byte> name)
    {
        HashCode hash = new();
        hash.AddBytes(name);
        return (uint)hash.ToHashCode();
    }

    [InlineArray(CellBytes)]
    private struct Cell
    {
        private byte _first;
    }
}
