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
