using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a field list or an element list.</summary>
internal static class ListFlags // wire/rwf 4.1
{
    public const int HasInfo = 0x01; // carries the list number, and that of a field list the dictionary id
    public const int HasSetData = 0x02; // carries entries laid out by a set definition
    public const int HasSetId = 0x04; // names the set definition; otherwise it is 0
    public const int HasStandardData = 0x08; // carries self-describing entries
}

/// <summary>One entry of a field list.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("field {FieldId}, {Length} bytes")]
public readonly ref struct FieldEntry
{
    private readonly ReadOnlySpan<byte> _list;

    internal FieldEntry(ReadOnlySpan<byte> list, short fieldId, DataType type, int start, int length)
    {
        _list = list;
        FieldId = fieldId;
        Type = type;
        Start = start;
        Length = length;
    }

    /// <summary>Id of the field; the dictionary defines its type.</summary>
    public short FieldId { get; }

    /// <summary>Base type by the set definition; Unknown for an entry that is not set-defined.</summary>
    public DataType Type { get; }

    /// <summary>Offset of the content in the range the reader was opened on.</summary>
    public int Start { get; }

    /// <summary>Bytes of content; 0 is blank.</summary>
    public int Length { get; }

    /// <summary>The content.</summary>
    public ReadOnlySpan<byte> Content => _list.Slice(Start, Length);
}

/// <summary>Reads the part of a field list that precedes its standard entries.</summary>
internal ref struct FieldListHead
{
    public byte Flags; // bits of ListFlags
    public ushort DictionaryId; // 0 when not carried
    public ushort FieldListNum; // 0 when not carried
    public SetDataReader Set;
    public int SetAt; // offset of the set data in the list
    public int StandardCount; // entries the list claims to have
    public int EntriesAt; // their offset in the list

    public readonly bool Has(int flag) => (Flags & flag) != 0;

    // wire/rwf 4.1
    public static DecodeResult TryRead(ReadOnlySpan<byte> list, scoped in SetDefinitions definitions, out FieldListHead head)
    {
        head = default;
        if (list.IsEmpty)
            return DecodeResult.NoData;
        RwfReader reader = new(list);
        head.Flags = reader.ReadByte();
        if (head.Has(ListFlags.HasInfo))
        {
            RwfReader info = new(reader.ReadBuf8());
            head.DictionaryId = (ushort)info.ReadRb15();
            head.FieldListNum = info.ReadUInt16();
            if (!info.Good) // wire/rwf 9.1
                reader.Fail(info.Result);
        }

        head.Set = SetDataReader.Open(ref reader, head.Flags, DataType.FieldList, definitions);
        head.SetAt = reader.Position - head.Set.Data.Length;
        if (head.Has(ListFlags.HasStandardData))
            head.StandardCount = reader.ReadUInt16();
        head.EntriesAt = reader.Position;
        return reader.Result;
    }
}

