using System.Globalization;

namespace PerfCommon.MsgData;

/// <summary>Turns the texts of message files into values of the wire.</summary>
/// <remarks>Invariant culture always. A result other than <see cref="TextResult.Value"/> leaves the value at its default.</remarks>
internal static partial class FieldText
{
    // Java and C write a quiet NaN without sign; .NET's own constant has the sign bit set.
    private const int SingleNaNBits = 0x7FC00000;
    private const long DoubleNaNBits = 0x7FF8000000000000;

    /// <summary>Reads a signed 64-bit decimal number; blanks around it are ignored.</summary>
    public static TextResult TryParseInt(ReadOnlySpan<char> text, out long value)
    {
        value = 0;
        if (text.IsWhiteSpace())
            return TextResult.Blank;

        return long.TryParse(text.Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value)
            ? TextResult.Value
            : TextResult.Invalid;
    }

    /// <summary>Reads an unsigned 64-bit decimal number without blanks around it.</summary>
    /// <remarks>A minus sign wraps into the upper half, as the reference edition does: <c>-5</c> is 2^64 - 5.</remarks>
    public static TextResult TryParseUInt(ReadOnlySpan<char> text, out ulong value)
    {
        value = 0;
        if (text.IsWhiteSpace())
            return TextResult.Blank;

        const NumberStyles Style = NumberStyles.AllowLeadingSign;
        if (ulong.TryParse(text, Style, CultureInfo.InvariantCulture, out value))
            return TextResult.Value;
        if (!long.TryParse(text, Style, CultureInfo.InvariantCulture, out long signed))
            return TextResult.Invalid;

        value = unchecked((ulong)signed);
        return TextResult.Value;
    }

    /// <summary>Reads an enumerated value, 0 to 65535; blanks around it are ignored.</summary>
    public static TextResult TryParseEnum(ReadOnlySpan<char> text, out ushort value)
    {
        value = 0;
        if (text.IsWhiteSpace())
            return TextResult.Blank;

        return ushort.TryParse(text.Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value)
            ? TextResult.Value
            : TextResult.Invalid;
    }

    /// <summary>Reads a single-precision number in decimal or exponent form; what is too large becomes infinity.</summary>
    public static TextResult TryParseFloat(ReadOnlySpan<char> text, out float value)
    {
        value = 0;
        if (text.IsWhiteSpace())
            return TextResult.Blank;
        if (!float.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value))
            return TextResult.Invalid;

        if (float.IsNaN(value))
            value = BitConverter.Int32BitsToSingle(SingleNaNBits);
        return TextResult.Value;
    }

    /// <summary>Reads a double-precision number in decimal or exponent form; what is too large becomes infinity.</summary>
    public static TextResult TryParseDouble(ReadOnlySpan<char> text, out double value)
    {
        value = 0;
        if (text.IsWhiteSpace())
            return TextResult.Blank;
        if (!double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value))
            return TextResult.Invalid;

        if (double.IsNaN(value))
            value = BitConverter.Int64BitsToDouble(DoubleNaNBits);
        return TextResult.Value;
    }

    /// <summary>Takes a run of decimal digits from the front.</summary>
    /// <returns>How many digits were taken; 0 when there is none or the number passes <paramref name="largest"/>.</returns>
    private static int TakeDigits(ref ReadOnlySpan<char> rest, int largest, out int number)
    {
        number = 0;
        long sum = 0;
        int digits = 0;
        for (; digits < rest.Length && char.IsAsciiDigit(rest[digits]); digits++)
        {
            sum = (sum * 10) + (rest[digits] - '0');
            if (sum > largest)
                return 0;
        }
        number = (int)sum;
        rest = rest[digits..];
        return digits;
    }
}
