using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>
/// A field list that others are merged into, field by field: the last value of each field, in the order in which the fields first arrived.
/// </summary>
/// <remarks>
/// A struct that its owner keeps in place. Types are not decoded: a value is its bytes, none for blank. One array holds everything: from its start an
/// entry for each field (id, length, reserved bytes, place), from its end the values, each in its reserved bytes. A value that outgrows them moves to
/// new ones; a new field is appended. The array doubles when no space is left between entries and values. So merging a list of n bytes costs a small
/// multiple of n, however many bytes are there already.
/// </remarks>
internal struct CachedFields
{
    // The head of a list with entries only: its flags, and their number.
    private const byte PlainList = ListFlags.HasStandardData;
    private const int PlainHeadBytes = 3;
    private const int ListEntryHeadBytes = 3; // with a length of one byte
    private const int MaxListEntryHeadBytes = 5;

    // id 2 | length 2 | reserved bytes 2 | place 2: both in steps, the place from the end of the array
    private const int EntryBytes = 8;
    private const int LengthAt = 2;
    private const int RoomAt = 4;
    private const int PlaceAt = 6;
    private const int Step = 8; // values reserve multiples of these, so that a short value is copied at once
    private const int StepShift = 3;
    private const int MaxValueBytes = ushort.MaxValue << StepShift;
    private const int MaxLiveBytes = MaxValueBytes / 4 * 3; // so that one copy of the array pays for many further values
    private const int MaxLength = ushort.MaxValue - Step; // of one value

    // Up to this number fields are scanned, beyond it there is an index.
    private const int MaxScanned = 16;

    // Mask of a real's hint; the hint of a real in a set has its size in the bits above.
    private const byte RealHintMask = 0x3F;
    private const byte SizedRealHintMask = 0x1F;

    private byte[]? _bytes;
    private FieldIndex? _index; // null while there are few fields
    private int _count;
    private int _valueBytes; // from the end of the array, abandoned ones included
    private bool _isList;

    /// <summary>True while there is no list at all.</summary>
    public readonly bool IsEmpty => !_isList;

    /// <summary>Number of fields.</summary>
    public readonly int Count => _count;

    /// <summary>Bytes in memory.</summary>
    public readonly int HeldBytes => (_bytes?.Length ?? 0) + (_index?.HeldBytes ?? 0);

    /// <summary>Maximum bytes of <see cref="Encode"/>.</summary>
    public readonly int MaxEncodedBytes => PlainHeadBytes + (_count * MaxListEntryHeadBytes) + _valueBytes;

    /// <summary>Clears everything, the array too.</summary>
    public void Clear() => this = default;

    /// <summary>Replaces the fields by a list.</summary>
    /// <inheritdoc cref="Merge"/>
    public bool Replace(ReadOnlySpan<byte> list, FieldLimit limit, scoped in SetDefinitions definitions = default)
    {
        (_count, _valueBytes, _isList, _index) = (0, 0, false, null);
        return Merge(list, limit, definitions);
    }

    /// <summary>Merges the fields of a list; others stay.</summary>
    /// <param name="list">The list to merge.</param>
    /// <param name="limit">The maximum number of fields; further ones are counted there.</param>
    /// <param name="definitions">The set definitions of the map around it; set data without a definition are left out.</param>
    /// <returns>False when the bytes cannot be decoded; fields before the error are merged.</returns>
    public bool Merge(ReadOnlySpan<byte> list, FieldLimit limit, scoped in SetDefinitions definitions = default)
    {
        if (!_isList)
            Begin(list, limit);
        if (list.Length < PlainHeadBytes || list[0] != PlainList)
            return MergeSlowly(list, limit, definitions);
        int left = BinaryPrimitives.ReadUInt16BigEndian(list[1..]);
        int at = PlainHeadBytes;
        int next = 0; // fields mostly arrive in the order of the last list
        while (left > 0 && list.Length - at >= ListEntryHeadBytes)
        {
            ReadOnlySpan<byte> entry = list[at..];
            int length = entry[2];
            // the value's 8 bytes may be read and stored at once: the bytes after it belong to nothing yet and are overwritten, or never read
            if (length > Step || entry.Length < ListEntryHeadBytes + Step)
                break;
            int field = Find(BinaryPrimitives.ReadUInt16BigEndian(entry), next);
            if (field < 0)
                break;
            Span<byte> known = EntryOf(field);
            BinaryPrimitives.WriteUInt16LittleEndian(known[LengthAt..], (ushort)length);
            BinaryPrimitives.WriteUInt64LittleEndian(RoomOf(known), BinaryPrimitives.ReadUInt64LittleEndian(entry[ListEntryHeadBytes..]));
            at += ListEntryHeadBytes + length;
            next = field + 1;
            left--;
        }

        return left == 0 || MergeRest(FieldListReader.OfEntries(list[at..], left), limit, next);
    }

    /// <summary>Encodes the list.</summary>
    /// <param name="room">At least <see cref="MaxEncodedBytes"/>.</param>
    /// <returns>Bytes written.</returns>
    public readonly int Encode(Span<byte> room)
    {
        room[0] = PlainList;
        BinaryPrimitives.WriteUInt16BigEndian(room[1..], (ushort)_count);
        int at = PlainHeadBytes;
        for (int i = 0; i < _count; i++)
        {
            Span<byte> entry = EntryOf(i);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(entry[LengthAt..]);
            BinaryPrimitives.WriteUInt16BigEndian(room[at..], BinaryPrimitives.ReadUInt16LittleEndian(entry));
            at += ShortLength.Write(room[(at + 2)..], length) + 2;
            RoomOf(entry)[..length].CopyTo(room[at..]);
            at += length;
        }

        return at;
    }

