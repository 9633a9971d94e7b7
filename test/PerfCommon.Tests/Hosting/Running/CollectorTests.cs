using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>Collections from two workers, one of which may be stuck at the end, and what the whole run is.</summary>
[Trait("Category", "Fast")]
public sealed class CollectorTests : IDisposable
{
    private const long Hour = 3_600 * Clock.NanosPerSecond;

    private readonly Role _role = new();
    private readonly CpuReading _start = CpuClock.Current.Read();
    private readonly Collector _collector;

    public CollectorTests() => _collector = new(_role, _start, intervalSeconds: 1);

    public void Dispose()
    {
        _collector.Dispose();
        _role.Dispose();
    }

    [Fact]
    public void Collect_TwoWorkers_AreCountedAloneAndTogether()
    {
        Send(0, 3);
        Send(1, 4);
        (Figures overall, IReadOnlyList<Figures> threads) = _collector.Collect([true, true]);
        Assert.Equal((7, 7), (overall[Counter.MessagesSent], overall.Totals[Counter.MessagesSent]));
        Assert.Equal([(1, 2, 3L, 3L), (2, 2, 4, 4)], threads.Select(Describe));
        Assert.Equal((0, 2, 7), (overall.Info.Thread, overall.Info.Threads, overall[Series.Messages].Count));
        Assert.Equal([3, 4], threads.Select(thread => thread[Series.Messages].Count));

        Send(1, 5);
        (overall, threads) = _collector.Collect([true, true]);
        Assert.Equal((5, 12), (overall[Counter.MessagesSent], overall.Totals[Counter.MessagesSent]));
        Assert.Equal([(1, 2, 0L, 3L), (2, 2, 5, 9)], threads.Select(Describe));
        Assert.Equal([(0, 3L), (1, 4), (0, 0), (1, 5)], _role.Collections);

        static (int, int, long, long) Describe(Figures thread) =>
            (thread.Info.Thread, thread.Info.Threads, thread[Counter.MessagesSent], thread.Totals[Counter.MessagesSent]);
    }

    [Fact]
    public void Collect_MomentsGaugesAndSending_AreThoseOfTheWorker()
    {
        WorkerRecording first = _role.Workers[0].Recording, second = _role.Workers[1].Recording;
        first.Set(Gauge.KeptBytes, 5);
        second.Set(Gauge.KeptBytes, 7);
        second.RecordFirst(Moment.Connected, 4_711);
        first.Sending.AddTick(Clock.NanosPerSecond, 3 * Clock.NanosPerSecond);
        first.Sending.EndSpan();
        (Figures overall, IReadOnlyList<Figures> threads) = _collector.Collect([true, true]);
        Assert.Equal((12, 4_711L, 2.0), (overall[Gauge.KeptBytes], overall[Moment.Connected], overall.SendingSeconds));
        Assert.Equal([(5, null, 2.0), (7, 4_711L, (double?)null)],
            threads.Select(thread => (thread[Gauge.KeptBytes], thread[Moment.Connected], thread.SendingSeconds)));
    }

    /// <summary>Its counts can be read at any time, its samples only by its own thread.</summary>
    [Fact]
    public void Collect_OneWorkerStuckAtTheEnd_HasItsCountsAndNotItsSamples()
    {
        Send(0, 3);
        Send(1, 4);
        (Figures overall, IReadOnlyList<Figures> threads) = _collector.Collect([true, false]);
        Assert.Equal([3, 4], threads.Select(thread => thread[Counter.MessagesSent]));
        Assert.Equal([3, 0], threads.Select(thread => thread[Series.Messages].Count));
        Assert.Equal((7, 3), (overall[Counter.MessagesSent], overall[Series.Messages].Count));
        Assert.Equal((3, null, 3), (CountOf(0), CountOf(1), CountOf(null)));
        Assert.Equal([(0, 3L)], _role.Collections);

        long? CountOf(int? worker) => _collector.IntervalOf(Series.Messages, worker)?.TotalCount;
    }

    /// <summary>Send lags are no latencies between two clocks.</summary>
    [Fact]
    public void OutsideLatencies_OfAllIntervals_AreThoseOfMessages()
    {
        Record(0, -5, 7);
        Record(1, 2 * Hour / Clock.NanosPerMicro);
        _role.Workers[0].Recording[Series.SendLag].Record(2 * Hour / Clock.NanosPerMicro);
        _collector.Collect([true, true]);
        Assert.Equal(new OutsideCounts(1, 1), _collector.OutsideLatencies);
        Record(1, -1, -2);
        _collector.Collect([true, true]);
        Assert.Equal(new OutsideCounts(3, 1), _collector.OutsideLatencies);
    }

    [Fact]
    public void Times_OfIntervals_FollowOneAnother()
    {
        _collector.Collect([true, true]);
        (DateTime from, DateTime to) = _collector.LastInterval;
        _collector.Collect([true, true]);
        Assert.Equal(to, _collector.LastInterval.From);
        Assert.InRange(to, DateTime.UtcNow.AddMinutes(-10), DateTime.UtcNow.AddMinutes(10)); // by the wall clock
        Assert.True(from <= to && to <= _collector.LastInterval.To);
        Assert.Equal((from, _collector.LastInterval.To), _collector.SteadyTime); // of no moments: all of the run
    }

