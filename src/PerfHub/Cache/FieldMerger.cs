using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>
/// State shared by all images of one thread: the store of their bytes, and a buffer in which field lists are merged. One owner thread.
/// </summary>
/// <remarks>
/// Handles one list at a time: begun with the present list, then list after list is merged into it. Each field is found by its id in a table of all
/// ids, whose entries become invalid when the next list begins: so the cost depends on the merged bytes alone.
/// </remarks>
/// <param name="limit">The maximum number of fields of an item.</param>
internal sealed class FieldMerger(FieldLimit limit)
{
    private const int PlainHeadBytes = 3;
    private const int ListEntryHeadBytes = 3; // with a length of one byte
    private const int MaxListEntryHeadBytes = 5;
    private const int MaxLength = ushort.MaxValue - 1; // of one value
    private const int StartBytes = 4_096;
    private const int KeptBytes = 256 * 1_024; // kept after a long list
    private const int NumberBits = 16; // of a place, for the number of the field; the others for the list
    private const int NumberMask = (1 << NumberBits) - 1;

    private readonly int[] _places = new int[1 << 16]; // by ids: the list, and number of the field
    private readonly Dictionary<int, long> _leftOut = []; // by image: fields of its waiting updates that are counted as left out
    private Field[] _fields = new Field[128];
    private byte[] _values = new byte[StartBytes];
    private byte[] _room = new byte[StartBytes];
    private int _list;
    private int _count;
    private int _valueBytes;

    public FieldMerger()
        : this(new FieldLimit())
    {
    }

    /// <summary>An odd number that no peer knows: a peer cannot construct lists of other fields with the same signature.</summary>
    public ulong Secret { get; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong))) | 1;

    /// <summary>Shapes of earlier lists.</summary>
    public ListShapes Shapes { get; } = new();

    /// <summary>The bytes of the images.</summary>
    public FieldStore Store { get; } = new();

    /// <summary>The maximum number of fields of an item, and the number of fields left out.</summary>
    public FieldLimit Limit => limit;

    /// <summary>Bytes of all lists merged so far: a measure of the work done.</summary>
    public long MergedBytes { get; private set; }

    /// <summary>Begins with a list.</summary>
    public void Begin(ReadOnlySpan<byte> list)
    {
        (_count, _valueBytes) = (0, 0);
        _list += 1 << NumberBits;
        if (_list == 0)
        {
            Array.Clear(_places); // the numbers of lists are used up
            _list = 1 << NumberBits;
        }

        if (!list.IsEmpty)
            Merge(list);
    }

    /// <summary>Merges a list into the present one.</summary>
    /// <returns>False when the bytes cannot be decoded.</returns>
    public bool Merge(ReadOnlySpan<byte> list)
    {
        MergedBytes += list.Length;
        if (list.Length < PlainHeadBytes || list[0] != ListFlags.HasStandardData)
        {
            DecodeResult opened = FieldListReader.TryOpen(list, out FieldListReader reader);
            return opened == DecodeResult.NoData || (opened == DecodeResult.Success && MergeRest(reader));
        }

        int left = BinaryPrimitives.ReadUInt16BigEndian(list[1..]);
        ReadOnlySpan<byte> rest = list[PlainHeadBytes..];
        for (; left > 0 && rest.Length >= ListEntryHeadBytes; left--)
        {
            int length = rest[2];
            if (length >= LengthMark.TwoMoreBytes || length > rest.Length - ListEntryHeadBytes)
                break;
            Put(BinaryPrimitives.ReadUInt16BigEndian(rest), rest.Slice(ListEntryHeadBytes, length));
            rest = rest[(ListEntryHeadBytes + length)..];
        }

        return left == 0 || MergeRest(FieldListReader.OfEntries(rest, left));
    }

    /// <summary>Returns the result; valid until the next list begins.</summary>
    public ReadOnlySpan<byte> End()
    {
        Span<byte> room = RoomFor(PlainHeadBytes + (_count * MaxListEntryHeadBytes) + _valueBytes);
        room[0] = ListFlags.HasStandardData;
        BinaryPrimitives.WriteUInt16BigEndian(room[1..], (ushort)_count);
        int at = PlainHeadBytes;
        foreach (ref readonly Field field in _fields.AsSpan(0, _count))
        {
            BinaryPrimitives.WriteUInt16BigEndian(room[at..], field.Id);
            at += ShortLength.Write(room[(at + 2)..], field.Length) + 2;
            _values.AsSpan(field.At, field.Length).CopyTo(room[at..]);
            at += field.Length;
        }

        return room[..at];
    }

    /// <summary>Returns a buffer for a result that is encoded elsewhere; valid until the next list begins.</summary>
    public Span<byte> RoomFor(int bytes)
    {
        if (_room.Length < bytes)
            _room = new byte[bytes];
        return _room.AsSpan(0, bytes);
    }

    /// <summary>Counts what an image leaves out once, however often it is read.</summary>
    /// <param name="place">A place of the image in the store.</param>
    /// <param name="droppedBefore">The fields left out before its updates were merged just now.</param>
    public void CountOnce(int place, long droppedBefore)
    {
        long found = limit.Dropped - droppedBefore;
        if (found == 0)
            return;
        ref long counted = ref CollectionsMarshal.GetValueRefOrAddDefault(_leftOut, place, out _);
        limit.TakeBack(Math.Min(counted, found));
        counted = Math.Max(counted, found);
    }

    /// <summary>Ends the count of an image whose updates no longer wait, or whose place changes.</summary>
    public void EndCount(int place)
    {
        if (_leftOut.Count > 0)
            _leftOut.Remove(place);
    }

    /// <summary>Frees the buffer that a long list needed.</summary>
    public void Trim()
    {
        if (_room.Length > KeptBytes)
            _room = new byte[StartBytes];
        if (_values.Length > KeptBytes)
            _values = new byte[StartBytes];
    }

    // Set data without their definition are left out.
    private bool MergeRest(FieldListReader reader)
    {
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            if (entry.Length <= MaxLength)
                Put((ushort)entry.FieldId, entry.Content);
            else
                limit.Drop();
        }

        return result == DecodeResult.EndOfContainer;
    }

    private void Put(ushort id, ReadOnlySpan<byte> value)
    {
        ref int place = ref _places[id];
        if ((place & ~NumberMask) != _list)
        {
            if (_count == limit.MaxFields)
            {
                limit.Drop();
                return;
            }

            if (_count == _fields.Length)
                Array.Resize(ref _fields, 2 * _count);
            place = _list | _count;
            _fields[_count++] = new Field { Id = id, At = Append(value), Length = (ushort)value.Length };
            return;
        }

        ref Field field = ref _fields[place & NumberMask];
        if (value.Length > field.Length)
            field.At = Append(value);
        else
            value.CopyTo(_values.AsSpan(field.At));
        field.Length = (ushort)value.Length;
    }

    private int Append(ReadOnlySpan<byte> value)
    {
        int at = _valueBytes;
        if (_values.Length - at < value.Length)
            Array.Resize(ref _values, Math.Max(2 * _values.Length, at + value.Length));
        value.CopyTo(_values.AsSpan(at));
        _valueBytes += value.Length;
        return at;
    }

    private struct Field
    {
        public int At; // start of its value
        public ushort Id;
        public ushort Length;
    }
}
