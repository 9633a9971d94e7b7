using MathNet.Numerics.Distributions;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Results.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary>The statistics of comparison and search against those of MathNet.Numerics.</summary>
[Trait("Category", "Fast")]
public class StatisticsOracleTests
{
    public static TheoryData<double> Degrees => new(0.5, 1, 2.5, 3, 7.7, 12, 39, 250, 1e5);

    [Theory, MemberData(nameof(Degrees))]
    public void TwoSided_AnyValue_IsThatOfTheOracle(double degrees)
    {
        for (double t = -12; t <= 12; t += 0.37)
        {
            double expected = 2 * StudentT.CDF(0, 1, degrees, -Math.Abs(t));
            Assert.Equal(expected, StudentDistribution.TwoSided(t, degrees), 1e-10);
        }
    }

    [Theory, MemberData(nameof(Degrees))]
    public void Quantile_AnyProbability_IsThatOfTheOracle(double degrees)
    {
        foreach (double probability in (double[])[0.9, 0.5, 0.2, 0.05, 0.01, 0.0005])
        {
            double quantile = StudentDistribution.Quantile(probability, degrees);
            Assert.Equal(1, 2 * StudentT.CDF(0, 1, degrees, -quantile) / probability, 1e-6);
        }
    }

    [Fact]
    public void MedianInterval_AnyCount_CoversWhatTheBinomialDistributionSays()
    {
        for (int count = 1; count <= 60; count++)
        {
            MedianInterval interval = MedianInterval.Of(Enumerable.Range(1, count).Select(value => (double)value))!;
            int rank = (int)(interval.Low ?? 0); // the values are their own ranks
            Assert.Equal(rank == 0 ? 0 : Covered(count, rank), interval.Coverage, 1e-12);
            Assert.True(Covered(count, rank + 1) < MedianInterval.MinCoverage, $"{count} values carry a narrower interval");
        }
    }

    // Neither fewer than `rank` values below the true median nor fewer than that above it.
    private static double Covered(int count, int rank) => 1 - (2 * Binomial.CDF(0.5, count, rank - 1));
}
