using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using PerfCommon.Codec;

namespace HubPerf.Cache;

/// <summary>
/// The image of an item: a field list, and the updates since, of which a later one replaces an earlier one of the same fields. Merged field
/// by field when somebody asks.
/// </summary>
/// <remarks>
/// Feeds send updates of a few shapes in turn, so most updates cost a look at their entries and a copy, and touch little memory; what has
/// no place is merged into the list at once. A struct that its owner keeps in place.
/// </remarks>
internal struct CachedImage
{
    private const byte PlainList = ListFlags.HasStandardData;
    private const int PlainHeadBytes = 3;

    // Shapes that are kept side by side, and the room for all of their updates.
    private const int MaxShapes = 6;
    private const int MaxLogBytes = 768;

    // order 4 | length 2, then the update
    private const int LengthAt = 4;
    private const int HeadBytes = 6;
    private const int MinSpareBytes = 8; // for longer values
    private const int RoomShift = 4;

    // All of an update but its bytes is found here, side by side.
    private int _list; // its place
    private int _listBytes;
    private int _listRoom;
    private int _order;
    private byte _shapes;
    private Rooms _rooms;
    private Numbers _numbers;
    private Places _places;

    /// <summary>Bytes that it takes in the store.</summary>
    public readonly int HeldBytes => _listRoom + LogBytes;

    /// <summary>Forgets everything.</summary>
    public void Clear(FieldMerger merger)
    {
        Forget(merger.Store);
        merger.Store.Return(_list, _listRoom);
        (_list, _listBytes, _listRoom) = (0, 0, 0);
    }

    /// <summary>Moves its bytes, where their blocks are given up.</summary>
    public void Move(FieldStore store)
    {
        _list = store.Move(_list, _listRoom);
        for (int i = 0; i < _shapes; i++)
            _places[i] = store.Move(_places[i], RoomOf(i));
    }

    /// <summary>Takes a list in place of what was there.</summary>
    /// <returns>False when the bytes cannot be decoded; nothing is changed then.</returns>
    public bool Replace(ReadOnlySpan<byte> list, FieldMerger merger)
    {
        if (!TryRead(list, merger.Secret, out ulong signature))
            return false;
        Forget(merger.Store);
        if (signature == 0)
        {
            merger.Begin(default);
            merger.Merge(list);
            Keep(merger.End(), merger.Store);
        }
        else
        {
            Keep(list, merger.Store);
        }

        return true;
    }

    /// <summary>Takes the fields of a list; others stay.</summary>
    /// <inheritdoc cref="Replace"/>
    public bool Merge(ReadOnlySpan<byte> list, FieldMerger merger)
    {
        if (!TryRead(list, merger.Secret, out ulong signature))
            return false;
        if (signature != 0 && _order < int.MaxValue - 1 && TryLog(merger.Shapes.NumberOf(signature), list, merger.Store))
            return true;
        ReadOnlySpan<byte> whole = Fold(list, merger);
        Keep(whole, merger.Store);
        Forget(merger.Store);
        return true;
    }

    /// <summary>The whole list; valid until the next list of any image is merged.</summary>
    public readonly ReadOnlySpan<byte> Read(FieldMerger merger) => _shapes == 0 && _list != 0 ? Kept(merger.Store) : Fold(default, merger);

    private readonly int LogBytes
    {
        get
        {
            int bytes = 0;
            for (int i = 0; i < _shapes; i++)
                bytes += RoomOf(i);
            return bytes;
        }
    }

    private readonly int RoomOf(int shape) => _rooms[shape] << RoomShift;

    private readonly ReadOnlySpan<byte> Kept(FieldStore store) => _list == 0 ? default : store.Of(_list, _listBytes);

    // Looks at every entry: a signature of their ids, in their order; 0 for a list that holds more than plain entries.
    private static bool TryRead(ReadOnlySpan<byte> list, ulong secret, out ulong signature)
    {
        signature = 0;
        if (list.Length < PlainHeadBytes || list[0] != PlainList)
            return IsGood(list);
        int left = BinaryPrimitives.ReadUInt16BigEndian(list[1..]);
        ulong hash = secret + (uint)left;
        ReadOnlySpan<byte> rest = list[PlainHeadBytes..];
        for (; left > 0 && rest.Length > 2; left--)
        {
            int length = rest[2];
            int size = length + 3;
            if (length >= LengthMark.TwoMoreBytes || size > rest.Length)
                return IsGood(list); // a long value: seldom, and not worth a signature
            hash = BitOperations.RotateLeft((hash ^ BinaryPrimitives.ReadUInt16BigEndian(rest)) * secret, 29);
            rest = rest[size..];
        }

        signature = hash | 1;
        return left == 0;
    }

