using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

/// <summary>A compact copy of samples has all of them, and adds them moved by a time.</summary>
public class HeldSamplesTests
{
    private const long Hour = 3_600_000_000;

    private readonly LatencyAccumulator _samples = new(LatencyUnit.Microseconds);

    [Fact]
    public void AddTo_WithoutAShift_IsTheSameAsTheSamples()
    {
        foreach (long value in (long[])[0, 3, 3, 2_500, 1_234_567, Hour, Hour + 1, Hour * 2, -5])
            _samples.Record(value);
        LatencyAccumulator sum = new(LatencyUnit.Microseconds), same = new(LatencyUnit.Microseconds);
        sum.Record(7);
        same.Record(7);
        HeldSamples held = new(_samples);
        _samples.Reset();
        held.AddTo(sum, shift: 0);
        foreach (long value in (long[])[0, 3, 3, 2_500, 1_234_567, Hour, Hour + 1, Hour * 2, -5])
            same.Record(value);
        AssertSame(same, sum);
    }

    [Theory]
    [InlineData(4)]
    [InlineData(-3)]
    [InlineData(-20)]
    public void AddTo_WithAShift_IsThatOfEachSample(long shift)
    {
        long[] values = [0, 3, 3, 10, 1_000];
        LatencyAccumulator sum = new(LatencyUnit.Microseconds), same = new(LatencyUnit.Microseconds);
        foreach (long value in values)
        {
            _samples.Record(value);
            same.Histogram.RecordValue(Math.Max(0, value + shift));
        }

        new HeldSamples(_samples).AddTo(sum, shift);
        HistogramAssert.Same(same.Histogram, sum.Histogram);
        Assert.Equal((5L, values.Average() + shift), (sum.Count, sum.Exact.Mean));
        Assert.Equal(_samples.Exact.StandardDeviation, sum.Exact.StandardDeviation);
        Assert.Equal((Math.Max(0, shift), 1_000.0 + shift), (sum.Exact.Min, sum.Exact.Max));
    }

    /// <summary>A sample above the range stays there; a negative one, which disproves a clock, stays negative.</summary>
    [Fact]
    public void AddTo_SamplesOutsideTheRange_StayOutside()
    {
        foreach (long value in (long[])[-50, Hour, Hour + 9, Hour * 3])
            _samples.Record(value);
        LatencyAccumulator sum = new(LatencyUnit.Microseconds);
        new HeldSamples(_samples).AddTo(sum, shift: -Hour / 2);
        Assert.Equal((4L, 2L, 1L, 3L), (sum.Count, sum.Histogram.OverflowCount, sum.Histogram.NegativeCount, sum.Histogram.TotalCount));
        Assert.Equal(2L, sum.Histogram.CountAt(sum.Histogram.LastUsed));
        Assert.Equal((-50.0 - (Hour / 2), (Hour * 3.0) - (Hour / 2)), (sum.Exact.Min, sum.Exact.Max));
        Assert.InRange(sum.Histogram.Layout.MedianOf(sum.Histogram.FirstUsed), Hour / 2 * 0.999, Hour / 2 * 1.001);
    }

    /// <summary>Held intervals are part of the whole before they are released, and after it, by phases.</summary>
    [Fact]
    public void Series_ThatHoldsIntervals_LosesNone()
    {
        LatencySeries series = new(LatencyUnit.Microseconds, phased: true);
        series.Hold();
        series.Record(RunPhase.Startup, RunPhase.Startup, 1_000);
        series.Record(RunPhase.Steady, RunPhase.Between, 10);
        CollectInterval(series);
        series.Record(RunPhase.Steady, RunPhase.Steady, 30);
        LatencyFigures rest = series.CollectRest();
        Assert.Equal((1L, 30.0), (rest.Count, rest.Max));
        Assert.Equal((3L, 10.0, 1_000.0), Whole(series, null));
        series.Release(shift: 5);
        Assert.Equal((3L, 15.0, 1_005.0), Whole(series, null));
        Assert.Equal((2L, 15.0, 30.0), Whole(series, RunPhase.Steady));
        series.Release(shift: -7);
        Assert.Equal((2L, 15.0, 23.0), Whole(series, RunPhase.Steady));
        Assert.Equal((1L, 1_005.0, 1_005.0), Whole(series, RunPhase.Startup));
    }

    private static void CollectInterval(LatencySeries series)
    {
        series.RequestInterval();
        series.ServiceRequests();
        Assert.True(series.TryCollectInterval(out _));
    }

    private static (long Count, double Min, double Max) Whole(LatencySeries series, RunPhase? own)
    {
        LatencyAccumulator whole = new(LatencyUnit.Microseconds);
        series.AddWholeTo(whole, own);
        return (whole.Count, whole.Exact.Min, whole.Exact.Max);
    }

    private static void AssertSame(LatencyAccumulator expected, LatencyAccumulator actual)
    {
        HistogramAssert.Same(expected.Histogram, actual.Histogram);
        Assert.Equal((expected.Count, expected.Exact.Min, expected.Exact.Max), (actual.Count, actual.Exact.Min, actual.Exact.Max));
        Assert.Equal(expected.Exact.Mean, actual.Exact.Mean, 6);
        Assert.Equal(expected.Exact.StandardDeviation, actual.Exact.StandardDeviation, 3);
    }
}
