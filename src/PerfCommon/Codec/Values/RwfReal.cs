using System.Diagnostics;
using System.Globalization;

namespace PerfCommon.Codec;

/// <summary>Hint byte of a Real: the factor or divisor of its integer.</summary>
/// <remarks>
/// <see cref="Exponent0"/> + n is the value times 10 to the power of n, from -14 to 7; <see cref="Fraction1"/> + n is the value divided
/// by 2 to the power of n, from 0 to 8.
/// </remarks>
public static class RealHint // wire/rwf 3
{
    /// <summary>Value times 10 to the power of -14.</summary>
    public const byte ExponentMinus14 = 0;

    /// <summary>The value itself.</summary>
    public const byte Exponent0 = 14;

    /// <summary>Value times 10 to the power of 7.</summary>
    public const byte Exponent7 = 21;

    /// <summary>Value divided by 1.</summary>
    public const byte Fraction1 = 22;

    /// <summary>Value divided by 256.</summary>
    public const byte Fraction256 = 30;

    /// <summary>No value.</summary>
    public const byte Blank = 32;

    /// <summary>Positive infinity.</summary>
    public const byte Infinity = 33;

    /// <summary>Negative infinity.</summary>
    public const byte NegativeInfinity = 34;

    /// <summary>Not a number.</summary>
    public const byte NotANumber = 35;
}

/// <summary>An integer with a hint that gives the position of its decimal point, or a special value.</summary>
/// <param name="Value">The integer; 0 for special values.</param>
/// <param name="Hint">One of <see cref="RealHint"/>.</param>
[DebuggerDisplay("{ToDouble()} ({Value}, hint {Hint})")]
public readonly record struct RwfReal(long Value, byte Hint)
{
    /// <summary>No value.</summary>
    public static RwfReal BlankValue => new(0, RealHint.Blank);

    /// <summary>True when there is no value.</summary>
    public bool IsBlank => Hint == RealHint.Blank;

    /// <summary>True for the infinities and not-a-number.</summary>
    public bool IsSpecial => Hint is >= RealHint.Infinity and <= RealHint.NotANumber;

    /// <summary>Returns the nearest double; not-a-number when blank.</summary>
    public double ToDouble() => Hint switch // wire/rwf 3
    {
        <= RealHint.Exponent0 => Value / PowerOfTen(RealHint.Exponent0 - Hint),
        <= RealHint.Exponent7 => Value * PowerOfTen(Hint - RealHint.Exponent0),
        <= RealHint.Fraction256 => Value / (double)(1 << (Hint - RealHint.Fraction1)),
        RealHint.Infinity => double.PositiveInfinity,
        RealHint.NegativeInfinity => double.NegativeInfinity,
        _ => double.NaN,
    };

    /// <summary>Formats the number with exactly the decimals of its hint, such as <c>104.25</c>, in every culture; empty when blank.</summary>
    public override string ToString() => Hint switch // wire/rwf 8
    {
        < RealHint.Exponent0 => WithDecimals(RealHint.Exponent0 - Hint),
        <= RealHint.Exponent7 => ((Int128)Value * (Int128)Math.Pow(10, Hint - RealHint.Exponent0)).ToString(CultureInfo.InvariantCulture),
        <= RealHint.Fraction256 => ToDouble().ToString("R", CultureInfo.InvariantCulture),
        RealHint.Infinity => "Inf",
        RealHint.NegativeInfinity => "-Inf",
        RealHint.NotANumber => "NaN",
        _ => "",
    };

    private string WithDecimals(int decimals)
    {
        string digits = UInt128.CreateTruncating(Int128.Abs(Value)).ToString(CultureInfo.InvariantCulture).PadLeft(decimals + 1, '0');
        return (Value < 0 ? "-" : "") + digits[..^decimals] + "." + digits[^decimals..];
    }

    private static double PowerOfTen(int exponent)
    {
        ReadOnlySpan<double> powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];
        return powers[exponent];
    }
}

public static partial class RwfPrimitives
{
    private const byte RealHintMask = 0x3F; // wire/rwf 3

    /// <summary>Reads a Real: a hint byte and an integer of up to 8 bytes.</summary>
    public static DecodeResult TryReadReal(ReadOnlySpan<byte> content, out RwfReal value)
    {
        if (content.Length < 2 || (content[0] & RealHintMask) > RealHint.Fraction256 || TryReadInt(content[1..], out long number) != DecodeResult.Success)
            return ReadSpecialReal(content, out value); // wire/rwf 3
        value = new RwfReal(number, (byte)(content[0] & RealHintMask));
        return DecodeResult.Success;
    }

    private static DecodeResult ReadSpecialReal(ReadOnlySpan<byte> content, out RwfReal value)
    {
        value = RwfReal.BlankValue;
        if (content.IsEmpty)
            return DecodeResult.Blank;
        // wire/rwf 3
        if (content.Length > 1 + sizeof(long))
            return DecodeResult.Invalid;

        byte hint = (byte)(content[0] & RealHintMask);
        if (hint is >= RealHint.Infinity and <= RealHint.NotANumber)
        {
            value = new RwfReal(0, hint);
            return DecodeResult.Success;
        }

        // wire/rwf 3
        return content.Length == 1 || hint == RealHint.Blank ? DecodeResult.Blank : DecodeResult.Invalid;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Writes a Real into the open entry; fixed forms of set data carry no infinities and at most 4 or 8 bytes.</summary>
    public bool WriteReal(RwfReal value)
    {
        if (value.Hint is > RealHint.Fraction256 and < RealHint.Blank or > RealHint.NotANumber)
            Fail(EncodeProblem.InvalidValue); // wire/rwf 3
        if (_open.LengthAt == PendingReal)
            return WriteSetReal(value);

        Span<byte> content = stackalloc byte[1 + sizeof(long)];
        int length = value.IsSpecial ? 0 : RwfContent.LengthOf(value.Value); // wire/rwf 3
        content[0] = value.Hint;
        RwfContent.WriteLow(content[1..], value.Value, length);
        return WriteContent(value.IsBlank ? default : content[..(1 + length)]);
    }

    // wire/rwf 3.1
    private bool WriteSetReal(RwfReal value)
    {
        _open.LengthAt = NoLength;
        if (value.IsBlank)
        {
            PutByte(RealHint.Blank);
            return !Failed;
        }

        int step = _open.ContentType == DataType.Real4RB ? 1 : 2;
        int size = (RwfContent.LengthOf(value.Value) + step - 1) / step;
        if (size > 4 || value.IsSpecial) // wire/rwf 3.1
        {
            Fail(EncodeProblem.InvalidValue);
            return false;
        }

        PutByte(((size - 1) << 6) | value.Hint);
        Span<byte> content = stackalloc byte[sizeof(long)];
        RwfContent.WriteLow(content, value.Value, size * step);
        PutBytes(content[..(size * step)]);
        return !Failed;
    }
}
