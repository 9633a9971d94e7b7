using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;

namespace PerfCommon.Codec;

/// <summary>A date as encoded on the wire; not range-checked.</summary>
/// <param name="Day">Day of the month; 0 when the date names a month or a year only.</param>
/// <param name="Month">Month; 0 when the date names a year only.</param>
/// <param name="Year">Year.</param>
[DebuggerDisplay("{Year}-{Month}-{Day}")]
public readonly record struct RwfDate(byte Day, byte Month, ushort Year)
{
    internal const string MonthNames = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"; // wire/rwf 8

    private const int LettersOfMonth = 3;
    private const int MinYearWidth = 4; // wire/rwf 8

    /// <summary>No date: all members 0.</summary>
    public bool IsBlank => Day == 0 && Month == 0 && Year == 0;

    /// <summary>Formats the date as <c>15 NOV 2005</c>; a part that is 0 is omitted; empty when blank.</summary>
    public override string ToString()
    {
        string day = Day == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{Day:D2} ");
        string month = Month == 0 || Month > MonthNames.Length / LettersOfMonth
            ? ""
            : string.Concat(MonthNames.AsSpan((Month - 1) * LettersOfMonth, LettersOfMonth), " ");
        return IsBlank ? "" : day + month + Year.ToString(CultureInfo.InvariantCulture).PadLeft(MinYearWidth); // wire/rwf 8
    }
}

/// <summary>A time of day as encoded on the wire; not range-checked.</summary>
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
    internal const ushort BlankFraction = 0x07FF; // wire/rwf 3

    /// <summary>No time.</summary>
    public static RwfTime BlankValue => new(255, 255, 255, ushort.MaxValue, BlankFraction, BlankFraction); // wire/rwf 3

    /// <summary>True when every member is blank.</summary>
    public bool IsBlank => this == BlankValue;

    /// <summary>True for a length that a form of a time has.</summary>
    internal static bool IsLength(int length) => length is 2 or 3 or 5 or 7 or 8; // wire/rwf 3

    /// <summary>Bytes of the shortest form that preserves every member.</summary>
    internal int ShortestLength => // wire/rwf 3
        Nanosecond != 0 ? 8 : Microsecond != 0 ? 7 : Millisecond != 0 ? 5 : Second != 0 ? 3 : 2;

    /// <summary>Formats the time as <c>15:52:12:000:000:000</c>; empty when blank, <c>Invalid time</c> when a member is out of range.</summary>
    public override string ToString()
    {
        if (IsBlank)
            return "";
        return this is { Hour: > 23 } or { Minute: > 59 } or { Second: > 60 } or { Millisecond: > 999 } or { Microsecond: > 999 }
            or { Nanosecond: > 999 }
            ? "Invalid time" // wire/rwf 8
            : string.Create(CultureInfo.InvariantCulture,
                $"{Hour:D2}:{Minute:D2}:{Second:D2}:{Millisecond:D3}:{Microsecond:D3}:{Nanosecond:D3}");
    }
}

/// <summary>A date and a time of day.</summary>
/// <param name="Date">The date; blank when all members are 0.</param>
/// <param name="Time">The time; may be blank when there is a date.</param>
[DebuggerDisplay("{Date} {Time}")]
public readonly record struct RwfDateTime(RwfDate Date, RwfTime Time)
{
    /// <summary>Neither date nor time.</summary>
    public static RwfDateTime BlankValue => new(default, RwfTime.BlankValue);

    /// <summary>True when both parts are blank.</summary>
    public bool IsBlank => Date.IsBlank && Time.IsBlank;

    /// <summary>Formats date and time with a blank between them; a part that is blank is omitted.</summary>
    public override string ToString() => $"{Date} {Time}".Trim();
}

public static partial class RwfPrimitives
{
    private const int DateLength = 4; // wire/rwf 3
    private const ushort BlankMillisecond = ushort.MaxValue; // wire/rwf 3
    private const byte BlankPart = byte.MaxValue; // wire/rwf 3

    /// <summary>Reads a date of 4 bytes.</summary>
    public static DecodeResult TryReadDate(ReadOnlySpan<byte> content, out RwfDate value)
    {
        value = default;
        if (content.Length != DateLength) // wire/rwf 3
            return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;

        // wire/rwf 3
        value = new RwfDate(content[0], content[1], BinaryPrimitives.ReadUInt16BigEndian(content[2..]));
        return value.IsBlank ? DecodeResult.Blank : DecodeResult.Success;
    }

