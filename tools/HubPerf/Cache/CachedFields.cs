using System.Buffers.Binary;
using PerfCommon.Codec;

namespace HubPerf.Cache;

/// <summary>A field list that others are merged into, field by field: the last value of each.</summary>
/// <remarks>A struct that its owner keeps in place. Types are not looked at: a value is its bytes, none for blank.</remarks>
internal struct CachedFields
{
    // A list that is nothing but entries: its flags, and how many.
    private const byte PlainList = ListFlags.HasStandardData;
    private const int PlainHeadBytes = 3;
    private const int EntryHeadBytes = 3; // with a length of one byte
    private const int MaxEntryHeadBytes = 5;
    private const int LengthBytes = sizeof(ushort);

    // Fields of earlier lists for which room is kept.
    private const int MaxMore = 64;

    // A real's hint; one of a set has its size in the bits above.
    private const byte RealHintMask = 0x3F;
    private const byte SizedRealHintMask = 0x1F;

    private FieldLayout? _layout;
    private byte[]? _bytes;

    /// <summary>True while there is no list at all.</summary>
    public readonly bool IsEmpty => _layout is null;

    /// <summary>Bytes that it takes.</summary>
    public readonly int HeldBytes => _bytes?.Length ?? 0;

    /// <summary>Most bytes of <see cref="Encode"/>.</summary>
    public readonly int MaxEncodedBytes => PlainHeadBytes + (_layout is null ? 0 : _layout.Bytes + (_layout.Count * MaxEntryHeadBytes));

    /// <summary>Forgets everything.</summary>
    public void Clear() => (_layout, _bytes) = (null, null);

    /// <summary>Takes a list in place of what was there.</summary>
    /// <param name="list">The list.</param>
    /// <param name="layouts">Those of its owner's thread.</param>
    /// <param name="definitions">Those of the map around it; what a set has without one is left out.</param>
    /// <param name="isBrief">
    /// True for one of many in turn: room for more fields is kept, and those come in the order of an earlier list.
    /// </param>
    /// <returns>False when the bytes cannot be decoded; what came before the error was taken.</returns>
    public bool Replace(
        ReadOnlySpan<byte> list, LayoutTable layouts, scoped in SetDefinitions definitions = default, bool isBrief = false)
    {
        if (_layout is not null)
            _bytes.AsSpan(0, _layout.Count * LengthBytes).Fill(byte.MaxValue);
        if (_layout is null || !HasIdsOf(_layout, list, isBrief ? MaxMore : 0))
        {
            _layout = HasIdsOf(layouts.Last, list) ? layouts.Last
                : HasIdsOf(layouts.Former, list) ? layouts.Former : LayoutOf(list, layouts);
            _bytes = CreateBytes(_layout);
        }

        return Merge(list, layouts, definitions);
    }

