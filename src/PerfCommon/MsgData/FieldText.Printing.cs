using System.Globalization;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

internal static partial class FieldText
{
    private const int SmallestYearWidth = 4;

    /// <summary>The number with exactly the decimals of its hint; empty when blank.</summary>
    public static string ToText(RwfReal value) => value.Hint switch
    {
        < RealHint.Exponent0 => WithDecimals(value.Value, RealHint.Exponent0 - value.Hint),
        <= RealHint.Exponent7 => ((Int128)value.Value * (Int128)Math.Pow(10, value.Hint - RealHint.Exponent0)).ToString(CultureInfo.InvariantCulture),
        <= RealHint.Fraction256 => value.ToDouble().ToString("R", CultureInfo.InvariantCulture),
        RealHint.Infinity => "Inf",
        RealHint.NegativeInfinity => "-Inf",
        RealHint.NotANumber => "NaN",
        _ => "",
    };

    /// <summary><c>15 NOV 2005</c>; a part that is 0 is left out; empty when blank.</summary>
    public static string ToText(RwfDate value)
    {
        string day = value.Day == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{value.Day:D2} ");
        string month = value.Month is 0 or > LargestMonth ? "" : string.Concat(MonthNames.AsSpan((value.Month - 1) * 3, 3), " ");
        return value.IsBlank
            ? ""
            : day + month + value.Year.ToString(CultureInfo.InvariantCulture).PadLeft(SmallestYearWidth);
    }

    /// <summary><c>15:52:12:000:000:000</c>; empty when blank, <c>Invalid time</c> when no clock shows it.</summary>
    public static string ToText(RwfTime value)
    {
        if (value.IsBlank)
            return "";

        return value is { Hour: > 23 } or { Minute: > 59 } or { Second: > 60 } or { Millisecond: > 999 } or { Microsecond: > 999 } or { Nanosecond: > 999 }
            ? "Invalid time"
            : string.Create(CultureInfo.InvariantCulture,
                $"{value.Hour:D2}:{value.Minute:D2}:{value.Second:D2}:{value.Millisecond:D3}:{value.Microsecond:D3}:{value.Nanosecond:D3}");
    }

    /// <summary>Date and time with a blank between them; a part that is blank is left out.</summary>
    public static string ToText(RwfDateTime value) => $"{ToText(value.Date)} {ToText(value.Time)}".Trim();

    private static string WithDecimals(long value, int decimals)
    {
        string digits = UInt128.CreateTruncating(Int128.Abs(value)).ToString(CultureInfo.InvariantCulture).PadLeft(decimals + 1, '0');
        return (value < 0 ? "-" : "") + digits[..^decimals] + "." + digits[^decimals..];
    }
}
