using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class LatencySeriesTests
{
    [Fact]
    public void TryTakeInterval_NotAskedOrNotServed_SaysNo()
    {
        LatencySeries series = new(LatencyUnit.Microseconds);
        series.Record(5);
        series.ServiceRequests();
        Assert.False(series.TryCollectInterval(out _));
        series.RequestInterval();
        Assert.False(series.TryCollectInterval(out LatencyFigures none));
        Assert.Equal(default, none);
    }

    [Fact]
    public void TryTakeInterval_Served_HasWhatWasRecordedSinceTheLastOne()
    {
        LatencySeries series = new(LatencyUnit.Microseconds);
        Assert.Equal(2, Collect(series, [10, 20]).Count);
        LatencyFigures second = Collect(series, [7, 8, 9]);
        Assert.Equal((3L, 8.0, 9.0, 7.0), (second.Count, second.Average, second.Max, second.Min));
        Assert.Equal(0, Collect(series, []).Count);

        LatencyAccumulator whole = new(LatencyUnit.Microseconds);
        series.AddWholeTo(whole);
        Assert.Equal((5L, 10.8), (whole.Count, whole.Figures().Average));
    }

    [Theory]
    [InlineData(LatencyUnit.Microseconds, 1)]
    [InlineData(LatencyUnit.Nanoseconds, 1_000)]
    public void Figures_SamplesAboveTheRange_NoPercentileLiesThereAndTheRestIsExact(LatencyUnit unit, long perMicro)
    {
        const long Hour = 3_600_000_000;
        LatencyAccumulator samples = new(unit);
        samples.Record(100 * perMicro, count: 98_000);
        samples.Record(5_000_000_000 * perMicro, count: 2_000);
        samples.Record(Hour * perMicro, count: 1); // at the very end of the range
        LatencyFigures figures = samples.Figures();

        Assert.Equal((100, 100), (Math.Round(figures.P50!.Value), Math.Round(figures.P90!.Value)));
        Assert.Equal((null, null, null), (figures.P99, figures.P999, figures.P9999));
        Assert.Equal((100_001, 2_000, 0), (figures.Count, figures.OverflowCount, figures.NegativeCount));
        Assert.Equal(5_000_000_000, figures.Max);
        Assert.Equal(((98_000 * 100.0) + (2_000 * 5e9) + Hour) / 100_001, figures.Average, tolerance: 1);
    }

    [Fact]
    public void Figures_EverySampleAboveTheRange_HaveNoPercentile()
    {
        LatencyAccumulator samples = new(LatencyUnit.Microseconds);
        samples.Record(5_000_036_836, count: 200_000); // two hosts whose clocks differ
        LatencyFigures figures = samples.Figures();

        Assert.Equal((null, null, null, null, null), (figures.P50, figures.P90, figures.P99, figures.P999, figures.P9999));
        Assert.Equal((5_000_036_836, 5_000_036_836, 5_000_036_836), (figures.Average, figures.Min, figures.Max));
    }

    [Fact]
    public void TakeRest_AfterTheWorkerEnded_LosesNothingThatWasUnderWay()
    {
        LatencySeries series = new(LatencyUnit.Microseconds);
        series.Record(1);
        series.RequestInterval();
        series.ServiceRequests();
        series.Record(2);
        Assert.Equal(2, series.CollectRest().Count);
        Assert.Equal(0, series.CollectRest().Count);
        Assert.Equal(3, Whole(series, [3]).Count);
    }

    [Fact]
    public void Record_Phases_AreToldApartForWorkerAndRun()
    {
        LatencySeries series = new(LatencyUnit.Microseconds, phased: true);
        series.Record(RunPhase.Startup, RunPhase.Startup, 1);
        series.Record(RunPhase.Between, RunPhase.Startup, 2);
        series.Record(RunPhase.Steady, RunPhase.Startup, 3);
        series.Record(RunPhase.Steady, RunPhase.Between, 4);
        series.Record(RunPhase.Steady, RunPhase.Steady, 5);
        series.CollectRest();
        Assert.Equal([1, 1, 3], Enum.GetValues<RunPhase>().Select(p => Count(t => series.AddWholeTo(t, own: p))));
        Assert.Equal([3, 1, 1], Enum.GetValues<RunPhase>().Select(p => Count(t => series.AddWholeTo(t, overall: p))));
        Assert.Equal(5, Count(t => series.AddWholeTo(t)));
    }

    [Fact]
    public void Record_RunAheadOfItsWorker_IsRefused() =>
        Assert.Throws<InvalidOperationException>(() =>
            new LatencySeries(LatencyUnit.Microseconds, phased: true).Record(RunPhase.Startup, RunPhase.Steady, 1));

    [Fact]
    public void Figures_NegativeSample_IsInTheStatisticsOnly()
    {
        LatencyFigures figures = Collect(new LatencySeries(LatencyUnit.Microseconds), [-10, .. Enumerable.Repeat(20L, 20)]);
        Assert.Equal((21L, 1L, -10.0, 20.0), (figures.Count, figures.NegativeCount, figures.Min, figures.P50));
        Assert.Equal(390 / 21.0, figures.Average, 9);
        Assert.Null(Collect(new LatencySeries(LatencyUnit.Microseconds), [-10, .. Enumerable.Repeat(20L, 19)]).P50);
    }

    [Fact]
    public void Figures_NanosecondSeries_AreInMicroseconds()
    {
        LatencyFigures figures = Collect(new LatencySeries(LatencyUnit.Nanoseconds), [.. Enumerable.Repeat(1_500L, 1_000)]);
        Assert.Equal((1.5, 1.5, 1.5), (figures.Average, figures.Max, figures.P99));
    }

    [Theory]
    [InlineData(19, 0)]
    [InlineData(20, 1)]
    [InlineData(99, 1)]
    [InlineData(100, 2)]
    [InlineData(999, 2)]
    [InlineData(1_000, 3)]
    [InlineData(9_999, 3)]
    [InlineData(10_000, 4)]
    [InlineData(99_999, 4)]
    [InlineData(100_000, 5)]
    public void Figures_Percentile_NeedsTenSamplesBeyondIt(int samples, int shown)
    {
        LatencyFigures figures = Collect(new LatencySeries(LatencyUnit.Microseconds),
            [.. Enumerable.Range(1, samples).Select(i => (long)i)]);
        double?[] percentiles = [figures.P50, figures.P90, figures.P99, figures.P999, figures.P9999];
        Assert.All(percentiles[..shown], percentile => Assert.NotNull(percentile));
        Assert.All(percentiles[shown..], percentile => Assert.Null(percentile));
    }

    [Fact]
    public void Figures_CellAboveTheMaximum_PercentileIsTheMaximum()
    {
        LatencyFigures figures = Collect(new LatencySeries(LatencyUnit.Microseconds), [.. Enumerable.Repeat(100_001L, 1_000)]);
        Assert.Equal((100_001, 100_001, 100_001), (figures.P50, figures.P99, figures.Max)); // the cell ends at 100,031
    }

    [Fact]
    public void Record_AboveTheHour_KeepsTheExactMaximum()
    {
        LatencyFigures figures = Collect(new LatencySeries(LatencyUnit.Microseconds), [7_200_000_000]);
        Assert.Equal((7_200_000_000.0, 1L), (figures.Max, figures.OverflowCount));
    }

    [Fact]
    public async Task TryTakeInterval_WhileTheWorkerRecords_CountsEverySampleOnce()
    {
        const int Samples = 300_000;
        LatencySeries series = new(LatencyUnit.Microseconds);
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(TimeSpan.FromMinutes(5));
        Task worker = Task.Run(() => RecordAndServe(series, Samples), limit.Token);
        long taken = 0;
        while (!worker.IsCompleted && !limit.IsCancellationRequested)
        {
            series.RequestInterval();
            taken += series.TryCollectInterval(out LatencyFigures figures) ? figures.Count : 0;
        }

        await worker.WaitAsync(limit.Token);
        Assert.Equal(Samples, taken + series.CollectRest().Count);
        Assert.Equal(Samples, Count(t => series.AddWholeTo(t)));
    }

    [Fact]
    public void Record_AfterWarmUp_AllocatesNothing()
    {
        LatencySeries series = new(LatencyUnit.Microseconds, phased: true);
        RecordAndServe(series, 10);
        Allocation.None(() =>
        {
            RecordAndServe(series, 10_000);
            series.RequestInterval();
            series.ServiceRequests();
        });
    }

    private static void RecordAndServe(LatencySeries series, int count)
    {
        for (int i = 0; i < count; i++)
        {
            series.Record(RunPhase.Steady, RunPhase.Steady, i);
            series.ServiceRequests();
        }
    }

    private static LatencyFigures Collect(LatencySeries series, long[] values)
    {
        foreach (long value in values)
            series.Record(value);
        series.RequestInterval();
        series.ServiceRequests();
        Assert.True(series.TryCollectInterval(out LatencyFigures figures));
        return figures;
    }

    private static LatencyAccumulator Whole(LatencySeries series, long[] more)
    {
        Collect(series, more);
        LatencyAccumulator whole = new(series.Unit);
        series.AddWholeTo(whole);
        return whole;
    }

    private static long Count(Action<LatencyAccumulator> add)
    {
        LatencyAccumulator target = new(LatencyUnit.Microseconds);
        add(target);
        return target.Count;
    }
}
