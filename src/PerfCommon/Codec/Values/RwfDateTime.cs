using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>A date as it travels; not range-checked.</summary>
/// <param name="Day">Day of the month; 0 when the date names a month or a year only.</param>
/// <param name="Month">Month; 0 when the date names a year only.</param>
/// <param name="Year">Year.</param>
[DebuggerDisplay("{Year}-{Month}-{Day}")]
public readonly record struct RwfDate(byte Day, byte Month, ushort Year)
{
    /// <summary>No date: all members 0.</summary>
    public bool IsBlank => Day == 0 && Month == 0 && Year == 0;
}

/// <summary>A time of day as it travels; not range-checked.</summary>
/// <param name="Hour">Hour; 255 is blank.</param>
/// <param name="Minute">Minute; 255 is blank.</param>
/// <param name="Second">Second; 255 is blank.</param>
/// <param name="Millisecond">Millisecond; 65535 is blank.</param>
/// <param name="Microsecond">Microsecond within the millisecond; 2047 is blank.</param>
/// <param name="Nanosecond">Nanosecond within the microsecond; 2047 is blank.</param>
[DebuggerDisplay("{Hour}:{Minute}:{Second} {Millisecond} ms {Microsecond} us {Nanosecond} ns")]
public readonly record struct RwfTime(
    byte Hour,
    byte Minute,
    byte Second = 0,
    ushort Millisecond = 0,
    ushort Microsecond = 0,
    ushort Nanosecond = 0)
{
    /// <summary>Blank of microseconds and nanoseconds: eleven bits, all set.</summary>
    internal const ushort BlankFraction = 0x07FF;

    /// <summary>No time.</summary>
    public static RwfTime BlankValue => new(255, 255, 255, ushort.MaxValue, BlankFraction, BlankFraction);

    /// <summary>True when every member is blank.</summary>
    public bool IsBlank => this == BlankValue;

    /// <summary>Bytes of the shortest form that keeps every member: 2, 3, 5, 7 or 8.</summary>
    internal int ShortestLength =>
        Nanosecond != 0 ? 8 : Microsecond != 0 ? 7 : Millisecond != 0 ? 5 : Second != 0 ? 3 : 2;
}

/// <summary>A date and a time of day.</summary>
/// <param name="Date">The date; blank when all members are 0.</param>
/// <param name="Time">The time; may be blank beside a date.</param>
[DebuggerDisplay("{Date} {Time}")]
public readonly record struct RwfDateTime(RwfDate Date, RwfTime Time)
{
    /// <summary>Neither date nor time.</summary>
    public static RwfDateTime BlankValue => new(default, RwfTime.BlankValue);

    /// <summary>True when both parts are blank.</summary>
    public bool IsBlank => Date.IsBlank && Time.IsBlank;
}

public static partial class RwfPrimitives
{
    private const int DateLength = 4;
    private const ushort BlankMillisecond = ushort.MaxValue;
    private const byte BlankPart = byte.MaxValue;

    /// <summary>Reads a date of 4 bytes.</summary>
    public static DecodeResult TryReadDate(ReadOnlySpan<byte> content, out RwfDate value)
    {
        value = default;
        if (content.Length != DateLength)
            return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;

        // day | month | year uint16
        value = new RwfDate(content[0], content[1], BinaryPrimitives.ReadUInt16BigEndian(content[2..]));
        return value.IsBlank ? DecodeResult.Blank : DecodeResult.Success;
    }

    /// <summary>Reads a time of 2, 3, 5, 7 or 8 bytes; members that are not carried are 0.</summary>
    public static DecodeResult TryReadTime(ReadOnlySpan<byte> content, out RwfTime value)
    {
        // hour | minute [| second [| ms uint16 [| us uint16]]]
        int length = content.Length;
        if (!RwfContent.IsTimeLength(length))
        {
            value = RwfTime.BlankValue;
            return length == 0 ? DecodeResult.Blank : DecodeResult.Invalid;
        }

        byte hour = content[0];
        byte minute = content[1];
        bool blank = hour == BlankPart && minute == BlankPart;
        byte second = length >= 3 ? content[2] : (byte)0;
        ushort millisecond = length >= 5 ? BinaryPrimitives.ReadUInt16BigEndian(content[3..]) : (ushort)0;
        (ushort microsecond, ushort nanosecond) = length >= 7 ? ReadFraction(content[5..]) : default;
        if (blank && IsBlankRest(length, second, millisecond, microsecond, nanosecond))
        {
            value = RwfTime.BlankValue;
            return DecodeResult.Blank;
        }

        value = new RwfTime(hour, minute, second, millisecond, microsecond, nanosecond);
        return DecodeResult.Success;
    }

