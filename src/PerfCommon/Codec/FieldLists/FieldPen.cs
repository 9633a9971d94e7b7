using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace PerfCommon.Codec;

/// <summary>Writes the common fields of a field list fast, from <see cref="RwfWriter.BeginFields"/> to <see cref="RwfWriter.EndFields"/>.</summary>
/// <remarks>
/// Small enough to live in registers, so keep it in a local variable and do not pass it by reference. Every method refuses, with nothing
/// written, what is not common: little room left, special hints, fractions of a second, long text. The writer's own methods take it then.
/// </remarks>
internal ref struct FieldPen
{
    // fieldId int16 | length | value; every store is a whole word, so an entry wants more room than it takes
    private const int EntryHeadLength = 3;
    private const int RealHeadLength = 4;
    private const int BlockLength = 16;
    private const int WantedRoom = 24;

    private readonly Span<byte> _room;
    private int _position;
    private int _count;

    internal FieldPen(Span<byte> room) => _room = room;

    internal readonly int Written => _position;

    internal readonly int Count => _count;

    /// <summary>Writes a signed integer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteInt(short fieldId, long value) => TryWriteNumber(fieldId, value, RwfContent.LengthOf(value));

    /// <summary>Writes an unsigned integer, or an enumerated value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteUInt(short fieldId, ulong value) => TryWriteNumber(fieldId, (long)value, RwfContent.LengthOf(value));

    /// <summary>Writes a Real with an exponent or fraction hint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteReal(short fieldId, long value, byte hint)
    {
        if (_room.Length - _position < WantedRoom || hint > RealHint.Fraction256)
            return false;
        Span<byte> room = _room.Slice(_position, WantedRoom);
        int length = RwfContent.LengthOf(value);
        BinaryPrimitives.WriteUInt32BigEndian(room, Head(fieldId, length + 1) | hint);
        BinaryPrimitives.WriteInt64BigEndian(room[RealHeadLength..], value << (64 - (8 * length)));
        _position += RealHeadLength + length;
        _count++;
        return true;
    }

    /// <summary>Writes a time of hours, minutes and seconds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteTime(short fieldId, RwfTime value)
    {
        if (_room.Length - _position < WantedRoom || (value.Millisecond | value.Microsecond | value.Nanosecond) != 0)
            return false;

        // hour | minute [| second], the second written in any case and counted when it is not 0
        Span<byte> room = _room.Slice(_position, WantedRoom);
        int length = value.Second != 0 ? 3 : 2;
        BinaryPrimitives.WriteUInt32BigEndian(room, Head(fieldId, length) | value.Hour);
        room[4] = value.Minute;
        room[5] = value.Second;
        _position += EntryHeadLength + length;
        _count++;
        return true;
    }

    /// <summary>Writes a date that is not blank.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteDate(short fieldId, RwfDate value)
    {
        uint content = ((uint)value.Day << 24) | ((uint)value.Month << 16) | value.Year;
        if (_room.Length - _position < WantedRoom || content == 0)
            return false;
        Span<byte> room = _room.Slice(_position, WantedRoom);
        BinaryPrimitives.WriteUInt32BigEndian(room, Head(fieldId, sizeof(uint)));
        BinaryPrimitives.WriteUInt32BigEndian(room[EntryHeadLength..], content);
        _position += EntryHeadLength + sizeof(uint);
        _count++;
        return true;
    }

    /// <summary>Writes a short string or buffer.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="padded">The content, and whatever stands behind it up to 16 bytes.</param>
    /// <param name="length">Bytes of content, 0 for blank.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteBytes(short fieldId, scoped ReadOnlySpan<byte> padded, int length)
    {
        if (_room.Length - _position < WantedRoom || length > BlockLength || padded.Length < BlockLength)
            return false;
        Span<byte> room = _room.Slice(_position, WantedRoom);
        BinaryPrimitives.WriteUInt32BigEndian(room, Head(fieldId, length));
        Vector128.Create(padded).CopyTo(room[EntryHeadLength..]);
        _position += EntryHeadLength + length;
        _count++;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryWriteNumber(short fieldId, long value, int length)
    {
        if (_room.Length - _position < WantedRoom)
            return false;
        Span<byte> room = _room.Slice(_position, WantedRoom);
        BinaryPrimitives.WriteUInt32BigEndian(room, Head(fieldId, length));
        BinaryPrimitives.WriteInt64BigEndian(room[EntryHeadLength..], value << (64 - (8 * length)));
        _position += EntryHeadLength + length;
        _count++;
        return true;
    }

    // the low byte is overwritten by the content
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Head(short fieldId, int length) => ((uint)(ushort)fieldId << 16) | ((uint)length << 8);
}
