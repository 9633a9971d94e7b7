using PerfTools.Matrix;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Matrix;

/// <summary>The best and the worst combination, and the cases without either.</summary>
public class MatrixColumnTests
{
    private const int Seeds = 400;

    [Fact]
    public void Column_OneApart_IsMarkedByWhatIsBetter()
    {
        double?[][] values = [[100, 102, 101], [80, 81, 80], [101, 100, 102], [130, 131, 129]];
        MatrixColumn low = new(values, isLowerBetter: true), high = new(values, isLowerBetter: false);
        Assert.Equal((1, 3), (low.Best, low.Worst));
        Assert.Equal((3, 1), (high.Best, high.Worst));
        Assert.Equal((0, 1), (low.Heat[1], low.Heat[3]));
        Assert.Equal((1, 0), (high.Heat[1], high.Heat[3]));
        Assert.InRange(low.Heat[0]!.Value, 0.4, 0.45);
    }

    [Theory]
    [InlineData(0.5)] // a difference too small to matter, however certain
    [InlineData(0)]
    public void Column_AlmostTheSame_HasNoBest(double difference)
    {
        MatrixColumn column = new([[100, 100, 100], [100 + difference, 100 + difference, 100 + difference]], isLowerBetter: true);
        Assert.Null(column.Best);
        Assert.Null(column.Worst);
        Assert.All(column.Heat, Assert.Null);
    }

    [Fact]
    public void Column_OneRound_HasFiguresAndNoMarks()
    {
        MatrixColumn column = new([[100], [50]], isLowerBetter: true);
        Assert.Null(column.Best);
        Assert.Equal(new MatrixValue(50, 50, 50, 1), column.Values[1]! with
        {
            Mean = Math.Round(column.Values[1]!.Mean, 9),
            Low = Math.Round(column.Values[1]!.Low, 9),
            High = Math.Round(column.Values[1]!.High, 9)
        });
    }

    [Fact]
    public void Column_WithoutValues_IsUnknown()
    {
        MatrixColumn column = new([[null, null], [], [7, 8, 0]], isLowerBetter: true);
        Assert.Equal([true, true, false], column.Values.Select(value => value is null));
        Assert.Equal(2, column.Values[2]!.Rounds); // 0 is no figure
        Assert.Null(column.Best);
        Assert.All(column.Heat, Assert.Null);
    }

    [Fact]
    public void Column_OfNoise_MarksOneInTwentyAtMost()
    {
        int marked = Enumerable.Range(0, Seeds).Count(seed => Simulate(seed, [100, 100, 100, 100, 100, 100], 0.05).Best is not null);
        Assert.InRange(marked, 0, Seeds / 20);
    }

    [Fact]
    public void Column_OfOneThatIsBetter_FindsItAndItsIntervalHoldsTheTruth()
    {
        MatrixColumn[] all = [.. Enumerable.Range(0, Seeds).Select(seed => Simulate(seed, [100, 75, 100, 100], 0.05))];
        Assert.InRange(all.Count(column => column.Best == 1), Seeds * 95 / 100, Seeds);
        Assert.All(all, column => Assert.True(column.Best is null or 1));
        Assert.InRange(all.Count(column => column.Values[1] is { Low: <= 75, High: >= 75 }), Seeds * 92 / 100, Seeds * 98 / 100);
    }

    // Three rounds of each, with normal noise on the logarithms.
    private static MatrixColumn Simulate(int seed, double[] truth, double noise)
    {
        Random random = new(seed);
        return new(truth.Select(mean => (IEnumerable<double?>)[.. Enumerable.Range(0, 3).Select(_ => (double?)(mean * Math.Exp(noise * Normal(random))))]),
            isLowerBetter: true);
    }

    private static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
