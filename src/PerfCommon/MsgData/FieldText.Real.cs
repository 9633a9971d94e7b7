using PerfCommon.Codec;

namespace PerfCommon.MsgData;

internal static partial class FieldText
{
    private const int MostRealDigits = 20;
    private const int MostDecimals = 14;
    private const int LargestDenominator = 256;

    /// <summary>
    /// Reads a number with its precision: <c>123.4500</c> keeps four decimals, <c>100</c> none, <c>7 1/4</c> is in quarters.
    /// </summary>
    /// <remarks>Also <c>Inf</c>, <c>-Inf</c>, <c>NaN</c> in any case. A plus sign before nothing but zeros means blank.</remarks>
    public static TextResult TryParseReal(ReadOnlySpan<char> text, out RwfReal value)
    {
        value = default;
        text = text.Trim();
        if (text.IsEmpty)
            return TextResult.Blank;
        if (TryParseSpecial(text, out value))
            return TextResult.Value;

        bool signed = text[0] is '-' or '+';
        ReadOnlySpan<char> magnitude = signed ? text[1..] : text;
        if (text[0] == '+' && magnitude.IndexOfAnyExcept('0', '.') < 0)
            return TextResult.Blank;
        if (magnitude.Length > MostRealDigits + (magnitude.Contains('.') ? 1 : 0))
            return TextResult.Invalid;
        if (!TryParseMagnitude(magnitude, out Int128 number, out int hint))
            return TextResult.Invalid;

        if (text[0] == '-')
            number = -number;
        if (number < long.MinValue || number > long.MaxValue)
            return TextResult.Invalid;

        value = new RwfReal((long)number, (byte)hint);
        return TextResult.Value;
    }

    private static bool TryParseSpecial(ReadOnlySpan<char> text, out RwfReal value)
    {
        byte hint = text switch
        {
            _ when text.Equals("inf", StringComparison.OrdinalIgnoreCase) => RealHint.Infinity,
            _ when text.Equals("-inf", StringComparison.OrdinalIgnoreCase) => RealHint.NegativeInfinity,
            _ when text.Equals("nan", StringComparison.OrdinalIgnoreCase) => RealHint.NotANumber,
            _ => 0,
        };
        value = hint == 0 ? default : new RwfReal(0, hint);
        return hint != 0;
    }

    // digits | digits.decimals | numerator/denominator | digits numerator/denominator
    private static bool TryParseMagnitude(ReadOnlySpan<char> text, out Int128 number, out int hint)
    {
        hint = RealHint.Exponent0;
        int digits = ReadDigits(ref text, Int128.MaxValue, out number);
        if (text.IsEmpty)
            return digits > 0;

        if (text[0] == '.')
        {
            text = text[1..];
            int decimals = text.Length;
            hint = RealHint.Exponent0 - decimals;
            return decimals is > 0 and <= MostDecimals && TryAppendDigits(text, ref number);
        }

        if (digits == 0)
            return false;
        if (text[0] == '/')
            return TryParseDenominator(text[1..], out _, out hint);

        ReadOnlySpan<char> fraction = text.TrimStart(' ');
        if (fraction.Length == text.Length || ReadDigits(ref fraction, Int128.MaxValue, out Int128 numerator) == 0
            || fraction.IsEmpty || fraction[0] != '/' || !TryParseDenominator(fraction[1..], out int denominator, out hint))
        {
            return false;
        }

        number = (number * denominator) + numerator;
        return true;
    }

    private static bool TryParseDenominator(ReadOnlySpan<char> text, out int denominator, out int hint)
    {
        int digits = ReadDigits(ref text, LargestDenominator, out denominator);
        hint = RealHint.Fraction1 + int.Log2(Math.Max(denominator, 1));
        return digits > 0 && text.IsEmpty && int.IsPow2(denominator);
    }

    // At most 20 digits in all: 10^20 is far below the maximum of 128 bits.
    private static bool TryAppendDigits(ReadOnlySpan<char> text, ref Int128 number)
    {
        foreach (char c in text)
        {
            if (!char.IsAsciiDigit(c))
                return false;

            number = (number * 10) + (c - '0');
        }

        return true;
    }
}
