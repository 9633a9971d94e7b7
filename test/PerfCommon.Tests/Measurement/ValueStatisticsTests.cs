using FsCheck;
using FsCheck.Fluent;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class ValueStatisticsTests
{
    private static readonly Config Settings = Config.QuickThrowOnFailure.WithMaxTest(1_000).WithQuietOnSuccess(true);

    [Fact]
    public void Figures_NoValues_AreZero()
    {
        ValueStatistics statistics = new();
        Assert.Equal((0L, 0.0, 0.0, 0.0), (statistics.Count, statistics.Mean, statistics.Min, statistics.Max));
        Assert.Equal((0.0, 0.0, 0.0), (statistics.StandardDeviation, statistics.PopulationDeviation, statistics.Sum));
    }

    [Fact]
    public void Figures_OneNegativeValue_AreThatValueWithoutDeviation()
    {
        ValueStatistics statistics = Of([-4]);
        Assert.Equal((-4.0, -4.0, -4.0, 0.0), (statistics.Mean, statistics.Min, statistics.Max, statistics.StandardDeviation));
    }

    [Fact]
    public void StandardDeviation_LargeNearlyEqualValues_LosesNothing()
    {
        ValueStatistics statistics = Of([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]);
        Assert.Equal(Math.Sqrt(30), statistics.StandardDeviation, 9);
    }

    [Fact]
    public void Figures_AnyValues_EqualTheNaiveOnes() => Prop.ForAll<int[]>(values =>
    {
        ValueStatistics statistics = Of(values.Select(v => (double)v));
        if (values.Length == 0)
            return statistics.Count == 0;
        double mean = values.Average();
        double squares = values.Sum(v => (v - mean) * (v - mean));
        return statistics.Count == values.Length && Close(mean, statistics.Mean) && Close(values.Sum(v => (double)v), statistics.Sum)
            && statistics.Min == values.Min() && statistics.Max == values.Max()
            && Close(Math.Sqrt(squares / values.Length), statistics.PopulationDeviation)
            && (values.Length == 1 || Close(Math.Sqrt(squares / (values.Length - 1)), statistics.StandardDeviation));
    }).Check(Settings);

    [Fact]
    public void Merge_AnyParts_EqualsTheWhole() => Prop.ForAll<int[], int[]>((a, b) =>
    {
        ValueStatistics merged = Of(a.Select(v => (double)v));
        merged.Merge(Of(b.Select(v => (double)v)));
        ValueStatistics whole = Of(a.Concat(b).Select(v => (double)v));
        return merged.Count == whole.Count && Close(whole.Mean, merged.Mean) && Close(whole.StandardDeviation, merged.StandardDeviation)
            && merged.Min == whole.Min && merged.Max == whole.Max;
    }).Check(Settings);

    [Fact]
    public void Add_WithCount_EqualsAddingOneByOne()
    {
        ValueStatistics counted = Of([1, 2]);
        counted.Add(5, 3);
        counted.Add(9, 0);
        ValueStatistics single = Of([1, 2, 5, 5, 5]);
        Assert.Equal((single.Count, single.Mean, single.Max), (counted.Count, counted.Mean, counted.Max));
        Assert.Equal(single.StandardDeviation, counted.StandardDeviation, 12);
    }

    [Fact]
    public void Reset_AfterValues_ForgetsThem()
    {
        ValueStatistics statistics = Of([3, 8]);
        statistics.Reset();
        statistics.Add(1);
        Assert.Equal((1L, 1.0, 1.0, 1.0, 0.0),
            (statistics.Count, statistics.Mean, statistics.Min, statistics.Max, statistics.StandardDeviation));
    }

    private static ValueStatistics Of(IEnumerable<double> values)
    {
        ValueStatistics statistics = new();
        foreach (double value in values)
            statistics.Add(value);
        return statistics;
    }

    private static bool Close(double expected, double actual) => Math.Abs(expected - actual) <= 1e-9 * Math.Max(1, Math.Abs(expected));
}
