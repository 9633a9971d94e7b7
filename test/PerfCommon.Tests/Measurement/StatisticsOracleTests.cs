using MathNet.Numerics.Statistics;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

/// <summary>Mean and deviation against those of MathNet.Numerics, of values of very different size.</summary>
public class StatisticsOracleTests
{
    [Theory]
    [InlineData(2, 0, 1)]
    [InlineData(1_000, 1e9, 1)]
    [InlineData(5_000, -3e6, 4e6)]
    [InlineData(20_000, 50, 1e5)]
    public void Figures_ManyValues_AreThoseOfTheOracle(int count, double offset, double spread)
    {
        Random random = new(37);
        double[] values = [.. Enumerable.Range(0, count).Select(_ => offset + (spread * random.NextDouble()))];
        ValueStatistics first = new(), second = new();
        foreach (double value in values[..(count / 3)])
            first.Add(value);
        foreach (double value in values[(count / 3)..])
            second.Add(value);
        first.Merge(second);

        Assert.Equal(values.Mean(), first.Mean, 1e-9 * Math.Max(1, Math.Abs(offset)));
        Assert.Equal(1, first.StandardDeviation / values.StandardDeviation(), 1e-6);
        Assert.Equal(1, first.PopulationDeviation / values.PopulationStandardDeviation(), 1e-6);
        Assert.Equal((values.Minimum(), values.Maximum()), (first.Min, first.Max));
    }
}
