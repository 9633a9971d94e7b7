using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The samples of one size, and those of each second of it.</summary>
[Trait("Category", "Fast")]
public sealed class SizeFiguresTests
{
    private const long Start = 5 * Clock.NanosPerSecond;

    [Fact]
    public void Finish_SamplesOfSeveralSeconds_AreInTheIntervalsOfTheirs()
    {
        SizeFigures figures = new(keepsIntervals: true);
        figures.Begin(Start);
        long[] received = [Start + 1_000, Start + Clock.NanosPerSecond - 1, Start + Clock.NanosPerSecond, Start + (2 * Clock.NanosPerSecond) + 5];
        foreach (long nanos in received)
            figures.Record(nanos - 700, nanos);
        SizeResult result = figures.Finish(64, default, received[^1] + 10);

        Assert.Equal((64, 4), (result.Bytes, result.Trips.Count));
        Assert.Equal(
            [(Start, received[2], 2), (received[2], received[3], 1), (received[3], received[3] + 10, 1L)],
            result.Intervals.Select(interval => (interval.FromNanos, interval.ToNanos, interval.Trips.TotalCount)));
    }

    [Fact]
    public void Begin_NextSize_HasNothingOfTheOneBefore()
    {
        SizeFigures figures = new(keepsIntervals: true);
        figures.Begin(Start);
        figures.Record(Start, Start + 700);
        figures.Record(Start, Start);
        Assert.Equal((2, 1), (figures.Samples, figures.NotPositive));
        figures.Finish(64, default, Start + 800);
        figures.Begin(Start + 900);
        Assert.Equal((0, 0), (figures.Samples, figures.NotPositive));
        Assert.Empty(figures.Finish(128, default, Start + 1_000).Intervals);
    }

    [Theory]
    [InlineData(99, 1, false)] // a hundredth of the samples
    [InlineData(98, 2, true)]
    [InlineData(0, 1, true)]
    public void IsClockTooCoarse_SamplesThatTookNoTime_AboveTheirShare(int good, int empty, bool isTooCoarse)
    {
        SizeFigures figures = new(keepsIntervals: false);
        figures.Begin(Start);
        for (int i = 0; i < good; i++)
            figures.Record(Start, Start + 1);
        for (int i = 0; i < empty; i++)
            figures.Record(Start, Start - i);
        Assert.Equal(isTooCoarse, figures.IsClockTooCoarse);
        SizeResult result = figures.Finish(64, default, Start + 10);
        Assert.Equal((good, empty, 0), (result.Trips.Count, result.Counts.NotPositive, result.Intervals.Count));
    }
}