    /// <summary>Reads a time of 2, 3, 5, 7 or 8 bytes; members that are not carried are 0.</summary>
    public static DecodeResult TryReadTime(ReadOnlySpan<byte> content, out RwfTime value)
    {
        // wire/rwf 3
        int length = content.Length;
        if (!RwfTime.IsLength(length)) // wire/rwf 3
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

    /// <summary>Reads a date and time of 6, 7, 9, 11 or 12 bytes; with a date the time may be blank.</summary>
    public static DecodeResult TryReadDateTime(ReadOnlySpan<byte> content, out RwfDateTime value)
    {
        value = RwfDateTime.BlankValue;
        if (content.Length <= DateLength) // wire/rwf 3
            return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
        DecodeResult timeResult = TryReadTime(content[DateLength..], out RwfTime time);
        if (timeResult == DecodeResult.Invalid)
            return DecodeResult.Invalid;

        TryReadDate(content[..DateLength], out RwfDate date);
        value = new RwfDateTime(date, time);
        return value.IsBlank ? DecodeResult.Blank : DecodeResult.Success;
    }

    // wire/rwf 3
    private static (ushort Microsecond, ushort Nanosecond) ReadFraction(ReadOnlySpan<byte> bytes)
    {
        ushort word = BinaryPrimitives.ReadUInt16BigEndian(bytes);
        return bytes.Length < 3
            ? (word, (ushort)0)
            : ((ushort)(word & RwfTime.BlankFraction), (ushort)(((word & 0x3800) >> 3) + bytes[2]));
    }

    private static bool IsBlankRest(int length, byte second, ushort millisecond, ushort microsecond, ushort nanosecond) => // wire/rwf 3
        (length < 3 || second == BlankPart)
        && (length < 5 || millisecond == BlankMillisecond)
        && (length < 7 || microsecond == RwfTime.BlankFraction)
        && (length < 8 || nanosecond == RwfTime.BlankFraction);
}

public ref partial struct RwfWriter
{
    private const int DateLength = 4; // wire/rwf 3
    private const int MaxTimeLength = 8; // wire/rwf 3

    /// <summary>Writes a date into the open entry; in a fixed length blank is all 0.</summary>
    public bool WriteDate(RwfDate value) // wire/rwf 3
    {
        Span<byte> content = stackalloc byte[DateLength];
        FillDate(content, value);
        return WriteContent(value.IsBlank && FixedLength == 0 ? default : content);
    }

    /// <summary>Writes a time into the open entry: in its shortest form, or in a fixed length, which may drop members.</summary>
    public bool WriteTime(RwfTime value) // wire/rwf 3
    {
        Span<byte> content = stackalloc byte[MaxTimeLength];
        int length = RwfTime.IsLength(FixedLength) ? FixedLength : value.IsBlank ? 0 : value.ShortestLength;
        FillTime(content, value, length);
        return WriteContent(content[..length]);
    }

    /// <summary>Writes a date and time into the open entry, as <see cref="WriteTime"/> does.</summary>
    public bool WriteDateTime(RwfDateTime value) // wire/rwf 3
    {
        Span<byte> content = stackalloc byte[DateLength + MaxTimeLength];
        int timeLength = FixedLength - DateLength;
        if (!RwfTime.IsLength(timeLength))
            timeLength = value.Time.IsBlank ? 2 : value.Time.ShortestLength;
        FillDate(content, value.Date);
        FillTime(content[DateLength..], value.Time, timeLength);
        return WriteContent(value.IsBlank && FixedLength == 0 ? default : content[..(DateLength + timeLength)]);
    }

    private static void FillDate(Span<byte> room, RwfDate value)
    {
        room[0] = value.Day;
        room[1] = value.Month;
        BinaryPrimitives.WriteUInt16BigEndian(room[2..], value.Year);
    }

    private static void FillTime(Span<byte> room, RwfTime value, int length)
    {
        room[0] = value.Hour;
        room[1] = value.Minute;
        room[2] = value.Second;
        BinaryPrimitives.WriteUInt16BigEndian(room[3..], value.Millisecond);

        // wire/rwf 3
        int microsecond = length < MaxTimeLength
            ? value.Microsecond
            : ((value.Nanosecond & 0x700) << 3) | (value.Microsecond & RwfTime.BlankFraction);
        BinaryPrimitives.WriteUInt16BigEndian(room[5..], (ushort)microsecond);
        room[7] = (byte)value.Nanosecond;
    }
}
