using System.Buffers.Binary;

namespace PerfCommon.Sessions;

/// <summary>Finds the slot of an open item by its name, without an object per item.</summary>
/// <remarks>Names lie in one growing byte array; slots are found by open addressing. One owner, no allocation once grown.</remarks>
internal sealed class ItemNameIndex
{
    private const int Free = 0;
    private const int Removed = -1;
    private const int SmallestRoom = 16;
    private const int LargestName = 255;

    // A secret start value, so that a peer cannot choose names that all collide.
    private readonly ulong _seed = (ulong)Random.Shared.NextInt64() | 1;
    private byte[] _names = new byte[1024];
    private int _namesUsed;
    private int[] _starts = new int[64];
    private byte[] _lengths = new byte[64];
    private byte[] _rooms = new byte[64];
    private int[] _cells = new int[256];
    private int _cellsTaken;
    private int _count;

    /// <summary>Names in the index.</summary>
    public int Count => _count;

    /// <summary>The name of a slot that is in the index; valid until the next <see cref="Add"/>.</summary>
    public ReadOnlySpan<byte> NameOf(int slot) => _names.AsSpan(_starts[slot], _lengths[slot]);

    /// <summary>Finds a name.</summary>
    /// <returns>Its slot, or -1.</returns>
    public int Find(ReadOnlySpan<byte> name)
    {
        int mask = _cells.Length - 1;
        for (int cell = (int)Hash(name) & mask; _cells[cell] != Free; cell = (cell + 1) & mask)
        {
            int slot = _cells[cell] - 1;
            if (slot >= 0 && NameOf(slot).SequenceEqual(name))
                return slot;
        }

        return -1;
    }

    /// <summary>Enters a name that is not there yet.</summary>
    /// <param name="slot">0 or more; not in use.</param>
    /// <param name="name">At most 255 bytes.</param>
    public void Add(int slot, ReadOnlySpan<byte> name)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(name.Length, LargestName);
        if (slot >= _starts.Length)
            GrowSlots(slot);
        if (_rooms[slot] < name.Length)
            TakeRoom(slot, name.Length);
        name.CopyTo(_names.AsSpan(_starts[slot]));
        _lengths[slot] = (byte)name.Length;
        if (4 * (_cellsTaken + 1) > 3 * _cells.Length)
            Rebuild();
        Enter(slot);
        _count++;
    }

    /// <summary>Takes a slot's name out.</summary>
    public void Remove(int slot)
    {
        int mask = _cells.Length - 1;
        int cell = (int)Hash(NameOf(slot)) & mask;
        while (_cells[cell] != slot + 1)
        {
            if (_cells[cell] == Free)
                throw new InvalidOperationException($"slot {slot} is not in the index");
            cell = (cell + 1) & mask;
        }

        _cells[cell] = Removed;
        _lengths[slot] = 0;
        _count--;
    }

    private void Enter(int slot)
    {
        int mask = _cells.Length - 1;
        int cell = (int)Hash(NameOf(slot)) & mask;
        while (_cells[cell] > Free)
            cell = (cell + 1) & mask;
        if (_cells[cell] == Free)
            _cellsTaken++;
        _cells[cell] = slot + 1;
    }

    private void Rebuild()
    {
        int[] old = _cells;
        _cells = new int[2 * _count >= old.Length / 2 ? old.Length * 2 : old.Length];
        _cellsTaken = 0;
        foreach (int entry in old)
        {
            if (entry > Free)
                Enter(entry - 1);
        }
    }

    private void GrowSlots(int slot)
    {
        int size = Math.Max(slot + 1, _starts.Length * 2);
        Array.Resize(ref _starts, size);
        Array.Resize(ref _lengths, size);
        Array.Resize(ref _rooms, size);
    }

    // A slot keeps its room when its item closes; a longer name later takes a new one of the next size.
    private void TakeRoom(int slot, int length)
    {
        int room = SmallestRoom;
        while (room < length)
            room *= 2;
        room = Math.Min(room, LargestName);
        if (_namesUsed + room > _names.Length)
            Array.Resize(ref _names, Math.Max(_names.Length * 2, _namesUsed + room));
        _starts[slot] = _namesUsed;
        _rooms[slot] = (byte)room;
        _namesUsed += room;
    }

    private uint Hash(ReadOnlySpan<byte> name)
    {
        const ulong Mixer = 0x9E3779B97F4A7C15;
        const ulong Finisher = 0xD6E8FEB86659FD93;
        ulong hash = _seed + (ulong)name.Length;
        while (name.Length >= sizeof(ulong))
        {
            hash = ulong.RotateLeft((hash ^ BinaryPrimitives.ReadUInt64LittleEndian(name)) * Mixer, 29);
            name = name[sizeof(ulong)..];
        }

        foreach (byte letter in name)
            hash = (hash ^ letter) * Mixer;

        // names differ in a few letters: without a last round their high bits would hardly differ
        hash = (hash ^ (hash >> 32)) * Finisher;
        return (uint)(hash >> 32);
    }
}
