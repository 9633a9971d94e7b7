using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>What a connection keeps of what its worker counts.</summary>
[Trait("Category", "Fast")]
public class ConnectionCountersTests
{
    private const Counter OwnCounter = RecordingSchema.FirstCounter;

    private readonly RecordingSchema _schema = new(["Fills", "Drops"], []);

    [Fact]
    public void Add_ToAConnection_CountsAllForItsWorkerAndKeepsThoseOfItsRole()
    {
        ConnectionCounters kept = new(_schema, [Counter.SteadyUpdates, OwnCounter + 1]);
        CounterSet worker = new(_schema);
        CounterSet first = new(worker, kept), second = new(worker, kept);
        foreach (Counter counter in _schema.Counters)
        {
            first.Add(counter, 1 + (int)counter);
            second.Add(counter, 1_000);
        }

        foreach (Counter counter in _schema.Counters)
        {
            Assert.Equal(1_001 + (int)counter, worker[counter]);
            bool isKept = kept.TryFind(counter, out _);
            Assert.Equal(isKept ? 1 + (int)counter : 0, first.Snapshot()[counter]);
            if (isKept)
                Assert.Equal((1 + (int)counter, 1_000), (first[counter], second[counter]));
            else
                Assert.Contains($"{counter} is not kept", Assert.Throws<InvalidOperationException>(() => first[counter]).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Counters_OfEveryRole_AreThoseOfTheMessagesNotSent()
    {
        ConnectionCounters kept = new(RecordingSchema.Library, []);
        Counter[] found = [.. RecordingSchema.Library.Counters.Where(counter => kept.TryFind(counter, out _))];
        Assert.Equal(
            [
                Counter.RefreshesNotSent, Counter.UpdatesNotSent, Counter.PostsNotSent, Counter.PostsNotReflected, Counter.GenericNotSent,
                Counter.MessagesNotSent,
            ],
            found);
        Assert.Equal(found.Length, kept.Count);
    }

    [Fact]
    public void Counters_OfTheFiguresOfAProcess_AreThoseThatConnectionsCount() =>
        Assert.Equal(
            [
                Counter.RequestsSent, Counter.RequestsReceived, Counter.RequestsRejected, Counter.RefreshesSent, Counter.UpdatesSent,
                Counter.UpdatesNotSent, Counter.PostsSent, Counter.PostsReceived, Counter.GenericSent, Counter.MessagesDropped,
            ],
            ConnectionFigure.Counters);

    [Fact]
    public void Counters_WithThoseOfAReport_AreEachKeptOnce()
    {
        ConnectionCounters kept = new(_schema, [OwnCounter, Counter.UpdatesNotSent, OwnCounter, Counter.SteadyUpdates]);
        Assert.Equal(new ConnectionCounters(_schema, []).Count + 2, kept.Count);
        Counter[] found = [.. _schema.Counters.Where(counter => kept.TryFind(counter, out _))];
        Assert.Equal(kept.Count, found.Select(counter => kept.TryFind(counter, out int place) ? place : -1).Distinct().Count());
        Assert.All(found, counter => Assert.True(kept.TryFind(counter, out int place) && place < kept.Count));
    }

    [Fact]
    public void Connections_OfAWorker_KeepWhatItsRecordingSays()
    {
        using MemoryWorkers workers = new(TimeSource.StartAt(Clock.NanosPerSecond));
        WorkerRecording recording = workers.Server.Recording;
        recording.ConnectionCounters = new(recording.Schema, [Counter.MessagesSent]);
        ProbeConnection one = new();
        workers.Open(one, new ScriptedConnection());
        Assert.Equal(25, one.Queue(25, bytes: 20));
        one.Output.EndBurst();
        one.Channel.Flush();
        one.Settle();
        Assert.Equal((25L, 25L), (one.Counters[Counter.MessagesSent], recording.Counters[Counter.MessagesSent]));
        Assert.Equal(one.Channel.BytesWritten, recording.Counters[Counter.BytesSent]);
        Assert.Throws<InvalidOperationException>(() => one.Counters[Counter.BytesSent]);
    }

    [Theory]
    [InlineData(true, 7)]
    [InlineData(false, 0)]
    public void Figures_OfAConnection_AreThoseThatItKeeps(bool keepsFigures, long expected)
    {
        using MemoryWorkers workers = new(TimeSource.StartAt(Clock.NanosPerSecond));
        WorkerRecording recording = workers.Server.Recording;
        recording.ConnectionCounters = new(recording.Schema, keepsFigures ? ConnectionFigure.Counters : []);
        ProbeConnection one = new();
        workers.Open(one, new ScriptedConnection());
        one.Counters.Add(Counter.RequestsReceived, 7);
        Assert.Equal(expected, ConnectionFigure.All.Single(figure => figure.Counted == Counter.RequestsReceived).Read(one));
    }
}
