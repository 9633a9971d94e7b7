using PerfTools.Results.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

[Trait("Category", "Fast")]
public class StudentDistributionTests
{
    // from printed tables
    [Theory]
    [InlineData(1, 0.05, 12.706)]
    [InlineData(2, 0.01, 9.925)]
    [InlineData(8, 0.05, 2.306)]
    [InlineData(30, 0.001, 3.646)]
    [InlineData(1_000_000, 0.05, 1.960)]
    public void Quantile_OfTheTables_IsTheirs(double degrees, double probability, double expected)
    {
        Assert.Equal(expected, StudentDistribution.Quantile(probability, degrees), 3);
        Assert.Equal(probability, StudentDistribution.TwoSided(-StudentDistribution.Quantile(probability, degrees), degrees), 9);
    }

    [Fact]
    public void TwoSided_NoDifference_IsCertain() =>
        Assert.Equal((1.0, 0.0), (StudentDistribution.TwoSided(0, 5), StudentDistribution.TwoSided(double.PositiveInfinity, 5)));
}
