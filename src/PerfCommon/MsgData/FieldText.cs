using System.Globalization;
using System.Numerics;

namespace PerfCommon.MsgData;

/// <summary>Parses the texts of message files into values of the wire.</summary>
/// <remarks>Invariant culture always. A result other than <see cref="TextResult.Value"/> leaves the value at its default.</remarks>
internal static partial class FieldText
{
    // Java and C write a quiet NaN without sign; .NET's own constant has the sign bit set.
    private const int SingleNaNBits = 0x7FC00000;
    private const long DoubleNaNBits = 0x7FF8000000000000;

    private const NumberStyles WholeNumber = NumberStyles.AllowLeadingSign;

    /// <summary>Reads a signed 64-bit decimal number; blanks around it are ignored.</summary>
    public static TextResult TryParseInt(ReadOnlySpan<char> text, out long value) => TryParse(text.Trim(), WholeNumber, out value);

    /// <summary>Reads an unsigned 64-bit decimal number without blanks around it; a negative one is invalid.</summary>
    public static TextResult TryParseUInt(ReadOnlySpan<char> text, out ulong value) => TryParse(text, WholeNumber, out value);

    /// <summary>Reads an enumerated value, 0 to 65535; blanks around it are ignored.</summary>
    public static TextResult TryParseEnum(ReadOnlySpan<char> text, out ushort value) => TryParse(text.Trim(), WholeNumber, out value);

    /// <summary>Reads a single-precision number in decimal or exponent form; a number that is too large becomes infinity.</summary>
    public static TextResult TryParseFloat(ReadOnlySpan<char> text, out float value)
    {
        TextResult result = TryParse(text, NumberStyles.Float, out value);
        if (float.IsNaN(value))
            value = BitConverter.Int32BitsToSingle(SingleNaNBits);
        return result;
    }

    /// <summary>Reads a double-precision number in decimal or exponent form; a number that is too large becomes infinity.</summary>
    public static TextResult TryParseDouble(ReadOnlySpan<char> text, out double value)
    {
        TextResult result = TryParse(text, NumberStyles.Float, out value);
        if (double.IsNaN(value))
            value = BitConverter.Int64BitsToDouble(DoubleNaNBits);
        return result;
    }

    private static TextResult TryParse<T>(ReadOnlySpan<char> text, NumberStyles style, out T value)
        where T : struct, INumberBase<T>
    {
        value = default;
        if (text.IsWhiteSpace())
            return TextResult.Blank;
        return T.TryParse(text, style, CultureInfo.InvariantCulture, out value) ? TextResult.Value : TextResult.Invalid;
    }

    /// <summary>Reads consecutive decimal digits from the front.</summary>
    /// <returns>Number of digits read; 0 when there is none or the number exceeds <paramref name="largest"/>.</returns>
    private static int ReadDigits<T>(ref ReadOnlySpan<char> rest, T largest, out T number)
        where T : struct, INumber<T>
    {
        int end = rest.IndexOfAnyExceptInRange('0', '9');
        int digits = end < 0 ? rest.Length : end;
        if (!T.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out number) || number > largest)
        {
            number = default;
            return 0;
        }

        rest = rest[digits..];
        return digits;
    }
}

/// <summary>Result of parsing a text of a message file.</summary>
internal enum TextResult : byte
{
    Value, // the text is a value of the requested type
    Blank, // it means "no value"; it is encoded as a zero-length entry
    Invalid, // it is not of the requested type, or its number does not fit
}
