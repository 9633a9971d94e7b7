using PerfCommon.Codec;

namespace PerfCommon.MsgData;

internal static partial class FieldText
{
    private const int LargestDay = 31;
    private const int LargestMonth = 12;
    private const int LargestLeadingDay = 255;

    /// <summary>Reads a date: <c>m/d/y</c>, <c>y/m/d</c>, both with blanks, <c>d MON y</c>, <c>yyyy-mm-dd</c> or <c>yyyymmdd</c>.</summary>
    /// <remarks>
    /// A first number above 255 is a year. Day and month may be 0; a year below 100 counts from 1900 where it is the last number.
    /// </remarks>
    public static TextResult TryParseDate(ReadOnlySpan<char> text, out RwfDate value)
    {
        value = default;
        if (text.IsWhiteSpace())
            return TextResult.Blank;
        bool read = TryReadDatePart(ref text, out RwfDate date, out _) && text.IsWhiteSpace();
        value = read ? date : default;
        return read ? TextResult.Value : TextResult.Invalid;
    }

    /// <summary>
    /// Reads a date and a time with blanks between them, or a <c>T</c> after an ISO date. A time alone leaves the date blank.
    /// </summary>
    public static TextResult TryParseDateTime(ReadOnlySpan<char> text, out RwfDateTime value)
    {
        value = default;
        if (text.IsWhiteSpace())
            return TextResult.Blank;

        ReadOnlySpan<char> rest = text;
        if (!TryReadDatePart(ref rest, out RwfDate date, out bool iso))
        {
            rest = text.Contains(':') ? text : default;
            date = default;
        }
        else if (rest is ['T', ..] && iso)
        {
            rest = rest[1..];
        }
        else if (rest is not [' ', ..])
        {
            return TextResult.Invalid;
        }

        if (TryParseTime(rest.TrimStart(' '), out RwfTime time) != TextResult.Value)
            return TextResult.Invalid;

        value = new RwfDateTime(date, time);
        return TextResult.Value;
    }

    private static bool TryReadDatePart(ref ReadOnlySpan<char> rest, out RwfDate date, out bool iso)
    {
        date = default;
        rest = rest.TrimStart();
        int digits = ReadDigits(ref rest, 99_999_999, out int first);
        iso = digits == 8 || (digits == 4 && rest is ['-', ..]);
        if (digits == 8)
            return TryMakeDate(first / 10_000, first / 100 % 100, first % 100, out date);
        if (iso)
            return TryReadIsoMonthDay(ref rest, out int isoMonth, out int isoDay) && TryMakeDate(first, isoMonth, isoDay, out date);
        if (digits == 0)
            return false;
        if (rest is ['/', ..])
            return TryReadNumbers(ref rest, '/', first, out date);

        ReadOnlySpan<char> next = rest.TrimStart(' ');
        if (next.Length == rest.Length)
            return false;

        return next is [>= '0' and <= '9', ..]
            ? TryReadNumbers(ref rest, ' ', first, out date) : TryReadNamedMonth(ref rest, first, out date);
    }

    private static bool TryReadIsoMonthDay(ref ReadOnlySpan<char> rest, out int month, out int day)
    {
        month = day = 0;
        if (rest is not ['-', _, _, '-', _, _, ..])
            return false;

        rest = rest[1..];
        bool read = TryReadExact(ref rest, 2, out month);
        rest = rest[1..];
        return read && TryReadExact(ref rest, 2, out day);
    }

    // m/d/y or y/m/d after their first number; the separator is a slash, or any number of blanks
    private static bool TryReadNumbers(ref ReadOnlySpan<char> rest, char separator, int first, out RwfDate date)
    {
        date = default;
        if (!TryReadSeparated(ref rest, separator, out int second) || !TryReadSeparated(ref rest, separator, out int third))
            return false;

        return first > LargestLeadingDay
            ? TryMakeDate(first, second, third, out date)
            : TryMakeDate(FullYear(third), first, second, out date);
    }

    // d MON y after its day
    private static bool TryReadNamedMonth(ref ReadOnlySpan<char> rest, int day, out RwfDate date)
    {
        date = default;
        rest = rest.TrimStart(' ');
        if (rest.Length < 3)
            return false;

        int at = RwfDate.MonthNames.AsSpan().IndexOf(rest[..3], StringComparison.OrdinalIgnoreCase);
        rest = rest[3..];
        return at >= 0 && at % 3 == 0 && TryReadSeparated(ref rest, ' ', out int year)
            && TryMakeDate(FullYear(year), (at / 3) + 1, day, out date);
    }

    private static bool TryReadSeparated(ref ReadOnlySpan<char> rest, char separator, out int number)
    {
        number = 0;
        if (rest.IsEmpty || rest[0] != separator)
            return false;

        rest = separator == ' ' ? rest.TrimStart(' ') : rest[1..];
        return ReadDigits(ref rest, ushort.MaxValue, out number) > 0;
    }

    private static int FullYear(int year) => year < 100 ? 1900 + year : year;

    private static bool TryMakeDate(int year, int month, int day, out RwfDate date)
    {
        bool possible = day <= LargestDay && month <= LargestMonth && year <= ushort.MaxValue;
        date = possible ? new RwfDate((byte)day, (byte)month, (ushort)year) : default;
        return possible;
    }
}