/// <summary>Reads the entries of one field list front to back, set-defined ones first, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct FieldListReader
{
    private const int ShortEntryHeadLength = sizeof(short) + 1; // wire/rwf 4.1

    internal FieldListHead Head;
    private readonly ReadOnlySpan<byte> _list;
    private int _position;
    private int _left;
    private DecodeResult _end = DecodeResult.EndOfContainer;

    private FieldListReader(ReadOnlySpan<byte> list) => _list = list;

    /// <summary>Opens a field list; set data, if any, is skipped.</summary>
    /// <param name="range">Exactly the bytes of the list.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out FieldListReader reader) =>
        TryOpen(range, default, out reader);

    /// <summary>Opens a field list whose set data is laid out by definitions of the map, vector or series around it.</summary>
    internal static DecodeResult TryOpen(
        ReadOnlySpan<byte> range,
        scoped in SetDefinitions definitions,
        out FieldListReader reader)
    {
        reader = new FieldListReader(range);
        DecodeResult result = FieldListHead.TryRead(range, definitions, out reader.Head);
        if (result == DecodeResult.Success)
            (reader._position, reader._left) = (reader.Head.EntriesAt, reader.Head.StandardCount);
        else
            reader.Break(result == DecodeResult.NoData ? DecodeResult.EndOfContainer : result);
        return result;
    }

    /// <summary>Continues where another reader of the same list stopped.</summary>
    /// <param name="entries">The bytes from its next standard entry on.</param>
    /// <param name="left">Entries that remain.</param>
    internal static FieldListReader OfEntries(ReadOnlySpan<byte> entries, int left) => new(entries) { _left = left };

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out FieldEntry entry)
    {
        if (Head.Set.Left != 0)
            return TryReadNextOfSet(out entry);
        entry = default;
        if (_left == 0)
            return _end;

        // wire/rwf 4.1
        RwfReader reader = new(_list[_position..]);
        short fieldId = (short)reader.ReadUInt16();
        int length = reader.ReadU16ob();
        int start = _position + reader.Position;
        reader.ReadBytes(length);
        if (!reader.Good)
            return Break(reader.Result);
        _position = start + length;
        _left--;
        entry = new FieldEntry(_list, fieldId, DataType.Unknown, start, length);
        return DecodeResult.Success;
    }

    /// <summary>Moves towards the last entry while the entries before it are short; the next read returns the first entry not passed.</summary>
    internal void SkipAllButLast()
    {
        if (Head.Set.Left != 0)
            return;
        ReadOnlySpan<byte> rest = _list[_position..];
        int left = _left;
        while (left > 1 && rest.Length > sizeof(short))
        {
            int size = ShortEntryHeadLength + rest[sizeof(short)];
            if (rest[sizeof(short)] >= LengthMark.TwoMoreBytes || size > rest.Length)
                break;
            rest = rest[size..];
            left--;
        }

        (_position, _left) = (_list.Length - rest.Length, left);
    }

    private DecodeResult TryReadNextOfSet(out FieldEntry entry)
    {
        entry = default;
        DecodeResult result = Head.Set.TryReadNext(out SetDefinitionEntry definition, out int start, out int length);
        if (result != DecodeResult.Success)
            return Break(result);
        entry = new FieldEntry(_list, definition.FieldId, DataTypes.BaseOf(definition.Type), Head.SetAt + start, length);
        return DecodeResult.Success;
    }

    // Ends reading for the given reason.
    private DecodeResult Break(DecodeResult result)
    {
        Head.Set.Left = 0;
        _left = 0;
        return _end = result;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a field list of standard entries alone.</summary>
    public bool BeginFieldList() => BeginFieldList(ListFlags.HasStandardData);

    /// <summary>Begins a field list; with set data write the set items next, then call <see cref="EndSetData"/>.</summary>
    /// <param name="flags">Bits of <see cref="ListFlags"/>; they decide which of the other arguments are written.</param>
    /// <param name="dictionaryId">Id of the dictionary, 0 to 16383.</param>
    /// <param name="fieldListNum">Number of the list.</param>
    /// <param name="setId">Id of the set, 0 to 15.</param>
    internal bool BeginFieldList(int flags, int dictionaryId = 0, ushort fieldListNum = 0, int setId = 0)
    {
        if (!Push(FrameKind.FieldList))
            return false;
        PutByte(flags);
        if ((flags & ListFlags.HasInfo) != 0)
        {
            // Some readers interpret a single byte as signed.
            bool wide = dictionaryId >= 0x40; // wire/rwf 4.1
            PutByte(wide ? 4 : 3);
            if (wide)
                PutUInt16(Limit(dictionaryId, LengthMark.MaxRb15) | 0x8000);
            else
                PutByte(dictionaryId);
            PutUInt16(fieldListNum);
        }

        return BeginSetAndEntries(flags, setId);
    }

    /// <summary>Writes a whole field list as payload or as content of the open entry.</summary>
    /// <param name="list">The list.</param>
    /// <param name="stampFieldId">Field of the stamp after its entries.</param>
    /// <param name="stamp">The stamp; 0 for none.</param>
    internal bool WriteFieldList(FieldListEncoder list, short stampFieldId, ulong stamp)
    {
        ReserveLength();
        int bytes = list.Encode(_room[_position..], stampFieldId, stamp);
        _position += bytes;
        if (bytes == 0)
            Fail(EncodeProblem.NoRoom);
        return !Failed;
    }

    /// <summary>Ends the field list.</summary>
    public bool EndFieldList() => EndList(FrameKind.FieldList);

    /// <summary>Begins a field; write its value next, or a container or an array and then <see cref="EndEntry"/>.</summary>
    public bool BeginField(short fieldId)
    {
        if (!CheckOpen(FrameKind.FieldList))
            return false;
        PutUInt16(fieldId); // wire/rwf 4.1
        return BeginEntryContent(PendingBuf16);
    }

    /// <summary>Writes an unsigned integer or an enumerated value.</summary>
    public bool WriteUIntField(short fieldId, ulong value) => BeginField(fieldId) && WriteUInt(value);
}
