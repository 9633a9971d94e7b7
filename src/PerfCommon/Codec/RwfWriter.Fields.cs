using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    private const int FieldHeadLength = 3;
    private const int RealFieldHeadLength = 4;

    /// <summary>Begins a field list of standard entries alone.</summary>
    /// <returns>False when the writer has failed.</returns>
    public bool BeginFieldList() => BeginFieldList(FieldListFlags.HasStandardData);

    /// <summary>Begins a field list; with set data write the set items next, then call <see cref="EndSetData"/>.</summary>
    /// <param name="flags">Bits of <see cref="FieldListFlags"/>; they decide which of the other arguments travel.</param>
    /// <param name="dictionaryId">Id of the dictionary, 0 to 16383.</param>
    /// <param name="fieldListNum">Number of the list.</param>
    /// <param name="setId">Id of the set, 0 to 15.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool BeginFieldList(int flags, int dictionaryId = 0, ushort fieldListNum = 0, int setId = 0)
    {
        if (!Push(FrameKind.FieldList))
            return false;
        PutByte(flags);
        if ((flags & FieldListFlags.HasInfo) != 0)
        {
            // From 64 on the id takes two bytes, because some readers take the single byte as signed.
            bool wide = dictionaryId >= 0x40;
            PutByte(wide ? 4 : 3);
            if (wide)
                PutUInt16(Limit(dictionaryId, LengthMark.MostRb15) | 0x8000);
            else
                PutByte(dictionaryId);
            PutUInt16(fieldListNum);
        }

        return BeginSetAndEntries(flags, setId);
    }

    /// <summary>A pen for the common fields of the list that is open; hand it back by <see cref="EndFields"/> before any other call.</summary>
    internal readonly FieldPen BeginFields() => new(_room[_position..]);

    /// <summary>Takes over what a pen wrote.</summary>
    /// <param name="pen">The pen of the last <see cref="BeginFields"/>.</param>
    internal void EndFields(FieldPen pen)
    {
        _position += pen.Written;
        _count += pen.Count;
    }

    /// <summary>Ends the field list.</summary>
    /// <returns>False when the writer has failed.</returns>
    public bool EndFieldList() => EndList(FrameKind.FieldList);

    /// <summary>Writes a signed integer.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteIntField(short fieldId, long value)
    {
        Span<byte> room = _room[_position..];
        if (room.Length < RwfContent.MostBytes)
            return WriteIntNearEnd(fieldId, value);
        int length = RwfContent.LengthOf(value);
        BinaryPrimitives.WriteUInt32BigEndian(room, FieldHead(fieldId, length));
        BinaryPrimitives.WriteInt64BigEndian(room[FieldHeadLength..], value << (64 - (8 * length)));
        _position += FieldHeadLength + length;
        _count++;
        return true;
    }

    /// <summary>Writes an unsigned integer.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteUIntField(short fieldId, ulong value)
    {
        Span<byte> room = _room[_position..];
        if (room.Length < RwfContent.MostBytes)
            return WriteUIntNearEnd(fieldId, value);
        int length = RwfContent.LengthOf(value);
        BinaryPrimitives.WriteUInt32BigEndian(room, FieldHead(fieldId, length));
        BinaryPrimitives.WriteUInt64BigEndian(room[FieldHeadLength..], value << (64 - (8 * length)));
        _position += FieldHeadLength + length;
        _count++;
        return true;
    }

    /// <summary>Writes an enumerated value.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteEnumField(short fieldId, ushort value) => WriteUIntField(fieldId, value);

    /// <summary>Writes a Real.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The integer; not used by special hints.</param>
    /// <param name="hint">One of <see cref="RealHint"/>.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteRealField(short fieldId, long value, byte hint)
    {
        Span<byte> room = _room[_position..];
        if (room.Length < RwfContent.MostBytes || hint > RealHint.Fraction256)
            return WriteRealSlowly(fieldId, new RwfReal(value, hint));

        // fieldId int16 | length | hint | value, so the head is one store of four bytes
        int length = RwfContent.LengthOf(value);
        BinaryPrimitives.WriteUInt32BigEndian(room, FieldHead(fieldId, length + 1) | hint);
        BinaryPrimitives.WriteInt64BigEndian(room[RealFieldHeadLength..], value << (64 - (8 * length)));
        _position += RealFieldHeadLength + length;
        _count++;
        return true;
    }

    /// <summary>Writes a Real.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteRealField(short fieldId, RwfReal value) => WriteRealField(fieldId, value.Value, value.Hint);

    /// <summary>Writes a time in its shortest form.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The time.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteTimeField(short fieldId, RwfTime value)
    {
        Span<byte> room = _room[_position..];
        if (room.Length < RwfContent.MostBytes || value.Millisecond != 0 || value.Microsecond != 0 || value.Nanosecond != 0)
            return WriteTimeSlowly(fieldId, value);

        // hour | minute [| second], the second written in any case and counted when it is not 0
        int length = value.Second != 0 ? 3 : 2;
        BinaryPrimitives.WriteUInt32BigEndian(room, FieldHead(fieldId, length) | value.Hour);
        room[4] = value.Minute;
        room[5] = value.Second;
        _position += FieldHeadLength + length;
        _count++;
        return true;
    }

    /// <summary>Writes bytes: a string, a buffer, or content encoded before.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="content">The content; empty for blank.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteBytesField(short fieldId, scoped ReadOnlySpan<byte> content)
    {
        Span<byte> room = _room[_position..];
        int next = FieldHeadLength + content.Length;
        if (content.Length >= LengthMark.TwoMoreBytes || room.Length <= next)
            return WriteBytesSlowly(fieldId, content);
        BinaryPrimitives.WriteUInt32BigEndian(room, FieldHead(fieldId, content.Length));
        content.CopyTo(room[FieldHeadLength..]);
        _position += next;
        _count++;
        return true;
    }

    /// <summary>Begins a field whose content is a container or an array; end it with <see cref="EndEntry"/>.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool BeginField(short fieldId)
    {
        if (!CheckOpen(FrameKind.FieldList))
            return false;
        PutUInt16(fieldId);
        return BeginEntryContent(PendingBuf16);
    }

    // fieldId int16 | length | one byte that the content overwrites
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint FieldHead(short fieldId, int length) => ((uint)(ushort)fieldId << 16) | ((uint)length << 8);

    private bool BeginEntryContent(int pending)
    {
        _count++;
        _open.LengthAt = pending;
        return !Failed;
    }
}
