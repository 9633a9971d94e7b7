using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfHub.Cache;

/// <summary>
/// The image of an item: a field list, and the updates since, of which a later one replaces an earlier one of the same fields. They are merged field
/// by field when the image is read.
/// </summary>
/// <remarks>
/// Feeds send updates of a few shapes in turn, so most updates cost a scan of their entries and a copy, and touch little memory. An update that fits
/// in no slot is appended to the list, and merged into it once the bytes reserved there are full. These are half of the list's length, so an update
/// costs in proportion to its own bytes, however long the list is. A struct that its owner keeps in place.
/// </remarks>
internal struct CachedImage
{
    // Shapes kept at the same time, and the maximum bytes of all their updates.
    private const int MaxShapes = 6;
    private const int MaxLogBytes = 832;

    // order 4 | length 2 | signature of the shape 8, then the update
    private const int LengthAt = 4;
    private const int SignatureAt = 6;
    private const int HeadBytes = 14;
    private const int TagShift = 48; // of a signature, which is compared first
    private const int MinSpareBytes = 8; // for longer values
    private const int RoomShift = 4;

    // After the list: order 4 | length 2, then the update. The end of the last one is stored at the end of the piece.
    private const int LateHeadBytes = 6;
    private const int EndBytes = sizeof(int);
    private const int MinLateBytes = 256;

    // All of an update but its bytes is stored here, together.
    private int _list; // its place
    private int _listBytes;
    private int _listRoom;
    private int _order;
    private byte _shapes;
    private Rooms _rooms;
    private bool _hasLateRoom; // after the list
    private Tags _tags;
    private Places _places;

    /// <summary>Bytes that it uses in the store.</summary>
    public readonly int HeldBytes => _listRoom + LogBytes;

    /// <summary>Clears the image and returns its pieces.</summary>
    public void Clear(FieldMerger merger)
    {
        Release(merger);
        merger.Store.Return(_list, _listRoom);
        (_list, _listBytes, _listRoom, _hasLateRoom) = (0, 0, 0, false);
    }

    /// <summary>Moves its bytes out of blocks that are being freed.</summary>
    public void Move(FieldMerger merger)
    {
        FieldStore store = merger.Store;
        merger.EndCount(Place); // what it leaves out is counted again there
        _list = store.Move(_list, _listRoom);
        for (int i = 0; i < _shapes; i++)
            _places[i] = store.Move(_places[i], RoomOf(i));
    }

    /// <summary>Replaces the image by a list.</summary>
    /// <returns>False when the bytes cannot be decoded, or the store is full; nothing is changed then.</returns>
    public bool Replace(ReadOnlySpan<byte> list, FieldMerger merger)
    {
        if (!ListSignature.TryRead(list, merger, out ulong signature) || merger.Store.IsFull)
            return false;
        Release(merger);
        if (signature != 0 && BinaryPrimitives.ReadUInt16BigEndian(list[1..]) <= merger.Limit.MaxFields)
        {
            Keep(list, merger.Store);
            return true;
        }

        merger.Begin(default);
        merger.Merge(list);
        Keep(merger.End(), merger.Store);
        return true;
    }

    /// <summary>Merges the fields of a list; others stay.</summary>
    /// <inheritdoc cref="Replace"/>
    public bool Merge(ReadOnlySpan<byte> list, FieldMerger merger)
    {
        if (!ListSignature.TryRead(list, merger, out ulong signature) || merger.Store.IsFull)
            return false;
        if (_order < int.MaxValue - 1
            && ((signature != 0 && TryLog(signature, list, merger.Store)) || TryAddLate(list, merger.Store)))
        {
            return true;
        }

        ReadOnlySpan<byte> whole = Fold(list, merger);
        Release(merger);
        Keep(whole, merger.Store, Math.Max(whole.Length / 2, MinLateBytes));
        return true;
    }

    /// <summary>Returns the whole list; valid until the next list of any image is merged.</summary>
    public readonly ReadOnlySpan<byte> Read(FieldMerger merger) =>
        _order == 0 && _list != 0 ? Kept(merger.Store) : Fold(default, merger);

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

    // Of no other image; 0 for none.
    private readonly int Place => _list != 0 || _shapes == 0 ? _list : _places[0];

    private readonly int RoomOf(int shape) => _rooms[shape] << RoomShift;

    private readonly ReadOnlySpan<byte> Kept(FieldStore store) => _list == 0 ? default : store.Of(_list, _listBytes);

    private bool TryLog(ulong signature, ReadOnlySpan<byte> list, FieldStore store)
    {
        ushort tag = (ushort)(signature >> TagShift);
        for (int i = 0; i < _shapes; i++)
        {
            if (_tags[i] == tag && IsOf(signature, i, store))
                return TryPut(i, list, store);
        }

        return TryAdd(signature, list, store);
    }

    private readonly bool IsOf(ulong signature, int shape, FieldStore store) =>
        BinaryPrimitives.ReadUInt64LittleEndian(store.Of(_places[shape], HeadBytes)[SignatureAt..]) == signature;

    private bool TryPut(int shape, ReadOnlySpan<byte> list, FieldStore store)
    {
        int bytes = HeadBytes + list.Length;
        if (bytes > RoomOf(shape))
            return false;
        Span<byte> room = store.Of(_places[shape], bytes);
        WriteOrder(room, list.Length);
        list.CopyTo(room[HeadBytes..]);
        return true;
    }

