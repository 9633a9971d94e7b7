using System.Numerics;

namespace PerfCommon.Sessions;

/// <summary>Finds the slot of an open item by its name, without an object per item.</summary>
/// <remarks>
/// Names lie in arrays that stay where they are; <see cref="SlotChains"/> finds them. One owner, no allocation once grown.
/// </remarks>
internal sealed class ItemNameIndex
{
    private const int MinRoom = 16;
    // wire/rwf 9.2
    private const int MaxName = 255;
    private const int ArrayBytes = 1024;

    private readonly SlotChains _chains;
    private readonly List<byte[]> _names = [];
    private int _lastUsed = ArrayBytes; // bytes of the last array
    private Place[] _places = new Place[64];

    public ItemNameIndex() => _chains = new(slot => Hash(NameOf(slot)));

    /// <summary>Names in the index.</summary>
    public int Count => _chains.Count;

    /// <summary>Bytes of the arrays that hold names, and held them.</summary>
    public long KeptBytes => (long)_names.Count * ArrayBytes;

    /// <summary>The name of a slot that is in the index; valid until the next <see cref="Add"/>.</summary>
    public ReadOnlySpan<byte> NameOf(int slot) => RoomOf(_places[slot])[.._places[slot].Length];

    /// <summary>True when a name can be entered without a further array, because the slot had one as long before.</summary>
    public bool HasRoom(int slot, int nameBytes) => slot < _places.Length && _places[slot].Room >= nameBytes;

    /// <summary>The slot of a name, or -1.</summary>
    public int Find(ReadOnlySpan<byte> name)
    {
        int slot = _chains.First(Hash(name));
        while (slot >= 0 && !NameOf(slot).SequenceEqual(name))
            slot = _chains.Next(slot);
        return slot;
    }

    /// <summary>Enters a name that is not there yet.</summary>
    /// <param name="slot">0 or more; not in use.</param>
    /// <param name="name">At most 255 bytes.</param>
    public void Add(int slot, ReadOnlySpan<byte> name)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(name.Length, MaxName);
        if (slot >= _places.Length)
            Array.Resize(ref _places, Math.Max(slot + 1, _places.Length * 2));
        if (_places[slot].Room < name.Length)
            TakeRoom(slot, name.Length);
        _places[slot].Length = (byte)name.Length;
        name.CopyTo(RoomOf(_places[slot]));
        _chains.Add(slot);
    }

    /// <summary>Takes a slot's name out.</summary>
    public void Remove(int slot)
    {
        if (slot >= _places.Length || !_chains.Remove(slot))
            throw new InvalidOperationException($"slot {slot} is not in the index");
    }

    // A slot keeps its room when its item closes; a longer name later takes a new one of the next size.
    private void TakeRoom(int slot, int length)
    {
        int room = Math.Min((int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(length, MinRoom)), MaxName);
        if (_lastUsed + room > ArrayBytes)
        {
            _names.Add(new byte[ArrayBytes]);
            _lastUsed = 0;
        }

        _places[slot] = new(((_names.Count - 1) * ArrayBytes) + _lastUsed, 0, (byte)room);
        _lastUsed += room;
    }

    // Nothing of a name that has no byte.
    private Span<byte> RoomOf(Place place) =>
        place.Room == 0 ? default : _names[place.Start / ArrayBytes].AsSpan(place.Start % ArrayBytes, place.Room);

    // From a secret start value, so that a peer cannot choose names that all collide.
    private static uint Hash(ReadOnlySpan<byte> name)
    {
        HashCode hash = new();
        hash.AddBytes(name);
        return (uint)hash.ToHashCode();
    }

    private record struct Place(int Start, byte Length, byte Room);
}