    /// <summary>Reads a time that stands inside a longer span; hours, minutes and seconds are the fast case.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeResult TryReadTime(ReadOnlySpan<byte> span, int start, int length, out RwfTime value)
    {
        ReadOnlySpan<byte> content = span.Slice(start, length);
        if (length != 3 || content[0] == BlankPart)
            return TryReadTime(content, out value);
        value = new RwfTime(content[0], content[1], content[2]);
        return DecodeResult.Success;
    }

    /// <summary>Reads a date and time of 6, 7, 9, 11 or 12 bytes; beside a date the time may be blank.</summary>
    public static DecodeResult TryReadDateTime(ReadOnlySpan<byte> content, out RwfDateTime value)
    {
        value = RwfDateTime.BlankValue;
        if (content.Length <= DateLength)
            return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
        DecodeResult timeResult = TryReadTime(content[DateLength..], out RwfTime time);
        if (timeResult == DecodeResult.Invalid)
            return DecodeResult.Invalid;

        TryReadDate(content[..DateLength], out RwfDate date);
        value = new RwfDateTime(date, time);
        return value.IsBlank ? DecodeResult.Blank : DecodeResult.Success;
    }

    // Two bytes of microseconds; with a third byte, bits 11 to 13 of the two are the high bits of the nanoseconds.
    private static (ushort Microsecond, ushort Nanosecond) ReadFraction(ReadOnlySpan<byte> bytes)
    {
        ushort word = BinaryPrimitives.ReadUInt16BigEndian(bytes);
        return bytes.Length < 3
            ? (word, (ushort)0)
            : ((ushort)(word & RwfTime.BlankFraction), (ushort)(((word & 0x3800) >> 3) + bytes[2]));
    }

    private static bool IsBlankRest(int length, byte second, ushort millisecond, ushort microsecond, ushort nanosecond) =>
        (length < 3 || second == BlankPart)
        && (length < 5 || millisecond == BlankMillisecond)
        && (length < 7 || microsecond == RwfTime.BlankFraction)
        && (length < 8 || nanosecond == RwfTime.BlankFraction);
}

public static partial class RwfContent
{
    internal const int DateLength = 4;

    /// <summary>Writes a date.</summary>
    /// <returns>4, or 0 for blank.</returns>
    public static int WriteDate(Span<byte> room, RwfDate value)
    {
        if (value.IsBlank)
            return 0;
        WriteWholeDate(room, value);
        return DateLength;
    }

    /// <summary>Writes a time.</summary>
    /// <returns>2, 3, 5, 7 or 8 by its smallest member that is not 0, or 0 for blank.</returns>
    public static int WriteTime(Span<byte> room, RwfTime value) =>
        value.IsBlank ? 0 : WriteTime(room, value, value.ShortestLength);

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

    /// <summary>Writes a date and time.</summary>
    /// <returns>6, 7, 9, 11 or 12, or 0 for blank.</returns>
    public static int WriteDateTime(Span<byte> room, RwfDateTime value)
    {
        if (value.IsBlank)
            return 0;
        int timeLength = value.Time.IsBlank ? 2 : value.Time.ShortestLength;
        return WriteDateTime(room, value, DateLength + timeLength);
    }

    // A date and time in the form of the given length: 6, 7, 9, 11 or 12 bytes.
    internal static int WriteDateTime(Span<byte> room, RwfDateTime value, int length)
    {
        WriteWholeDate(room, value.Date);
        return DateLength + WriteTime(room[DateLength..], value.Time, length - DateLength);
    }

    internal static bool IsTimeLength(int length) => length is 2 or 3 or 5 or 7 or 8;

    // The four bytes of a date, blank or not.
    internal static void WriteWholeDate(Span<byte> room, RwfDate value)
    {
        room[0] = value.Day;
        room[1] = value.Month;
        BinaryPrimitives.WriteUInt16BigEndian(room[2..], value.Year);
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Writes a date into the open entry; in a fixed length blank is all 0.</summary>
    public bool WriteDate(RwfDate value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        RwfContent.WriteWholeDate(content, value);
        return WriteContent(content[..(value.IsBlank && FixedLength == 0 ? 0 : RwfContent.DateLength)]);
    }

    /// <summary>Writes a time into the open entry: in its shortest form, or in that of a fixed length, which may drop members.</summary>
    public bool WriteTime(RwfTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = FixedLength;
        return WriteContent(content[..(RwfContent.IsTimeLength(length)
            ? RwfContent.WriteTime(content, value, length)
            : RwfContent.WriteTime(content, value))]);
    }

    /// <summary>Writes a date and time into the open entry, as <see cref="WriteTime"/> does.</summary>
    public bool WriteDateTime(RwfDateTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = FixedLength;
        return WriteContent(content[..(RwfContent.IsTimeLength(length - RwfContent.DateLength)
            ? RwfContent.WriteDateTime(content, value, length)
            : RwfContent.WriteDateTime(content, value))]);
    }
}