    /// <summary>Takes the fields of a list; others stay.</summary>
    /// <param name="list">The list.</param>
    /// <param name="layouts">Those of its owner's thread.</param>
    /// <param name="definitions">Those of the map around it; what a set has without one is left out.</param>
    /// <returns>False when the bytes cannot be decoded; what came before the error was taken.</returns>
    public bool Merge(ReadOnlySpan<byte> list, LayoutTable layouts, scoped in SetDefinitions definitions = default)
    {
        if (_layout is null)
        {
            _layout = LayoutOf(list, layouts);
            _bytes = CreateBytes(_layout);
        }

        if (list.Length < PlainHeadBytes || list[0] != PlainList)
            return MergeSlowly(list, layouts, definitions);
        int left = BinaryPrimitives.ReadUInt16BigEndian(list[1..]);
        int at = PlainHeadBytes;
        FieldLayout layout = _layout;
        byte[] bytes = _bytes!;
        while (left > 0 && list.Length - at >= EntryHeadBytes)
        {
            ReadOnlySpan<byte> entry = list[at..];
            short id = BinaryPrimitives.ReadInt16BigEndian(entry);
            int length = entry[2];
            int index = layout.Find(id);
            // the value's 8 bytes may be read and stored at once: what lies behind it is not its own and is overwritten, or never looked at
            if (length > FieldLayout.Step || entry.Length < EntryHeadBytes + FieldLayout.Step || index < 0)
                break;
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(index * LengthBytes), (ushort)length);
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(layout.Starts[index]),
                BinaryPrimitives.ReadUInt64LittleEndian(entry[EntryHeadBytes..]));
            at += EntryHeadBytes + length;
            left--;
        }

        return left == 0 ? at == list.Length || list.Length >= at : MergeRest(FieldListReader.OfEntries(list[at..], left), layouts);
    }

    /// <summary>Writes the list.</summary>
    /// <param name="room">At least <see cref="MaxEncodedBytes"/>.</param>
    /// <returns>Its bytes.</returns>
    public readonly int Encode(Span<byte> room)
    {
        room[0] = PlainList;
        int count = 0;
        int at = PlainHeadBytes;
        for (int i = 0; i < (_layout?.Count ?? 0); i++)
        {
            int length = BinaryPrimitives.ReadUInt16LittleEndian(_bytes.AsSpan(i * LengthBytes));
            if (length == FieldLayout.Absent)
                continue;
            count++;
            BinaryPrimitives.WriteInt16BigEndian(room[at..], _layout!.Ids[i]);
            at += WriteLength(room[(at + 2)..], length) + 2;
            _bytes.AsSpan(_layout.Starts[i], length).CopyTo(room[at..]);
            at += length;
        }

        BinaryPrimitives.WriteUInt16BigEndian(room[1..], (ushort)count);
        return at;
    }

    private static int WriteLength(Span<byte> room, int length) // wire/rwf 1
    {
        if (length < LengthMark.TwoMoreBytes)
        {
            room[0] = (byte)length;
            return 1;
        }

        room[0] = LengthMark.TwoMoreBytes;
        BinaryPrimitives.WriteUInt16BigEndian(room[1..], (ushort)length);
        return 3;
    }

    private static byte[] CreateBytes(FieldLayout layout)
    {
        byte[] bytes = new byte[layout.Bytes];
        bytes.AsSpan(0, layout.Count * LengthBytes).Fill(byte.MaxValue);
        return bytes;
    }

    // True when a list has the fields of a layout in their order; the layout may have some more behind them.
    private static bool HasIdsOf(FieldLayout layout, ReadOnlySpan<byte> list, int maxMore = 0)
    {
        if (FieldListReader.TryOpen(list, out FieldListReader reader) != DecodeResult.Success)
            return false;
        int count = reader.Head.StandardCount;
        if (layout.Count < count || layout.Count > count + maxMore)
            return false;
        int i = 0;
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            if (entry.Type != DataType.Unknown)
                continue; // of the set, which is not cached
            if (layout.Ids[i] != entry.FieldId || entry.Length > layout.Rooms[i])
                return false;
            i++;
        }

        return i == count;
    }

    private static FieldLayout LayoutOf(ReadOnlySpan<byte> list, LayoutTable layouts)
    {
        List<short> ids = [];
        List<int> rooms = [];
        Dictionary<short, int> known = [];
        FieldListReader.TryOpen(list, out FieldListReader reader);
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            if (entry.Type != DataType.Unknown || entry.Length >= FieldLayout.Absent)
                continue;
            if (!known.TryAdd(entry.FieldId, ids.Count))
            {
                rooms[known[entry.FieldId]] = Math.Max(rooms[known[entry.FieldId]], FieldLayout.RoomFor(entry.Length));
                continue;
            }

            ids.Add(entry.FieldId);
            rooms.Add(FieldLayout.RoomFor(entry.Length));
        }

        return layouts.Of([.. ids], [.. rooms]);
    }

    private bool MergeSlowly(ReadOnlySpan<byte> list, LayoutTable layouts, scoped in SetDefinitions definitions)
    {
        DecodeResult opened = FieldListReader.TryOpen(list, definitions, out FieldListReader reader);
        return opened == DecodeResult.NoData || (opened == DecodeResult.Success && MergeRest(reader, layouts));
    }

    private bool MergeRest(FieldListReader reader, LayoutTable layouts)
    {
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            if (entry.Length >= FieldLayout.Absent)
                continue;
            Span<byte> stored = Store(entry.FieldId, entry.Content, layouts);
            if (entry.Type == DataType.Real && stored.Length > 0 && stored[0] > RealHintMask)
                stored[0] &= SizedRealHintMask; // wire/rwf 3.1
        }

        return result == DecodeResult.EndOfContainer;
    }

    private Span<byte> Store(short id, ReadOnlySpan<byte> value, LayoutTable layouts)
    {
        int index = _layout!.Find(id);
        if (index < 0)
        {
            index = _layout.Count;
            MoveTo(layouts.Extend(_layout, id, FieldLayout.RoomFor(value.Length)));
        }
        else if (value.Length > _layout.Rooms[index])
        {
            MoveTo(layouts.Grow(_layout, index, FieldLayout.RoomFor(value.Length)));
        }

        BinaryPrimitives.WriteUInt16LittleEndian(_bytes.AsSpan(index * LengthBytes), (ushort)value.Length);
        Span<byte> room = _bytes.AsSpan(_layout.Starts[index], value.Length);
        value.CopyTo(room);
        return room;
    }

    // Takes another layout, of the same fields in the same order and perhaps more.
    private void MoveTo(FieldLayout layout)
    {
        byte[] bytes = CreateBytes(layout);
        _bytes.AsSpan(0, _layout!.Count * LengthBytes).CopyTo(bytes);
        for (int i = 0; i < _layout.Count; i++)
            _bytes.AsSpan(_layout.Starts[i], _layout.Rooms[i]).CopyTo(bytes.AsSpan(layout.Starts[i]));
        (_layout, _bytes) = (layout, bytes);
    }
}
