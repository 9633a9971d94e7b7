using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>An integer with a hint that tells where its point stands, or a special value.</summary>
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

    /// <summary>The nearest double; not-a-number when blank.</summary>
    public double ToDouble() => Hint switch
    {
        <= RealHint.Exponent0 => Value / PowerOfTen(RealHint.Exponent0 - Hint),
        <= RealHint.Exponent7 => Value * PowerOfTen(Hint - RealHint.Exponent0),
        <= RealHint.Fraction256 => Value / (double)(1 << (Hint - RealHint.Fraction1)),
        RealHint.Infinity => double.PositiveInfinity,
        RealHint.NegativeInfinity => double.NegativeInfinity,
        _ => double.NaN,
    };

    private static double PowerOfTen(int exponent)
    {
        ReadOnlySpan<double> powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];
        return powers[exponent];
    }
}
