using System.Globalization;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

internal static partial class FieldText
{
    private const int MostTimeParts = 6;
    private const int NanosDigits = 9;

    /// <summary>
    /// Reads a time of day: <c>hh:mm[:ss[:mmm[:uuu[:nnn]]]]</c>, <c>hh:mm:ss.f</c>, <c>hhmm[ss]</c>, or its parts in free form.
    /// </summary>
    /// <remarks>
    /// After a two-digit hour every part has its exact width. A zone suffix is dropped; no part is checked against the range of a clock.
    /// </remarks>
    public static TextResult TryParseTime(ReadOnlySpan<char> text, out RwfTime value)
    {
        value = default;
        text = text.TrimEnd();
        if (text.IsEmpty)
            return TextResult.Blank;

        Span<int> parts = stackalloc int[MostTimeParts];
        bool read = text.Length > 2 && text[2] == ':' && char.IsAsciiDigit(text[0]) && char.IsAsciiDigit(text[1])
            ? TryReadExactTime(text, parts)
            : TryReadCompactTime(text, parts) || TryReadFreeTime(text, parts);
        if (!read)
            return TextResult.Invalid;

        value = new RwfTime((byte)parts[0], (byte)parts[1], (byte)parts[2], (ushort)parts[3], (ushort)parts[4], (ushort)parts[5]);
        return TextResult.Value;
    }

    // hh:mm[:ss[:mmm[:uuu[:nnn]]]] or hh:mm:ss(.|,)f, then perhaps a zone
    private static bool TryReadExactTime(ReadOnlySpan<char> text, Span<int> parts)
    {
        for (int part = 0; part < MostTimeParts; part++)
        {
            if (part > 0 && (text.IsEmpty || text[0] != ':'))
                return part >= 2 && (IsZone(text) || (part == 3 && TryReadFraction(text, parts)));

            if (part > 0)
                text = text[1..];
            if (!TryReadExact(ref text, part < 3 ? 2 : 3, out parts[part]))
                return false;
        }

        return IsZone(text);
    }

    // .f or ,f with one to nine digits
    private static bool TryReadFraction(ReadOnlySpan<char> text, Span<int> parts)
    {
        if (text[0] is not ('.' or ','))
            return false;

        text = text[1..];
        int digits = ReadDigits(ref text, 999_999_999, out int fraction);
        if (digits is 0 or > NanosDigits || !IsZone(text))
            return false;

        for (int i = digits; i < NanosDigits; i++)
            fraction *= 10;
        parts[3] = fraction / 1_000_000;
        parts[4] = fraction / 1_000 % 1_000;
        parts[5] = fraction % 1_000;
        return true;
    }

    // hhmm or hhmmss, then perhaps a zone
    private static bool TryReadCompactTime(ReadOnlySpan<char> text, Span<int> parts)
    {
        bool read = TryReadExact(ref text, 2, out parts[0]) && TryReadExact(ref text, 2, out parts[1]);
        if (read && !TryReadExact(ref text, 2, out parts[2]))
            parts[2] = 0;
        if (read && IsZone(text))
            return true;

        parts.Clear();
        return false;
    }

    // two to six numbers with colons or blanks between them
    private static bool TryReadFreeTime(ReadOnlySpan<char> text, Span<int> parts)
    {
        // Maximum of each part on the wire: bytes, a 16-bit word, and twice eleven bits.
        ReadOnlySpan<int> largest = [255, 255, 255, 65535, 2047, 2047];
        for (int part = 0; part < MostTimeParts; part++)
        {
            text = text.TrimStart(' ');
            if (ReadDigits(ref text, largest[part], out parts[part]) == 0)
                return false;

            if (text.IsEmpty)
                return part >= 1;

            text = text.TrimStart(' ');
            if (text[0] == ':')
                text = text[1..];
        }

        return false;
    }

    private static bool TryReadExact(ref ReadOnlySpan<char> text, int digits, out int number)
    {
        number = 0;
        if (text.Length < digits || !int.TryParse(text[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out number))
            return false;

        text = text[digits..];
        return true;
    }

    private static bool IsZone(ReadOnlySpan<char> text) => text switch
    {
        [] or ['Z' or 'z'] => true,
        ['+' or '-', .. ReadOnlySpan<char> offset] => !offset.ContainsAnyExceptInRange('0', ':'), // the colon is the character after '9'
        _ => false,
    };
}
