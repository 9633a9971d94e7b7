using System.Numerics;

namespace PerfCommon.Sessions;

/// <summary>Finds the slot of an open item by its name, without an object per item.</summary>
/// <remarks>Names lie in one growing byte array, a set has the slots by their names. One owner, no allocation once grown.</remarks>
internal sealed class ItemNameIndex : IEqualityComparer<int>, IAlternateEqualityComparer<ReadOnlySpan<byte>, int>
{
    private const int MinRoom = 16;
    // wire/rwf 9.2
    private const int MaxName = 255;

    private readonly HashSet<int> _open;
    private readonly HashSet<int>.AlternateLookup<ReadOnlySpan<byte>> _byName;
    private byte[] _names = new byte[1024];
    private int _namesUsed;
    private Place[] _places = new Place[64];

    public ItemNameIndex()
    {
        _open = new(this);
        _byName = _open.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>Names in the index.</summary>
    public int Count => _open.Count;

    /// <summary>The name of a slot that is in the index; valid until the next <see cref="Add"/>.</summary>
    public ReadOnlySpan<byte> NameOf(int slot) => _names.AsSpan(_places[slot].Start, _places[slot].Length);

    /// <summary>The slot of a name, or -1.</summary>
    public int Find(ReadOnlySpan<byte> name) => _byName.TryGetValue(name, out int slot) ? slot : -1;

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
        name.CopyTo(_names.AsSpan(_places[slot].Start));
        _open.Add(slot);
    }

    /// <summary>Takes a slot's name out.</summary>
    public void Remove(int slot)
    {
        if (!_open.Remove(slot))
            throw new InvalidOperationException($"slot {slot} is not in the index");
    }

    bool IEqualityComparer<int>.Equals(int x, int y) => x == y;

    int IEqualityComparer<int>.GetHashCode(int slot) => Hash(NameOf(slot));

    bool IAlternateEqualityComparer<ReadOnlySpan<byte>, int>.Equals(ReadOnlySpan<byte> name, int slot) => NameOf(slot).SequenceEqual(name);

    int IAlternateEqualityComparer<ReadOnlySpan<byte>, int>.GetHashCode(ReadOnlySpan<byte> name) => Hash(name);

    int IAlternateEqualityComparer<ReadOnlySpan<byte>, int>.Create(ReadOnlySpan<byte> name) => throw new NotSupportedException();

    // A slot keeps its room when its item closes; a longer name later takes a new one of the next size.
    private void TakeRoom(int slot, int length)
    {
        int room = Math.Min((int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(length, MinRoom)), MaxName);
        if (_namesUsed + room > _names.Length)
            Array.Resize(ref _names, Math.Max(_names.Length * 2, _namesUsed + room));
        _places[slot] = new(_namesUsed, 0, (byte)room);
        _namesUsed += room;
    }

    // From a secret start value, so that a peer cannot choose names that all collide.
    private static int Hash(ReadOnlySpan<byte> name)
    {
        HashCode hash = new();
        hash.AddBytes(name);
        return hash.ToHashCode();
    }

    private record struct Place(int Start, byte Length, byte Room);
}
