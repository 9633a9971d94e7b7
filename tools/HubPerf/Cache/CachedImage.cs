using System.Buffers.Binary;
using System.Numerics;
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

    // signature 8 | order 4 | length 2 | room 2
    private const int ShapeBytes = 16;
    private const int OrderAt = 8;
    private const int LengthAt = 12;
    private const int RoomAt = 14;
    private const int UpdatesAt = MaxShapes * ShapeBytes;
    private const int Step = 8;

    private byte[]? _list;
    private int _listBytes;
    private byte[]? _log; // the shapes, then their updates one behind the other
    private int _shapes;
    private int _order;

    /// <summary>Bytes that it takes.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>Forgets everything.</summary>
    public void Clear() => (_list, _listBytes, _log, _shapes, _order, HeldBytes) = (null, 0, null, 0, 0, 0);

    /// <summary>Takes a list in place of what was there.</summary>
    /// <returns>False when the bytes cannot be decoded; nothing is changed then.</returns>
    public bool Replace(ReadOnlySpan<byte> list, FieldMerger merger)
    {
        if (!TryRead(list, merger.Secret, out ulong signature))
            return false;
        (_shapes, _order) = (0, 0);
        if (signature == 0)
        {
            merger.Begin(default);
            merger.Merge(list);
            Keep(merger.End());
        }
        else
        {
            Keep(list);
        }

        return true;
    }

    /// <summary>Takes the fields of a list; others stay.</summary>
    /// <inheritdoc cref="Replace"/>
    public bool Merge(ReadOnlySpan<byte> list, FieldMerger merger)
    {
        if (!TryRead(list, merger.Secret, out ulong signature))
            return false;
        if (signature != 0 && _order < int.MaxValue - 1 && TryLog(signature, list))
            return true;
        ReadOnlySpan<byte> whole = Fold(list, merger);
        Keep(whole);
        (_shapes, _order) = (0, 0);
        return true;
    }

    /// <summary>The whole list; valid until the next list of any image is merged.</summary>
    public readonly ReadOnlySpan<byte> Read(FieldMerger merger) => _shapes == 0 && _list is not null ? Kept : Fold(default, merger);

    private readonly ReadOnlySpan<byte> Kept => _list.AsSpan(0, _listBytes);

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

    private bool TryLog(ulong signature, ReadOnlySpan<byte> list)
    {
        Span<byte> log = _log;
        int at = UpdatesAt;
        for (int i = 0; i < _shapes; i++)
        {
            Span<byte> shape = log.Slice(i * ShapeBytes, ShapeBytes);
            int room = BinaryPrimitives.ReadUInt16LittleEndian(shape[RoomAt..]);
            if (BinaryPrimitives.ReadUInt64LittleEndian(shape) == signature)
                return TryPut(shape, log.Slice(at, room), list);
            at += room;
        }

        return TryAdd(signature, at, list);
    }

    private bool TryPut(Span<byte> shape, Span<byte> room, ReadOnlySpan<byte> list)
    {
        if (!list.TryCopyTo(room))
            return false;
        BinaryPrimitives.WriteInt32LittleEndian(shape[OrderAt..], ++_order);
        BinaryPrimitives.WriteUInt16LittleEndian(shape[LengthAt..], (ushort)list.Length);
        return true;
    }

    // A shape that was not seen since the last merging; with some room for longer values.
    private bool TryAdd(ulong signature, int at, ReadOnlySpan<byte> list)
    {
        int room = (list.Length + Step + Step - 1) & -Step;
        if (_shapes == MaxShapes || at - UpdatesAt + room > MaxLogBytes)
            return false;
        if (_log is null || _log.Length < at + room)
        {
            HeldBytes += at + room - (_log?.Length ?? 0);
            Array.Resize(ref _log, at + room);
        }

        Span<byte> shape = _log.AsSpan(_shapes++ * ShapeBytes, ShapeBytes);
        BinaryPrimitives.WriteUInt64LittleEndian(shape, signature);
        BinaryPrimitives.WriteUInt16LittleEndian(shape[RoomAt..], (ushort)room);
        return TryPut(shape, _log.AsSpan(at, room), list);
    }

    // The list, the updates in the order of their coming, and one more.
    private readonly ReadOnlySpan<byte> Fold(ReadOnlySpan<byte> last, FieldMerger merger)
    {
        merger.Begin(Kept);
        for (int order = NextOrder(0); order > 0; order = NextOrder(order))
            merger.Merge(UpdateOf(order));
        if (!last.IsEmpty)
            merger.Merge(last);
        return merger.End();
    }

    private readonly int NextOrder(int after)
    {
        int next = int.MaxValue;
        for (int i = 0; i < _shapes; i++)
        {
            int order = BinaryPrimitives.ReadInt32LittleEndian(_log.AsSpan((i * ShapeBytes) + OrderAt));
            if (order > after)
                next = Math.Min(next, order);
        }

        return next == int.MaxValue ? 0 : next;
    }

    private readonly ReadOnlySpan<byte> UpdateOf(int order)
    {
        int at = UpdatesAt;
        for (int i = 0; ; i++)
        {
            ReadOnlySpan<byte> shape = _log.AsSpan(i * ShapeBytes, ShapeBytes);
            if (BinaryPrimitives.ReadInt32LittleEndian(shape[OrderAt..]) == order)
                return _log.AsSpan(at, BinaryPrimitives.ReadUInt16LittleEndian(shape[LengthAt..]));
            at += BinaryPrimitives.ReadUInt16LittleEndian(shape[RoomAt..]);
        }
    }

    // In the same array while that fits: each merging may change the length of a few values.
    private void Keep(ReadOnlySpan<byte> list)
    {
        if (_list is null || list.Length > _list.Length || list.Length < _list.Length / 2)
        {
            int room = (list.Length + Step - 1) & -Step;
            HeldBytes += room - (_list?.Length ?? 0);
            _list = new byte[room];
        }

        list.CopyTo(_list);
        _listBytes = list.Length;
    }
}
