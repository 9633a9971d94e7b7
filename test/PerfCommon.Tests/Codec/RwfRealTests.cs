using System.Globalization;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>The number that a Real stands for, for every hint.</summary>
public class RwfRealTests
{
    private const long Number = 12_345_679;

    public static TheoryData<int> DecimalHints => [.. Enumerable.Range(RealHint.ExponentMinus14, 22)];

    [Theory, MemberData(nameof(DecimalHints))]
    public void ToDouble_PowerOfTen_IsTheDecimalNumber(int hint)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{Number}e{hint - RealHint.Exponent0}");
        double expected = double.Parse(text, CultureInfo.InvariantCulture);
        Assert.Equal(expected, new RwfReal(Number, (byte)hint).ToDouble());
        Assert.Equal(-expected, new RwfReal(-Number, (byte)hint).ToDouble());
        Assert.Equal(decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture),
            decimal.Parse(new RwfReal(Number, (byte)hint).ToString(), CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData(22, 1)]
    [InlineData(23, 2)]
    [InlineData(24, 4)]
    [InlineData(25, 8)]
    [InlineData(26, 16)]
    [InlineData(27, 32)]
    [InlineData(28, 64)]
    [InlineData(29, 128)]
    [InlineData(30, 256)]
    public void ToDouble_Fraction_IsTheNumberOfThatPart(byte hint, int parts)
    {
        Assert.Equal((double)Number / parts, new RwfReal(Number, hint).ToDouble());
        Assert.Equal(((double)Number / parts).ToString("R", CultureInfo.InvariantCulture), new RwfReal(Number, hint).ToString());
    }

    [Theory]
    [InlineData(32, double.NaN, "", true, false)]
    [InlineData(33, double.PositiveInfinity, "Inf", false, true)]
    [InlineData(34, double.NegativeInfinity, "-Inf", false, true)]
    [InlineData(35, double.NaN, "NaN", false, true)]
    [InlineData(31, double.NaN, "", false, false)]
    [InlineData(36, double.NaN, "", false, false)]
    public void ToDouble_NoNumber_IsWhatItSays(byte hint, double value, string text, bool isBlank, bool isSpecial)
    {
        RwfReal real = new(5, hint);
        Assert.Equal(value, real.ToDouble());
        Assert.Equal((text, isBlank, isSpecial), (real.ToString(), real.IsBlank, real.IsSpecial));
    }

    [Theory]
    [InlineData(5, 0, "0.00000000000005")]
    [InlineData(-5, 12, "-0.05")]
    [InlineData(long.MinValue, 12, "-92233720368547758.08")]
    [InlineData(long.MinValue, 14, "-9223372036854775808")]
    [InlineData(long.MaxValue, 21, "92233720368547758070000000")]
    [InlineData(0, 13, "0.0")]
    public void ToString_AnyNumber_HasAllItsDigits(long number, byte hint, string text) =>
        Assert.Equal(text, new RwfReal(number, hint).ToString());
}
