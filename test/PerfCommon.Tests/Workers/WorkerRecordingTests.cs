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