    private static bool IsGood(ReadOnlySpan<byte> list)
    {
        DecodeResult result = FieldListReader.TryOpen(list, out FieldListReader reader);
        while (result == DecodeResult.Success)
            result = reader.TryReadNext(out _);
        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    private bool TryLog(ushort number, ReadOnlySpan<byte> list, FieldStore store)
    {
        for (int i = 0; i < _shapes; i++)
        {
            if (_numbers[i] == number)
                return TryPut(i, list, store);
        }

        return number != 0 && TryAdd(number, list, store);
    }

    private bool TryPut(int shape, ReadOnlySpan<byte> list, FieldStore store)
    {
        int bytes = HeadBytes + list.Length;
        if (bytes > RoomOf(shape))
            return false;
        Span<byte> room = store.Of(_places[shape], bytes);
        BinaryPrimitives.WriteInt32LittleEndian(room, ++_order);
        BinaryPrimitives.WriteUInt16LittleEndian(room[LengthAt..], (ushort)list.Length);
        list.CopyTo(room[HeadBytes..]);
        return true;
    }

    // A shape that was not seen since the last merging.
    private bool TryAdd(ushort number, ReadOnlySpan<byte> list, FieldStore store)
    {
        int bytes = HeadBytes + list.Length + MinSpareBytes;
        if (_shapes == MaxShapes || LogBytes + bytes > MaxLogBytes)
            return false;
        _numbers[_shapes] = number;
        _places[_shapes] = store.Rent(bytes, out int room);
        _rooms[_shapes] = (byte)(room >> RoomShift);
        return TryPut(_shapes++, list, store);
    }

    private void Forget(FieldStore store)
    {
        for (int i = 0; i < _shapes; i++)
            store.Return(_places[i], RoomOf(i));
        (_shapes, _order) = (0, 0);
    }

    // The list, the updates in the order of their coming, and one more.
    private readonly ReadOnlySpan<byte> Fold(ReadOnlySpan<byte> last, FieldMerger merger)
    {
        merger.Begin(Kept(merger.Store));
        for (int order = NextOrder(0, merger.Store, out int shape); order > 0; order = NextOrder(order, merger.Store, out shape))
            merger.Merge(UpdateOf(shape, merger.Store));
        if (!last.IsEmpty)
            merger.Merge(last);
        return merger.End();
    }

    // The first update behind one; 0 when there is none.
    private readonly int NextOrder(int after, FieldStore store, out int shape)
    {
        int next = int.MaxValue;
        shape = -1;
        for (int i = 0; i < _shapes; i++)
        {
            int order = BinaryPrimitives.ReadInt32LittleEndian(store.Of(_places[i], HeadBytes));
            if (order > after && order < next)
                (next, shape) = (order, i);
        }

        return shape < 0 ? 0 : next;
    }

    private readonly ReadOnlySpan<byte> UpdateOf(int shape, FieldStore store)
    {
        ReadOnlySpan<byte> room = store.Of(_places[shape], RoomOf(shape));
        return room.Slice(HeadBytes, BinaryPrimitives.ReadUInt16LittleEndian(room[LengthAt..]));
    }

    // In the same piece while that fits: each merging may change the length of a few values.
    private void Keep(ReadOnlySpan<byte> list, FieldStore store)
    {
        if (_list == 0 || list.Length > _listRoom || list.Length < _listRoom / 2)
        {
            store.Return(_list, _listRoom);
            _list = store.Rent(list.Length, out _listRoom);
        }

        list.CopyTo(store.Of(_list, list.Length));
        _listBytes = list.Length;
    }

    [InlineArray(MaxShapes)]
    private struct Rooms
    {
        private byte _units;
    }

    [InlineArray(MaxShapes)]
    private struct Numbers
    {
        private ushort _number;
    }

    [InlineArray(MaxShapes)]
    private struct Places
    {
        private int _place;
    }
}