    private readonly Span<byte> EntryOf(int field) => _bytes.AsSpan(field * EntryBytes, EntryBytes);

    private readonly Span<byte> RoomOf(ReadOnlySpan<byte> entry) => _bytes.AsSpan(
        _bytes!.Length - (BinaryPrimitives.ReadUInt16LittleEndian(entry[PlaceAt..]) << StepShift),
        BinaryPrimitives.ReadUInt16LittleEndian(entry[RoomAt..]) << StepShift);

    private readonly ushort IdOf(int field) => BinaryPrimitives.ReadUInt16LittleEndian(_bytes.AsSpan(field * EntryBytes));

    // Tries the field after the last one first.
    private readonly int Find(ushort id, int next)
    {
        if (next < _count && IdOf(next) == id)
            return next;
        if (_index is not null)
            return _index.Find(id, _bytes, EntryBytes);
        for (int i = 0; i < _count; i++)
        {
            if (IdOf(i) == id)
                return i;
        }

        return -1;
    }

    private bool MergeSlowly(ReadOnlySpan<byte> list, FieldLimit limit, scoped in SetDefinitions definitions)
    {
        DecodeResult opened = FieldListReader.TryOpen(list, definitions, out FieldListReader reader);
        return opened == DecodeResult.NoData || (opened == DecodeResult.Success && MergeRest(reader, limit, 0));
    }

    private bool MergeRest(FieldListReader reader, FieldLimit limit, int next)
    {
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            int field = Find((ushort)entry.FieldId, next);
            if (!TryPrepare(ref field, (ushort)entry.FieldId, entry.Length, limit))
            {
                limit.Drop();
                continue;
            }

            Span<byte> stored = RoomOf(EntryOf(field))[..entry.Length];
            entry.Content.CopyTo(stored);
            if (entry.Type == DataType.Real && stored.Length > 0 && stored[0] > RealHintMask)
                stored[0] &= SizedRealHintMask; // wire/rwf 3.1
            next = field + 1;
        }

        return result == DecodeResult.EndOfContainer;
    }

    // Prepares the field for a value of this length, and sets its length.
    private bool TryPrepare(ref int field, ushort id, int length, FieldLimit limit)
    {
        int room = RoomFor(length);
        bool isNew = field < 0;
        if (length > MaxLength || (isNew && _count >= limit.MaxFields))
            return false;
        if (isNew || room > BinaryPrimitives.ReadUInt16LittleEndian(EntryOf(field)[RoomAt..]) << StepShift)
        {
            if (!TryReserve((isNew ? EntryBytes : 0) + room))
                return false;
            if (isNew)
                field = Add(id);
            _valueBytes += room;
            Span<byte> moved = EntryOf(field);
            BinaryPrimitives.WriteUInt16LittleEndian(moved[RoomAt..], (ushort)(room >> StepShift));
            BinaryPrimitives.WriteUInt16LittleEndian(moved[PlaceAt..], (ushort)(_valueBytes >> StepShift));
        }

        BinaryPrimitives.WriteUInt16LittleEndian(EntryOf(field)[LengthAt..], (ushort)length);
        return true;
    }

    private int Add(ushort id)
    {
        int field = _count++;
        BinaryPrimitives.WriteUInt16LittleEndian(EntryOf(field), id);
        if (_index is null && _count > MaxScanned)
            _index = new FieldIndex();
        _index?.AddUpTo(_count, _bytes, EntryBytes);
        return field;
    }

    // Reserves the bytes of the first list: most items receive no other fields.
    private void Begin(ReadOnlySpan<byte> list, FieldLimit limit)
    {
        _isList = true;
        FieldListReader.TryOpen(list, out FieldListReader reader);
        long bytes = 0;
        for (int i = 0; i < limit.MaxFields && reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success; i++)
            bytes += EntryBytes + RoomFor(entry.Length);
        _bytes ??= [];
        if (_bytes.Length < bytes || _bytes.Length / 4 > bytes)
            _bytes = new byte[Math.Min(bytes, MaxValueBytes)];
    }

    // Copies a full array, without abandoned bytes, into one with as many bytes again.
    private bool TryReserve(int bytes)
    {
        int used = (_count * EntryBytes) + _valueBytes;
        if (_bytes!.Length - used >= bytes && _valueBytes + bytes <= MaxValueBytes)
            return true;
        int valueBytes = 0;
        for (int i = 0; i < _count; i++)
            valueBytes += BinaryPrimitives.ReadUInt16LittleEndian(EntryOf(i)[RoomAt..]) << StepShift;
        int needed = (_count * EntryBytes) + valueBytes + bytes;
        if (valueBytes + bytes > MaxLiveBytes)
            return false;
        MoveTo(new byte[Math.Max(needed, Math.Min(2 * (needed - bytes), needed + MaxValueBytes)) & -Step]);
        return true;
    }

    private void MoveTo(byte[] larger)
    {
        CachedFields before = this;
        _bytes = larger;
        _valueBytes = 0;
        for (int i = 0; i < _count; i++)
        {
            Span<byte> from = before.EntryOf(i);
            Span<byte> room = before.RoomOf(from);
            _valueBytes += room.Length;
            Span<byte> entry = EntryOf(i);
            from.CopyTo(entry);
            BinaryPrimitives.WriteUInt16LittleEndian(entry[PlaceAt..], (ushort)(_valueBytes >> StepShift));
            room.CopyTo(RoomOf(entry));
        }
    }

    private static int RoomFor(int length) => Math.Max(Step, (length + Step - 1) & -Step);
}
