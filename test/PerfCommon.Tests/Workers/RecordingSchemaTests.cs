using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

[Trait("Category", "Fast")]
public class RecordingSchemaTests
{
    private const Counter OwnCounter = RecordingSchema.FirstCounter;
    private const Gauge OwnGauge = RecordingSchema.FirstGauge;

    private readonly RecordingSchema _schema = new(["Fills", "Drops"], [("Depth", false), ("Longest", true)]);

    [Fact]
    public void Numbers_OfARole_FollowThoseOfTheLibrary()
    {
        Assert.Equal(Enum.GetValues<Counter>().Append(OwnCounter).Append(OwnCounter + 1), _schema.Counters);
        Assert.Equal(Enum.GetValues<Gauge>().Append(OwnGauge).Append(OwnGauge + 1), _schema.Gauges);
    }

    [Fact]
    public void NameOf_EveryCounter_IsItsOwn()
    {
        Assert.Equal(["PostsUnwatched", "Fills", "Drops"], _schema.Counters.TakeLast(3).Select(_schema.NameOf));
        Assert.Throws<ArgumentOutOfRangeException>(() => _schema.NameOf(OwnCounter + 2));
        Assert.Throws<ArgumentOutOfRangeException>(() => _schema.NameOf((Counter)(-1)));
    }

    [Fact]
    public void IsMax_OfEachGauge_IsThatOfTheSchema() =>
        Assert.Equal([Gauge.QueuedBytesMax, OwnGauge + 1], _schema.Gauges.Where(_schema.IsMax));

    [Fact]
    public void Recording_WithASchema_KeepsItsCountersAndGauges()
    {
        WorkerRecording recording = new(_schema);
        CounterSet connection = new(recording.Counters);
        connection.Add(OwnCounter + 1, 5);
        recording.Counters.Add(OwnCounter + 1, 2);
        recording.Set(OwnGauge + 1, 9);
        Assert.Equal((5, 7, 9), (connection[OwnCounter + 1], recording.Counters[OwnCounter + 1], recording[OwnGauge + 1]));
        Assert.Throws<IndexOutOfRangeException>(() => connection.Add(OwnCounter + 2, 1));
    }

    [Fact]
    public void Snapshots_OfDifferentSchemas_AreAddedByNumber()
    {
        WorkerRecording own = new(_schema), other = new();
        own.Counters.Add(OwnCounter, 3);
        own.Counters.Add(Counter.UpdatesSent, 4);
        other.Counters.Add(Counter.UpdatesSent, 10);
        CounterSnapshot sum = other.Counters.Snapshot() + own.Counters.Snapshot(), rest = other.Counters.Snapshot() - own.Counters.Snapshot();
        Assert.Equal((14, 3), (sum[Counter.UpdatesSent], sum[OwnCounter]));
        Assert.Equal((6, -3), (rest[Counter.UpdatesSent], rest[OwnCounter]));
        Assert.Equal(0, other.Counters.Snapshot()[OwnCounter]);
    }
}