    // Adds a shape that was not seen since the last merge.
    private bool TryAdd(ulong signature, ReadOnlySpan<byte> list, FieldStore store)
    {
        int bytes = HeadBytes + list.Length + MinSpareBytes;
        if (_shapes == MaxShapes || LogBytes + bytes > MaxLogBytes)
            return false;
        _tags[_shapes] = (ushort)(signature >> TagShift);
        _places[_shapes] = store.Rent(bytes, out int room);
        _rooms[_shapes] = (byte)(room >> RoomShift);
        BinaryPrimitives.WriteUInt64LittleEndian(store.Of(_places[_shapes], HeadBytes)[SignatureAt..], signature);
        return TryPut(_shapes++, list, store);
    }

    // Appends to the list, in the order of arrival.
    private bool TryAddLate(ReadOnlySpan<byte> list, FieldStore store)
    {
        if (!_hasLateRoom || list.Length > ushort.MaxValue)
            return false;
        Span<byte> piece = store.Of(_list, _listRoom);
        int end = BinaryPrimitives.ReadInt32LittleEndian(piece[^EndBytes..]);
        Span<byte> room = piece[end..^EndBytes];
        if (room.Length < LateHeadBytes + list.Length)
            return false;
        WriteOrder(room, list.Length);
        list.CopyTo(room[LateHeadBytes..]);
        BinaryPrimitives.WriteInt32LittleEndian(piece[^EndBytes..], end + LateHeadBytes + list.Length);
        return true;
    }

    private void WriteOrder(Span<byte> room, int listBytes)
    {
        BinaryPrimitives.WriteInt32LittleEndian(room, ++_order);
        BinaryPrimitives.WriteUInt16LittleEndian(room[LengthAt..], (ushort)listBytes);
    }

    private void Release(FieldMerger merger)
    {
        FieldStore store = merger.Store;
        merger.EndCount(Place);
        for (int i = 0; i < _shapes; i++)
            store.Return(_places[i], RoomOf(i));
        (_shapes, _order) = (0, 0);
        if (_hasLateRoom)
            BinaryPrimitives.WriteInt32LittleEndian(store.Of(_list, _listRoom)[^EndBytes..], _listBytes);
    }

    // Merges the list, the updates in the order of their arrival, and one more.
    private readonly ReadOnlySpan<byte> Fold(ReadOnlySpan<byte> last, FieldMerger merger)
    {
        FieldStore store = merger.Store;
        long dropped = merger.Limit.Dropped;
        merger.Begin(Kept(store));
        ReadOnlySpan<byte> late = Late(store);
        int order = 0;
        do
        {
            order = NextOrder(order, store, out int shape);
            for (; !late.IsEmpty && OrderOf(late) < order; late = late[(LateHeadBytes + LengthOf(late))..])
                merger.Merge(late.Slice(LateHeadBytes, LengthOf(late)));
            if (shape >= 0)
                merger.Merge(UpdateOf(shape, store));
        }
        while (order < int.MaxValue);

        merger.CountOnce(Place, dropped);
        if (!last.IsEmpty)
            merger.Merge(last);
        return merger.End();
    }

    // The updates appended to the list.
    private readonly ReadOnlySpan<byte> Late(FieldStore store)
    {
        if (!_hasLateRoom)
            return default;
        ReadOnlySpan<byte> piece = store.Of(_list, _listRoom);
        return piece[_listBytes..BinaryPrimitives.ReadInt32LittleEndian(piece[^EndBytes..])];
    }

    private static int OrderOf(ReadOnlySpan<byte> update) => BinaryPrimitives.ReadInt32LittleEndian(update);

    private static int LengthOf(ReadOnlySpan<byte> update) => BinaryPrimitives.ReadUInt16LittleEndian(update[LengthAt..]);

    // The order of the first update of a shape after a given one; the maximum when there is none.
    private readonly int NextOrder(int after, FieldStore store, out int shape)
    {
        int next = int.MaxValue;
        shape = -1;
        for (int i = 0; i < _shapes; i++)
        {
            int order = OrderOf(store.Of(_places[i], HeadBytes));
            if (order > after && order < next)
                (next, shape) = (order, i);
        }

        return next;
    }

    private readonly ReadOnlySpan<byte> UpdateOf(int shape, FieldStore store)
    {
        ReadOnlySpan<byte> room = store.Of(_places[shape], RoomOf(shape));
        return room.Slice(HeadBytes, LengthOf(room));
    }

    // Stays in the same piece while the list fits: each merge may change the length of a few values.
    private void Keep(ReadOnlySpan<byte> list, FieldStore store, int lateBytes = 0)
    {
        int bytes = list.Length + (lateBytes > 0 ? lateBytes + EndBytes : 0);
        if (_list == 0 || bytes > _listRoom || bytes < _listRoom / 2)
        {
            store.Return(_list, _listRoom);
            _list = store.Rent(bytes, out _listRoom);
        }

        list.CopyTo(store.Of(_list, list.Length));
        (_listBytes, _hasLateRoom) = (list.Length, lateBytes > 0);
        if (_hasLateRoom)
            BinaryPrimitives.WriteInt32LittleEndian(store.Of(_list, _listRoom)[^EndBytes..], _listBytes);
    }

    [InlineArray(MaxShapes)]
    private struct Rooms
    {
        private byte _units;
    }

    [InlineArray(MaxShapes)]
    private struct Tags
    {
        private ushort _tag;
    }

    [InlineArray(MaxShapes)]
    private struct Places
    {
        private int _place;
    }
}
