using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>What the workers of a role are together.</summary>
[Trait("Category", "Fast")]
public sealed class WorkerTotalsTests
{
    private const Gauge Open = RecordingSchema.FirstGauge;
    private const Gauge Longest = RecordingSchema.FirstGauge + 1;

    [Fact]
    public void GaugesOf_SeveralWorkers_AreAddedUnlessTheyAreMaxima()
    {
        RecordingSchema schema = new([], [("Open", false), ("Longest", true)]);
        using Worker first = Create(schema, 3, 10);
        using Worker second = Create(schema, 5, 7);
        Dictionary<Gauge, long> both = WorkerTotals.GaugesOf([first, second]);
        Assert.Equal(
            [(Gauge.QueuedBytesMax, 10L), (Gauge.KeptBytes, 6L), (Gauge.QueuedBytes, 8L), (Open, 8L), (Longest, 10L)],
            both.Select(gauge => (gauge.Key, gauge.Value)));
    }

    [Theory]
    [InlineData(Moment.FirstUpdate, 20L, 30L, 20L)]
    [InlineData(Moment.FirstUpdate, null, 30L, 30L)]
    [InlineData(Moment.Connected, 30L, 20L, 20L)]
    [InlineData(Moment.RefreshesSent, 20L, 30L, 30L)]
    [InlineData(Moment.Disconnected, 30L, null, 30L)]
    [InlineData(Moment.End, 20L, 30L, 30L)]
    [InlineData(Moment.RefreshesComplete, 30L, 20L, 30L)]
    [InlineData(Moment.RefreshesComplete, 30L, null, null)] // all must have theirs
    [InlineData(Moment.SteadyBegan, null, 20L, null)]
    [InlineData(Moment.SteadyBegan, 20L, 30L, 30L)]
    public void MomentsOf_SeveralWorkers_AreTheFirstOrTheLast(Moment moment, long? first, long? second, long? both)
    {
        using Worker near = At(moment, first);
        using Worker far = At(moment, second);
        Dictionary<Moment, long> found = WorkerTotals.MomentsOf([near, far]);
        Assert.Equal(both is { } nanos ? [(moment, nanos)] : [], found.Select(one => (one.Key, one.Value)));
    }

    [Fact]
    public void OutsideCountsIn_ARecording_LeaveOutSendLags()
    {
        WorkerRecording recording = new();
        recording.Measure(Series.Updates, LatencyUnit.Microseconds).Record(-1);
        recording.Measure(Series.Posts, LatencyUnit.Microseconds).Record(-2);
        recording[Series.SendLag].Record(-3);
        recording.CollectRest();
        Assert.Equal(new OutsideCounts(2, 0), WorkerTotals.OutsideCountsIn(recording));
    }

    [Fact]
    public void SendingSecondsOf_WorkersThatSentNothing_AreNone()
    {
        using Worker worker = At(Moment.Connected, 1);
        Assert.Null(WorkerTotals.SendingSecondsOf([worker]));
    }

    private static Worker At(Moment moment, long? nanos)
    {
        WorkerRecording recording = new();
        if (nanos is { } time)
            recording.RecordFirst(moment, time);
        return new Worker(new WorkerOptions(), recording, network: null);
    }

    private static Worker Create(RecordingSchema schema, int current, int longest)
    {
        WorkerRecording recording = new(schema);
        recording.Set(Gauge.QueuedBytesMax, longest);
        recording.Set(Gauge.KeptBytes, 3);
        recording.Set(Gauge.QueuedBytes, current);
        recording.Set(Open, current);
        recording.Set(Longest, longest);
        return new Worker(new WorkerOptions(), recording, network: null);
    }
}
