using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Writes the content of one primitive value, without its length, in the shortest form that keeps it.</summary>
/// <remarks>The room must hold at least <see cref="MostBytes"/> bytes; bytes after the content may be overwritten.</remarks>
internal static class RwfContent
{
    /// <summary>Room every method wants; no content is longer.</summary>
    public const int MostBytes = 16;

    internal const int DateLength = 4;

    /// <summary>Writes a signed integer.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>Bytes of content, 1 to 8.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteInt(Span<byte> room, long value)
    {
        int length = LengthOf(value);
        BinaryPrimitives.WriteInt64BigEndian(room, value << (64 - (8 * length)));
        return length;
    }

    /// <summary>Writes an unsigned integer.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>Bytes of content, 1 to 8.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteUInt(Span<byte> room, ulong value)
    {
        int length = LengthOf(value);
        BinaryPrimitives.WriteUInt64BigEndian(room, value << (64 - (8 * length)));
        return length;
    }

    /// <summary>Writes a Real; specials and blanks are short.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>Bytes of content, 0 for blank, at most 9.</returns>
    public static int WriteReal(Span<byte> room, RwfReal value)
    {
        if (value.IsBlank)
            return 0;
        room[0] = value.Hint;
        return value.IsSpecial ? 1 : 1 + WriteInt(room[1..], value.Value);
    }

    /// <summary>Writes a single.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>4.</returns>
    public static int WriteFloat(Span<byte> room, float value)
    {
        BinaryPrimitives.WriteSingleBigEndian(room, value);
        return sizeof(float);
    }

    /// <summary>Writes a double.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>8.</returns>
    public static int WriteDouble(Span<byte> room, double value)
    {
        BinaryPrimitives.WriteDoubleBigEndian(room, value);
        return sizeof(double);
    }

    /// <summary>Writes a date.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The date.</param>
    /// <returns>4, or 0 for blank.</returns>
    public static int WriteDate(Span<byte> room, RwfDate value)
    {
        if (value.IsBlank)
            return 0;
        WriteWholeDate(room, value);
        return DateLength;
    }

    /// <summary>Writes a time.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The time.</param>
    /// <returns>2, 3, 5, 7 or 8 by its smallest member that is not 0, or 0 for blank.</returns>
    public static int WriteTime(Span<byte> room, RwfTime value) =>
        value.IsBlank ? 0 : WriteTime(room, value, value.ShortestLength);

    /// <summary>Writes a date and time.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>6, 7, 9, 11 or 12, or 0 for blank.</returns>
    public static int WriteDateTime(Span<byte> room, RwfDateTime value)
    {
        if (value.IsBlank)
            return 0;
        int timeLength = value.Time.IsBlank ? 2 : value.Time.ShortestLength;
        return WriteDateTime(room, value, DateLength + timeLength);
    }

    /// <summary>Writes a quality of service.</summary>
    /// <param name="room">At least 16 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>1, 3 or 5.</returns>
    public static int WriteQos(Span<byte> room, RwfQos value)
    {
        room[0] = (byte)((value.Timeliness << 5) | ((value.Rate & 0x0F) << 1) | (value.Dynamic ? 1 : 0));
        int length = 1;
        if (value.HasTimeInfo)
        {
            BinaryPrimitives.WriteUInt16BigEndian(room[length..], value.TimeInfo);
            length += sizeof(ushort);
        }

        if (value.HasRateInfo)
        {
            BinaryPrimitives.WriteUInt16BigEndian(room[length..], value.RateInfo);
            length += sizeof(ushort);
        }

        return length;
    }

    /// <summary>Fewest bytes that keep a signed value and its sign.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(long value) => (72 - BitOperations.LeadingZeroCount((ulong)(value ^ (value >> 63)))) >> 3;

    /// <summary>Fewest bytes that keep an unsigned value, at least one.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(ulong value) => (71 - BitOperations.LeadingZeroCount(value | 1)) >> 3;

    // The four bytes of a date, blank or not.
    internal static void WriteWholeDate(Span<byte> room, RwfDate value)
    {
        room[0] = value.Day;
        room[1] = value.Month;
        BinaryPrimitives.WriteUInt16BigEndian(room[2..], value.Year);
    }

    // A date and time in the form of the given length: 6, 7, 9, 11 or 12 bytes.
    internal static int WriteDateTime(Span<byte> room, RwfDateTime value, int length)
    {
        WriteWholeDate(room, value.Date);
        return DateLength + WriteTime(room[DateLength..], value.Time, length - DateLength);
    }

    // The low bytes of a value, 1 to 8.
    internal static void WriteLow(Span<byte> room, long value, int length) =>
        BinaryPrimitives.WriteInt64BigEndian(room, value << (64 - (8 * length)));

    // A time in the form of the given length: 2, 3, 5, 7 or 8 bytes.
    internal static int WriteTime(Span<byte> room, RwfTime value, int length)
    {
        room[0] = value.Hour;
        room[1] = value.Minute;
        if (length >= 3)
            room[2] = value.Second;
        if (length >= 5)
            BinaryPrimitives.WriteUInt16BigEndian(room[3..], value.Millisecond);
        if (length == 7)
            BinaryPrimitives.WriteUInt16BigEndian(room[5..], value.Microsecond);
        if (length == 8)
        {
            // Bits 11 to 13 of the microsecond word carry the high bits of the nanoseconds.
            int high = (value.Nanosecond & 0x700) << 3;
            BinaryPrimitives.WriteUInt16BigEndian(room[5..], (ushort)(high | (value.Microsecond & RwfTime.BlankFraction)));
            room[7] = (byte)value.Nanosecond;
        }

        return length;
    }
}
