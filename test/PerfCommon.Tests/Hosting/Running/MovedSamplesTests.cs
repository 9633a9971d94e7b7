using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>A role that moves the samples of its run at the end: the intervals stay as they were, the whole run has the moved samples.</summary>
public sealed class MovedSamplesTests : IDisposable
{
    private const int Count = 40;
    private const long Nanos = 1_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("moved");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData(0)]
    [InlineData(24_000)]
    public void Run_SamplesMovedAtItsEnd_AreThoseOfTheWholeRun(long shift)
    {
        RunOptions options = new() { HistogramFile = Path.Combine(_folder.FullName, "run"), SummaryFile = Path.Combine(_folder.FullName, "sum.out") };
        using RunSignals signals = new(parent: null);
        RunOutcome outcome = ToolRun.Run(new RunPlan(options, [], 10, _ => new Role(options, shift)) { LatencyFormat = LatencyFormat.Transport },
            new RunHost(new RunConsole(TextWriter.Null), signals));
        Assert.Equal(RunOutcome.Success, outcome);

        (string? Tag, LongHistogram Samples)[] lines = [.. HistogramLogReader.ReadFile(Path.Combine(_folder.FullName, "run-messages.hlog"))
            .Select(line => (line.Tag, line.Histogram))];
        Assert.All(lines.Where(line => line.Tag is null && line.Samples.TotalCount > 0), line => Assert.Equal(Nanos, line.Samples.GetMaxValue()));
        Assert.Equal(Count, lines.Where(line => line.Tag is null).Sum(line => line.Samples.TotalCount));
        LongHistogram[] moved = [.. lines.Where(line => line.Tag == HistogramFiles.SteadyTag).Select(line => line.Samples)];
        Assert.Equal(shift == 0 ? [] : [(long)Count], moved.Select(samples => samples.TotalCount));
        Assert.All(moved, samples => Assert.InRange(samples.GetMinValue(), (Nanos + shift) * 0.998, (Nanos + shift) * 1.002));
        Assert.Contains($"Average: {(Nanos + shift) / 1_000} us, {Count} samples", File.ReadAllText(options.SummaryFile), StringComparison.Ordinal);
    }

    private sealed class Role : ToolRole
    {
        private readonly long _shift;
        private int _collected;

        public Role(RunOptions options, long shift)
            : base(CreateWorkers(options, CreateRecording), CreateReport())
        {
            _shift = shift;
            Workers[0].Recording[Series.Messages].Hold();
            Workers[0].Task = new RecordingTask(Workers[0].Recording);
        }

        public override long? EndNanos => null;

        public override bool HasMovedSamples => _shift != 0;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public override RunOutcome? FindEnd(long nowNanos) =>
            Workers[0].Recording.Counters[Counter.MessagesReceived] == Count ? RunOutcome.Success : null;

        public override void Collected(int worker, CounterSnapshot interval) => _collected++;

        public override RunOutcome Complete(RunOutcome outcome)
        {
            for (; _collected > 0; _collected--)
                Workers[0].Recording[Series.Messages].Release(_shift);
            return outcome;
        }

        private static WorkerRecording CreateRecording()
        {
            WorkerRecording recording = new();
            recording.Measure(Series.Messages, LatencyUnit.Nanoseconds);
            return recording;
        }

        private static Report CreateReport()
        {
            ReportTable table = new("Sample") { Steady = (Moment.Connected, Moment.End) };
            table.Section();
            table.Latency(Series.Messages).Json("latency").Summary("Average: {0:F0} us, {9} samples");
            table.Overall();
            return new Report(table);
        }
    }

    private sealed class RecordingTask(WorkerRecording recording) : IWorkerTask
    {
        private int _left = Count;

        public bool DelaysEnd => false;

        public void Work()
        {
            if (_left-- <= 0)
                return;
            recording[Series.Messages].Record(Nanos);
            recording.Counters.Add(Counter.MessagesReceived, 1);
        }

        public void OnAwake()
        {
        }

        public void OnFirstOver()
        {
        }

        public bool TrySleep() => _left < 0;
    }
}
