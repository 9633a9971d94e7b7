using FsCheck;
using FsCheck.Fluent;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class LongHistogramTests
{
    private static readonly Config Settings = Config.QuickThrowOnFailure.WithMaxTest(300).WithQuietOnSuccess(true);

    [Fact]
    public void RecordValue_OutsideTheRange_IsCountedApart()
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        histogram.RecordValue(-1);
        histogram.RecordValueWithCount(long.MinValue, 2);
        histogram.RecordValue(3_600_000_001);
        histogram.RecordValueWithCount(long.MaxValue, 4);
        Assert.Equal((3L, 5L, 5L), (histogram.NegativeCount, histogram.OverflowCount, histogram.TotalCount));
        Assert.Equal(histogram.GetMaxValue(), histogram.GetValueAtPercentile(50));
    }

    [Theory]
    [InlineData(LatencyUnit.Microseconds, 23_552)]
    [InlineData(LatencyUnit.Nanoseconds, 33_792)]
    internal void CreateForTimes_Unit_HasTheDocumentedCells(LatencyUnit unit, int cells) =>
        Assert.Equal(cells, LongHistogram.CreateForTimes(unit).Layout.Length);

    [Fact]
    public void GetValueAtPercentile_SmallValues_EqualsTheSortedSample() => Prop.ForAll<NonEmptyArray<ushort>, PositiveInt>((values, p) =>
    {
        long[] sorted = [.. values.Get.Select(v => (long)(v % 2048)).Order()];
        LongHistogram histogram = Of(sorted);
        int percent = (p.Get % 100) + 1;
        int rank = Math.Max(1, ((percent * sorted.Length) + 99) / 100);
        return histogram.GetValueAtPercentile(percent) == sorted[rank - 1];
    }).Check(Settings);

    [Fact]
    public void GetValueAtPercentile_AnyValues_IsWithinATenthOfAPercent() => Prop.ForAll<NonNegativeInt>(value =>
    {
        double error = Of([value.Get]).GetValueAtPercentile(100) - value.Get;
        return error >= 0 && error <= value.Get / 1024.0;
    }).Check(Settings);

    [Fact]
    public void Add_Parts_EqualsTheHistogramOfAllSamples() => Prop.ForAll<NonNegativeInt[], NonNegativeInt[]>((a, b) =>
    {
        LongHistogram merged = Of(a.Select(v => (long)v.Get));
        merged.Add(Of(b.Select(v => (long)v.Get)));
        LongHistogram whole = Of(a.Concat(b).Select(v => (long)v.Get));
        return merged.TotalCount == whole.TotalCount && merged.GetMean() == whole.GetMean()
            && merged.GetValueAtPercentile(73) == whole.GetValueAtPercentile(73) && merged.GetMaxValue() == whole.GetMaxValue();
    }).Check(Settings);

    [Theory]
    [InlineData(-0.1)]
    [InlineData(100.1)]
    [InlineData(double.NaN)]
    public void GetValueAtPercentile_NoPercentile_IsRefused(double percentile) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Of([1]).GetValueAtPercentile(percentile));

    [Fact]
    public void Add_OtherUnit_IsRefused()
    {
        LongHistogram micros = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        Assert.Throws<HistogramException>(() => micros.Add(LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds)));
        Assert.Throws<HistogramException>(() => micros.Subtract(LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds)));
    }

    [Fact]
    public void Add_TotalBeyondTheRangeOfACount_IsRefusedAndChangesNothing()
    {
        LongHistogram target = Of([5]);
        LongHistogram huge = Of([]);
        huge.RecordValueWithCount(7, long.MaxValue);
        Assert.Throws<HistogramException>(() => target.Add(huge));
        Assert.Equal((1L, 0L), (target.TotalCount, target.GetCountAtValue(7)));
    }

    [Fact]
    public void Reset_AfterRecording_IsEmpty()
    {
        LongHistogram histogram = Of([0, 17, 3_000_000]);
        histogram.RecordValue(-5);
        histogram.Reset();
        Assert.Equal((0L, 0L, 0L, 0L), (histogram.TotalCount, histogram.NegativeCount, histogram.GetMinValue(), histogram.GetMaxValue()));
        histogram.RecordValue(9);
        Assert.Equal((9L, 9L), (histogram.GetMinValue(), histogram.GetMaxValue()));
    }

    [Fact]
    public void Copy_Counters_AreCopiedOnce()
    {
        LongHistogram histogram = Of([4, 3_700_000_000, -1]);
        LongHistogram copy = histogram.Copy();
        Assert.Equal((2L, 1L, 1L), (copy.TotalCount, copy.OverflowCount, copy.NegativeCount));
        histogram.RecordValue(4);
        Assert.Equal(1, copy.GetCountAtValue(4));
    }

    [Fact]
    public void Add_CoarserRange_ClampsAndCountsTheOverflowOnce()
    {
        LongHistogram small = new(1, 1_000, 3);
        small.Add(Of([10, 5_000, 6_000]));
        Assert.Equal((3L, 2L), (small.TotalCount, small.OverflowCount));
    }

    [Fact]
    public void RecordValue_AfterWarmUp_AllocatesNothing()
    {
        LongHistogram histogram = Of([1, -1, 3_700_000_000]);
        Allocation.None(() =>
        {
            for (long i = -1; i < 10_000; i++)
                histogram.RecordValue(i * 1_000_003);
            histogram.Reset();
        });
    }

    private static LongHistogram Of(IEnumerable<long> values)
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        foreach (long value in values)
            histogram.RecordValue(value);
        return histogram;
    }
}
