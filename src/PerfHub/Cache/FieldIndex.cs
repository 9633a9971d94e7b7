using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;

namespace PerfHub.Cache;

/// <summary>Finds fields of a long list by their ids: open addressing, each place has the number of the field plus 1, 0 for none.</summary>
/// <remarks>Hashes with a secret multiplier, so that a peer cannot choose ids that all collide. One owner thread.</remarks>
internal sealed class FieldIndex
{
    private const int MinPlaces = 64;
    private const int MaxFullPercent = 50;

    private static readonly uint Secret = BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))) | 1;

    private ushort[] _places = new ushort[MinPlaces];
    private int _shift = 32 - BitOperations.Log2(MinPlaces);
    private int _count;

    /// <summary>Bytes in memory.</summary>
    public int HeldBytes => _places.Length * sizeof(ushort);

    /// <summary>Finds the field with an id; -1 for none.</summary>
    /// <param name="id">The id.</param>
    /// <param name="entries">The fields, each beginning with its id.</param>
    /// <param name="entryBytes">Bytes of each field.</param>
    public int Find(ushort id, ReadOnlySpan<byte> entries, int entryBytes)
    {
        ushort[] places = _places;
        for (int at = FirstPlace(id); ; at = (at + 1) & (places.Length - 1))
        {
            int field = places[at] - 1;
            if (field < 0 || IdOf(entries, field, entryBytes) == id)
                return field;
        }
    }

    /// <summary>Adds the fields after those already in the index.</summary>
    /// <param name="count">Number of fields.</param>
    /// <param name="entries">The fields, each beginning with its id.</param>
    /// <param name="entryBytes">Bytes of each field.</param>
    public void AddUpTo(int count, ReadOnlySpan<byte> entries, int entryBytes)
    {
        if (count * 100L > _places.Length * (long)MaxFullPercent)
        {
            _places = new ushort[BitOperations.RoundUpToPowerOf2((uint)(count * 4))];
            _shift = 32 - BitOperations.Log2((uint)_places.Length);
            _count = 0;
        }

        while (_count < count)
        {
            int at = FirstPlace(IdOf(entries, _count, entryBytes));
            while (_places[at] != 0)
                at = (at + 1) & (_places.Length - 1);
            _places[at] = (ushort)++_count;
        }
    }

    private static ushort IdOf(ReadOnlySpan<byte> entries, int field, int entryBytes) =>
        BinaryPrimitives.ReadUInt16LittleEndian(entries[(field * entryBytes)..]);

    private int FirstPlace(ushort id) => (int)((id * Secret) >> _shift);
}
