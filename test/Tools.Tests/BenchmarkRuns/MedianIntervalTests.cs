using PerfCommon.Benchmarks.Runs;
using Xunit;

namespace Tools.Tests.BenchmarkRuns;

public class MedianIntervalTests
{
    [Theory]
    [InlineData(6, 1, 0.96875)]
    [InlineData(8, 1, 0.9921875)]
    [InlineData(9, 2, 0.9609375)]
    [InlineData(10, 2, 0.978515625)]
    [InlineData(20, 6, 0.95861)]
    public void Of_ValuesInAnyOrder_TakesTheRanksOfTheBinomialTable(int count, int rank, double coverage)
    {
        MedianInterval interval = MedianInterval.Of(Enumerable.Range(1, count).Select(i => (double)i).Reverse())!;
        Assert.Equal((rank, count + 1 - rank), (interval.Low, interval.High));
        Assert.Equal((count + 1) / 2.0, interval.Median);
        Assert.Equal(coverage, interval.Coverage, precision: 5);
    }

    [Fact]
    public void Of_FiveValues_HasAMedianAndNoInterval() =>
        Assert.Equal(new MedianInterval(5, 3, null, null, 0), MedianInterval.Of([5, 1, 3, 2, 4]));

    [Fact]
    public void Of_NoValues_IsNothing() => Assert.Null(MedianInterval.Of([]));

    [Fact]
    public void MedianOf_EvenCount_IsTheMeanOfTheTwoInTheMiddle() => Assert.Equal(2.5, MedianInterval.MedianOf([4, 1, 3, 2]));

    [Fact]
    public void Of_ManySamples_HoldsTheTrueMedianAsOftenAsItSays()
    {
        const int Trials = 4_000;
        Random random = new(7);
        int held = Enumerable.Range(0, Trials)
            .Count(_ => MedianInterval.Of(Enumerable.Range(0, 10).Select(_ => random.NextDouble())) is { Low: < 0.5, High: > 0.5 });
        Assert.InRange(held / (double)Trials, 0.97, 0.987);
    }
}
