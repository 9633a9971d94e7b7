using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

public static partial class RwfPrimitives
{
    private const int DateLength = 4;
    private const ushort BlankMillisecond = ushort.MaxValue;
    private const byte BlankPart = byte.MaxValue;

    /// <summary>Reads a date of 4 bytes.</summary>
    /// <param name="content">The content.</param>
    /// <param name="value">The date; all 0 unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
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
    /// <param name="content">The content.</param>
    /// <param name="value">The time; blank unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
    public static DecodeResult TryReadTime(ReadOnlySpan<byte> content, out RwfTime value)
    {
        // hour | minute [| second [| ms uint16 [| us uint16]]]
        int length = content.Length;
        if (length is not (2 or 3 or 5 or 7 or 8))
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
    /// <param name="span">Bytes around the content.</param>
    /// <param name="start">Where the content begins; start and length must lie in the span.</param>
    /// <param name="length">Bytes of content.</param>
    /// <param name="value">The time; blank unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeResult TryReadTime(ReadOnlySpan<byte> span, int start, int length, out RwfTime value)
    {
        ReadOnlySpan<byte> content = span.Slice(start, length);
        if (length != 3 || content[0] == BlankPart)
            return TryReadTime(content, out value);
        value = new RwfTime(content[0], content[1], content[2]);
        return DecodeResult.Success;
    }

    /// <summary>Reads a date and time of 6, 7, 9, 11 or 12 bytes.</summary>
    /// <param name="content">The content.</param>
    /// <param name="value">The value; blank unless the result is Success. Beside a date the time may be blank.</param>
    /// <returns>Success, Blank or Invalid.</returns>
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
