namespace PerfCommon.Codec;

/// <summary>Hint byte of a Real: what its integer is to be multiplied with or divided by.</summary>
public static class RealHint
{
    /// <summary>Value times 10 to the power of -14.</summary>
    public const byte ExponentMinus14 = 0;

    /// <summary>Value times 10 to the power of -13.</summary>
    public const byte ExponentMinus13 = 1;

    /// <summary>Value times 10 to the power of -12.</summary>
    public const byte ExponentMinus12 = 2;

    /// <summary>Value times 10 to the power of -11.</summary>
    public const byte ExponentMinus11 = 3;

    /// <summary>Value times 10 to the power of -10.</summary>
    public const byte ExponentMinus10 = 4;

    /// <summary>Value times 10 to the power of -9.</summary>
    public const byte ExponentMinus9 = 5;

    /// <summary>Value times 10 to the power of -8.</summary>
    public const byte ExponentMinus8 = 6;

    /// <summary>Value times 10 to the power of -7.</summary>
    public const byte ExponentMinus7 = 7;

    /// <summary>Value times 10 to the power of -6.</summary>
    public const byte ExponentMinus6 = 8;

    /// <summary>Value times 10 to the power of -5.</summary>
    public const byte ExponentMinus5 = 9;

    /// <summary>Value times 10 to the power of -4.</summary>
    public const byte ExponentMinus4 = 10;

    /// <summary>Value times 10 to the power of -3.</summary>
    public const byte ExponentMinus3 = 11;

    /// <summary>Value times 10 to the power of -2.</summary>
    public const byte ExponentMinus2 = 12;

    /// <summary>Value times 10 to the power of -1.</summary>
    public const byte ExponentMinus1 = 13;

    /// <summary>The value itself.</summary>
    public const byte Exponent0 = 14;

    /// <summary>Value times 10 to the power of 1.</summary>
    public const byte Exponent1 = 15;

    /// <summary>Value times 10 to the power of 2.</summary>
    public const byte Exponent2 = 16;

    /// <summary>Value times 10 to the power of 3.</summary>
    public const byte Exponent3 = 17;

    /// <summary>Value times 10 to the power of 4.</summary>
    public const byte Exponent4 = 18;

    /// <summary>Value times 10 to the power of 5.</summary>
    public const byte Exponent5 = 19;

    /// <summary>Value times 10 to the power of 6.</summary>
    public const byte Exponent6 = 20;

    /// <summary>Value times 10 to the power of 7.</summary>
    public const byte Exponent7 = 21;

    /// <summary>Value divided by 1.</summary>
    public const byte Fraction1 = 22;

    /// <summary>Value divided by 2.</summary>
    public const byte Fraction2 = 23;

    /// <summary>Value divided by 4.</summary>
    public const byte Fraction4 = 24;

    /// <summary>Value divided by 8.</summary>
    public const byte Fraction8 = 25;

    /// <summary>Value divided by 16.</summary>
    public const byte Fraction16 = 26;

    /// <summary>Value divided by 32.</summary>
    public const byte Fraction32 = 27;

    /// <summary>Value divided by 64.</summary>
    public const byte Fraction64 = 28;

    /// <summary>Value divided by 128.</summary>
    public const byte Fraction128 = 29;

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
