using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class WorkerRecordingTests
{
    private readonly WorkerRecording _recording = new();

    [Fact]
    public void TryTake_Counts_OnlyWhatWasAskedFor()
    {
        _recording.Counters.Add(Counter.MessagesSent, 5);
        _recording.ServiceRequest();
        Assert.False(_recording.TryCollect(out _));
        _recording.RequestInterval();
        Assert.False(_recording.TryCollect(out _));
        _recording.ServiceRequest();
        _recording.Counters.Add(Counter.MessagesSent, 2);

        Assert.True(_recording.TryCollect(out CounterSnapshot counts));
        Assert.Equal(5, counts[Counter.MessagesSent]);
        Assert.False(_recording.TryCollect(out _));
        Assert.Equal(7, _recording.CollectRest()[Counter.MessagesSent]);
    }

    [Fact]
    public void HistogramOf_CollectedAndNot_HasEverySampleOfEveryPhase()
    {
        LatencySeries series = _recording.Measure(Series.Updates, LatencyUnit.Microseconds, phased: true);
        series.Record(RunPhase.Startup, RunPhase.Startup, 10);
        _recording.RequestInterval();
        _recording.ServiceRequest();
        Assert.True(_recording.TryCollect(out _));
        series.Record(RunPhase.Steady, RunPhase.Between, 20);
        for (int times = 0; times < 2; times++)
        {
            LongHistogram all = _recording.HistogramOf(Series.Updates);
            Assert.Equal((2, 10, 20), (all.TotalCount, all.GetMinValue(), all.GetMaxValue()));
        }

        Assert.Throws<InvalidOperationException>(() => _recording.HistogramOf(Series.Posts));
    }

    [Theory]
    [InlineData(Series.Updates, (int)StampedKind.Update)]
    [InlineData(Series.Posts, (int)StampedKind.Post)]
    [InlineData(Series.Generic, (int)StampedKind.Generic)]
    [InlineData(Series.Messages, (int)StampedKind.Update)]
    public void RecordSample_OfASeries_HasItsKindInTheFile(Series series, int kind)
    {
        WorkerRecording recording = new() { LatencyRecords = new RecordRing<LatencyRecord>(4) };
        recording.RecordSample(series, sent: 5, received: 9);
        Assert.True(recording.LatencyRecords.TryRead(out LatencyRecord record));
        Assert.Equal(new LatencyRecord(5, 9, (StampedKind)kind), record);
    }

    [Fact]
    public void RequestInterval_AskedAgainBeforeTheAnswer_GivesOneInterval()
    {
        LatencySeries series = _recording.Measure(Series.Updates, LatencyUnit.Microseconds);
        series.Record(10);
        _recording.RequestInterval();
        _recording.RequestInterval();
        _recording.ServiceRequest();
        series.Record(20);
        Assert.True(_recording.TryCollect(out _));
        Assert.Equal(1, series.LastInterval.Count);
        _recording.CollectRest();

        Assert.Equal(1, series.LastInterval.Count);
    }

    [Fact]
    public void TryTake_WhileTheWorkerRecords_LosesAndDoublesNothing()
    {
        const int Samples = 1_000_000;
        LatencySeries series = _recording.Measure(Series.Updates, LatencyUnit.Microseconds);
        TestThread worker = new(() =>
        {
            for (int i = 0; i < Samples; i++)
            {
                series.Record(i % 100);
                _recording.Counters.Add(Counter.SteadyUpdates, 1);
                _recording.ServiceRequest();
            }
        });
        worker.Start();
        long inIntervals = 0;
        while (worker.IsAlive)
        {
            _recording.RequestInterval();
            if (!_recording.TryCollect(out CounterSnapshot counts))
                continue;
            inIntervals += series.LastInterval.Count;
            Assert.Equal(inIntervals, counts[Counter.SteadyUpdates]); // read at one moment
        }

        worker.Join();
        long atEnd = _recording.CollectRest()[Counter.SteadyUpdates];
        Assert.Equal((Samples, Samples), (inIntervals + series.LastInterval.Count, atEnd));
    }

    [Fact]
    public void CollectRest_RequestNotAnswered_IsOver()
    {
        _recording.RequestInterval();
        _recording.CollectRest();
        Assert.False(_recording.IsRequested);
        _recording.ServiceRequest();
        Assert.False(_recording.TryCollect(out _));
        _recording.RequestInterval();
        _recording.ServiceRequest();
        Assert.True(_recording.TryCollect(out _));
    }

    [Fact]
    public void TimeOf_FirstAndLast_KeepTheirs()
    {
        Assert.Null(_recording.TimeOf(Moment.Connected));
        _recording.RecordFirst(Moment.Connected, 10);
        _recording.RecordFirst(Moment.Connected, 20);
        _recording.RecordLast(Moment.Disconnected, 30);
        _recording.RecordLast(Moment.Disconnected, 40);
        Assert.Equal((10, 40), (_recording.TimeOf(Moment.Connected), _recording.TimeOf(Moment.Disconnected)));
    }

    [Fact]
    public void Item_SeriesNotMeasured_Throws() =>
        Assert.Throws<InvalidOperationException>(() => _recording[Series.Posts]);
}