    [Fact]
    public void SteadyTime_OfMoments_IsBetweenTheFirstAndTheLastOfAllWorkers()
    {
        for (int worker = 0; worker < 2; worker++)
        {
            _role.Workers[worker].Recording.RecordFirst(Moment.Connected, _start.AtNanos + ((2 + worker) * Clock.NanosPerSecond));
            _role.Workers[worker].Recording.RecordFirst(Moment.End, _start.AtNanos + ((8 + worker) * Clock.NanosPerSecond));
        }

        _collector.Collect([true, true]);
        (DateTime from, DateTime to) = _collector.SteadyTime;
        Assert.Equal(TimeSpan.FromSeconds(7), to - from);
    }

    [Fact]
    public void Summarize_TwoWorkers_HasAllSamplesAndThoseOfEach()
    {
        Send(0, 3);
        Send(1, 4);
        _collector.Collect([true, true]);
        Send(0, 1);
        _collector.Collect([true, true]);
        RunSummary summary = _collector.Summarize(RunOutcome.Success, ["a note"]);
        Assert.Equal((8, 8, 0), (summary.Overall[Counter.MessagesSent], summary.Overall[Series.Messages].Count, summary.Overall.Info.Thread));
        Assert.Equal([(1, 4L, 4L), (2, 4, 4)],
            summary.Threads.Select(thread => (thread.Info.Thread, thread[Counter.MessagesSent], thread[Series.Messages].Count)));
        Assert.Equal((RunOutcome.Success, "a note"), (summary.Outcome, Assert.Single(summary.Notes)));
        Assert.Equal((8, 4), (_collector.WholeOf(null).HistogramOf(Series.Messages)!.TotalCount, _collector.WholeOf(0).HistogramOf(Series.Messages)!.TotalCount));
    }

    /// <summary>A log of all workers and one of each that has samples: a header, and a line of each collection.</summary>
    [Fact]
    public void Histograms_OfTwoWorkers_HaveALineOfEachCollection()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("logs");
        try
        {
            List<ReportFile> files = [];
            HistogramFiles logs = new(Path.Combine(folder.FullName, "run"), _role, path =>
            {
                files.Add(ReportFile.Open(path));
                return files[^1];
            });
            files.ForEach(file => file.Begin());
            for (int interval = 1; interval <= 3; interval++)
            {
                Send(1, interval);
                _collector.Collect([true, true]);
                logs.WriteInterval(_collector);
            }

            logs.Complete(_collector);
            files.ForEach(file => file.Dispose());
            Assert.Null(logs.Failure);
            Assert.Equal(["run-messages.hgrm", "run-messages.hlog", "run-messages2.hlog"], // nothing of the first, and no lags
                folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
            foreach (string name in new[] { "run-messages.hlog", "run-messages2.hlog" })
            {
                string path = Path.Combine(folder.FullName, name);
                Assert.Single(File.ReadAllLines(path), line => line.StartsWith("\"StartTimestamp\"", StringComparison.Ordinal));
                Assert.Equal([1, 2, 3], HistogramLogReader.ReadFile(path).Select(line => line.Histogram.TotalCount));
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Histograms_OneThatCannotBeWritten_IsTheFailureOfTheFiles()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("logs");
        try
        {
            string taken = folder.CreateSubdirectory("run-messages.hgrm").FullName;
            using RunFiles files = new(new(null, null, null, null, Path.Combine(folder.FullName, "run")), _role, LatencyFormat.Transport, rotation: null);
            files.Begin(_ => { });
            Send(0, 1);
            _collector.Collect([true, true]);
            files.WriteHistograms(_collector);
            Assert.Null(files.Failure);
            files.CompleteHistograms(_collector);
            Assert.Contains(taken, files.Failure, StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private void Send(int worker, int messages)
    {
        _role.Workers[worker].Recording.Counters.Add(Counter.MessagesSent, messages);
        Record(worker, [.. Enumerable.Repeat(10L, messages)]);
    }

    private void Record(int worker, params long[] micros)
    {
        foreach (long sample in micros)
            _role.Workers[worker].Recording[Series.Messages].Record(sample);
    }

    private sealed class Role() : ToolRole(
        CreateWorkers(new RunOptions { ListedThreads = ThreadPlan.Unbounded(2) }, CreateRecording),
        new Report(new ReportTable("Sample") { Steady = (Moment.Connected, Moment.End) }))
    {
        public List<(int Worker, long Messages)> Collections { get; } = [];

        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public override RunOutcome? FindEnd(long nowNanos) => null;

        public override void Collected(int worker, CounterSnapshot interval) => Collections.Add((worker, interval[Counter.MessagesSent]));

        private static WorkerRecording CreateRecording()
        {
            WorkerRecording recording = new();
            recording.Measure(Series.Messages, LatencyUnit.Microseconds);
            return recording;
        }
    }
}
