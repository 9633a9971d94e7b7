namespace HubPerf.Cache;

/// <summary>
/// Which fields some cached field lists have, in which order, and where their values lie. Shared by all items that look alike; never
/// changes.
/// </summary>
/// <remarks>
/// The bytes of a list: the length of each value, two bytes each (<see cref="Absent"/> for a field that is not there), then the values,
/// each in room of its own. So a value is replaced without moving others; one that outgrows its room gets another layout.
/// </remarks>
internal sealed class FieldLayout
{
    /// <summary>In place of a length.</summary>
    public const ushort Absent = ushort.MaxValue;

    /// <summary>Room for a value grows in these steps, so that a value of up to so many bytes is copied at once.</summary>
    public const int Step = 8;

    private const int LengthBytes = sizeof(ushort);

    // Fields found by their ids, open addressing: index + 1, 0 for none.
    private readonly ushort[] _byId;
    private readonly int _shift;

    private FieldLayout(short[] ids, int[] rooms)
    {
        Ids = ids;
        Rooms = rooms;
        Starts = new int[ids.Length];
        int at = ids.Length * LengthBytes;
        for (int i = 0; i < ids.Length; i++)
        {
            Starts[i] = at;
            at += rooms[i];
        }

        Bytes = at + Step; // a value of 8 bytes may be stored at the last place, whatever its length
        int bits = 32 - System.Numerics.BitOperations.LeadingZeroCount((uint)(ids.Length * 4) | 15);
        _shift = 32 - bits;
        _byId = new ushort[1 << bits];
        for (int i = 0; i < ids.Length; i++)
        {
            int at2 = FirstPlace(ids[i]);
            while (_byId[at2] != 0)
                at2 = (at2 + 1) & (_byId.Length - 1);
            _byId[at2] = (ushort)(i + 1);
        }
    }

    /// <summary>Ids of the fields.</summary>
    public short[] Ids { get; }

    /// <summary>Room of each value.</summary>
    public int[] Rooms { get; }

    /// <summary>Where each value lies.</summary>
    public int[] Starts { get; }

    /// <summary>Bytes of a list of this layout.</summary>
    public int Bytes { get; }

    public int Count => Ids.Length;

    /// <summary>Makes a layout.</summary>
    public static FieldLayout Create(ReadOnlySpan<short> ids, ReadOnlySpan<int> rooms) => new(ids.ToArray(), rooms.ToArray());

    /// <summary>The room for a value of so many bytes.</summary>
    public static int RoomFor(int length) => Math.Max(Step, (length + Step - 1) & -Step);

    /// <summary>Which of the fields has this id, or -1.</summary>
    public int Find(short id)
    {
        ushort[] byId = _byId;
        for (int at = FirstPlace(id); ; at = (at + 1) & (byId.Length - 1))
        {
            int index = byId[at] - 1;
            if (index < 0 || Ids[index] == id)
                return index;
        }
    }

    private int FirstPlace(short id) => (int)((uint)(id * 0x9E3779B1u) >> _shift);
}
