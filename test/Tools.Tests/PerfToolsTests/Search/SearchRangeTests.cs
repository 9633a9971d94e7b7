using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>The values that a search may try next, at the ends of its range and where two values are close enough.</summary>
[Trait("Category", "Fast")]
public class SearchRangeTests
{
    private static readonly SearchRange Range = new() { First = 100 };

    [Theory]
    [InlineData(1, 2)]
    [InlineData(500, 1_000)]
    [InlineData(501, 1_001)] // twice is beyond the greatest
    [InlineData(1_001, 1_001)]
    public void Double_OfAValue_IsTwiceAndTheGreatestAtMost(int value, int expected) =>
        Assert.Equal(expected, (Range with { Max = 1_001 }).Double(value));

    [Fact]
    public void Double_OfAGreatValue_DoesNotOverflow() => Assert.Equal(1_000_000_000, Range.Double(999_999_999));

    [Theory]
    [InlineData(8, 4)]
    [InlineData(7, 3)]
    [InlineData(6, 3)]
    [InlineData(5, 3)] // half of it is below the least
    [InlineData(3, 3)]
    public void Halve_OfAValue_IsHalfAndTheLeastAtLeast(int value, int expected) => Assert.Equal(expected, (Range with { Min = 3 }).Halve(value));

    /// <summary>Kept and missed are close enough at 3 %, and where no whole number lies between them.</summary>
    [Theory]
    [InlineData(100, 103, null)]
    [InlineData(100, 104, 102)]
    [InlineData(1_000, 1_030, null)]
    [InlineData(1_000, 1_031, 1_020)] // of three digits
    [InlineData(1, 2, null)]
    [InlineData(1, 3, 2)]
    [InlineData(1, 100, 10)] // on the logarithm
    [InlineData(100_000, 200_000, 141_000)]
    [InlineData(800, 1_600, 1_130)]
    public void Between_KeptAndMissed_IsTheMiddleUntilTheyAreClose(int kept, int missed, int? expected) =>
        Assert.Equal(expected, Range.Between(kept, missed));

    /// <summary>A middle that is rounded to another value of both is moved between them.</summary>
    [Theory]
    [InlineData(1_001, 1_004, 1_002)]
    [InlineData(1_006, 1_009, 1_008)]
    [InlineData(1_006, 1_008, 1_007)]
    [InlineData(1_006, 1_007, null)]
    [InlineData(1_006, 1_006, null)]
    public void Between_ValuesCloserThanThreeDigits_LiesBetweenThem(int kept, int missed, int? expected) =>
        Assert.Equal(expected, (Range with { Width = 0 }).Between(kept, missed));

    [Theory]
    [InlineData(1_000, 1, 971)]
    [InlineData(1_000, 2, 943)]
    [InlineData(1_000, 4, 888)]
    [InlineData(100_000, 1, 97_100)]
    [InlineData(12, 1, 11)] // one lower at least
    [InlineData(11, 1, 10)]
    [InlineData(11, 8, 10)] // never below the least
    [InlineData(10, 1, null)]
    public void Below_AValue_IsSomeWidthsLowerAndTheLeastAtLeast(int value, int widths, int? expected) =>
        Assert.Equal(expected, (Range with { Min = 10 }).Below(value, widths));

    [Theory]
    [InlineData(1_000, 0.1, 100)]
    [InlineData(1_000, 1.04, 1_040)]
    [InlineData(1_000, 1.1, 1_050)] // the greatest
    [InlineData(1_000, 0.001, 10)] // the least
    [InlineData(123, 0.5, 62)]
    [InlineData(999, 1, 999)]
    public void PartOf_AValue_IsAPermittedOne(int value, double part, int expected) =>
        Assert.Equal(expected, (Range with { Min = 10, Max = 1_050 }).PartOf(value, part));

    [Fact]
    public void PartOf_AGreatValue_HasThreeDigits() => Assert.Equal(5_430_000, Range.PartOf(4_940_000, 1.1));
}
