using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>Runs whose role measures one size after the other: nothing is collected at intervals.</summary>
public sealed class SizedRunTests : IDisposable
{
    private const string Heading = "Sizes\n~~~~~\n";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("sizes");

    [Fact]
    public void Run_OfSizes_WritesALineOfEachAndAllOfThemAtTheEnd()
    {
        File.WriteAllText(PathOf("own"), "an earlier run");
        (RunOutcome outcome, string output) = Run(new Role(PathOf("own")), "p50@16<50us,lost<20");

        Assert.Equal(new RunOutcome(ExitCode.AssertionMissed, "lost<20: lost is 32"), outcome);
        Assert.Equal($"{Heading}size 16\nsize 32\np50@16<50us: 40us, kept\nlost<20: 32, missed\n", output);
        Assert.Equal(output, File.ReadAllText(PathOf("copy")));
        Assert.Equal("16 32 ", File.ReadAllText(PathOf("own")));
        string[] lines = File.ReadAllLines(PathOf("lines"));
        Assert.Equal(["{\"tool\":\"Sample\",\"final\":false,\"bytes\":16,\"p50Micros\":40,\"lost\":16}",
            "{\"tool\":\"Sample\",\"final\":false,\"bytes\":32,\"p50Micros\":null,\"lost\":32}"], lines[..^1]);
        using JsonDocument final = JsonDocument.Parse(lines[^1]);
        Assert.Equal("[{\"bytes\":16,\"p50Micros\":40,\"lost\":16},{\"bytes\":32,\"p50Micros\":null,\"lost\":32}]",
            final.RootElement.GetProperty("sizes").GetRawText());
        Assert.Equal(["p50Micros of sizes", "lost of sizes"], FigureCatalogue.Read(final.RootElement)
            .Where(facts => facts.Over is not null).Select(facts => $"{facts.Name} of {facts.Over!.List}"));
    }

    [Fact]
    public void Run_ThatEndsBeforeItsThread_HasWhatTheThreadReportsAtItsEnd()
    {
        (RunOutcome outcome, string output) = Run(new Role(PathOf("own")) { WaitsForItsEnd = true, IsIncomplete = true }, "lost<20");

        Assert.Equal(RunOutcome.Success, outcome);
        Assert.Equal($"{Heading}size 16\nsize 32\n", output); // an incomplete run is not compared
        Assert.Equal(3, File.ReadLines(PathOf("lines")).Count());
    }

    [Fact]
    public void CollectMetrics_OfSizes_HasAGaugeOfEachAndTheirSums()
    {
        string text = MetricsText.Write(Role.CreateReport().Sizes!.CollectMetrics("1", [new() { Bytes = 16 }, new() { Bytes = 32 }]), []);
        Assert.Contains("# HELP perftools_p50 round trip, by the size of the message\nperftools_p50{bytes=\"16\"} 40\n# ", text, StringComparison.Ordinal);
        Assert.Contains("# HELP perftools_lost round trips lost\nperftools_lost_total 48\n", text, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);

    private (RunOutcome Outcome, string Output) Run(Role role, string thresholds)
    {
        using RunSignals signals = new(parent: null);
        using StringWriter output = new();
        RunPlan plan = new(new RunOptions { Thresholds = SizedThresholds.TryParse(thresholds) }, [], 0, _ => role)
        {
            Heading = Heading,
            CopiesConsole = true,
            FileNames = new(PathOf("copy"), null, null, PathOf("lines")),
            LatencyFormat = LatencyFormat.Transport,
        };
        RunOutcome outcome = ToolRun.Run(plan, new RunHost(new RunConsole(output), signals));
        return (outcome, output.ToString());
    }

    // The thread measures 16 and 32 bytes.
    private sealed class Role(string ownFile) : ToolRole([new Worker(new WorkerOptions(), new WorkerRecording())], CreateReport())
    {
        private readonly ManualResetEventSlim _end = new();
        private readonly RecordRing<int> _measured = new(4);
        private readonly List<Figures> _completed = [];
        private ReportFile? _own;
        private RunConsole? _console;
        private volatile bool _isOver;

        public bool WaitsForItsEnd { get; init; }
        public bool IsIncomplete { get; init; }
        public override bool CollectsAtIntervals => false;
        public override bool IsReportedAsOne => true;
        public override long? EndNanos => null;
        public override IReadOnlyList<ReportFile> Files => [_own ??= ReportFile.Open(ownFile)];

        public static Report CreateReport()
        {
            ReportTable sizes = new("Sample") { Steady = (Moment.Connected, Moment.End) };
            sizes.Section();
            sizes.Sample(f => f.Bytes == 16 ? 40 : null, _ => 10).Final("p50Micros").Called("round trip").IsTime("us").Metric("p50").MetricOfSizes("p50");
            sizes.Number(f => f.Bytes).Final("lost").Called("round trips lost").IsSum()
                .Metric(Threshold.Lost).MetricOfSizes("lost", isSum: true);
            return new Report(new ReportTable("Sample") { Steady = (Moment.Connected, Moment.End), Sizes = sizes });
        }

        public override void Begin(RunConsole console, long nowNanos) => _console = console;

        public override void RunWorker(int worker)
        {
            if (WaitsForItsEnd)
                _end.Wait();
            _measured.TryWrite(16);
            _measured.TryWrite(32);
            _isOver = true;
        }

        public override void RequestEnd()
        {
            base.RequestEnd();
            _end.Set();
        }

        public override void ShowEvents()
        {
            while (_measured.TryRead(out int bytes))
            {
                _console!.WriteLine($"size {bytes}");
                _own!.Append(writer => writer.Write($"{bytes} "));
                _completed.Add(new() { Bytes = bytes });
            }
        }

        public override IReadOnlyList<Figures> DequeueSizes()
        {
            Figures[] completed = [.. _completed];
            _completed.Clear();
            return completed;
        }

        public override RunOutcome? FindEnd(long nowNanos) => _isOver || WaitsForItsEnd ? RunOutcome.Success : null;

        public override bool IsComparable(RunSummary summary) => !IsIncomplete;

        public override void WriteSummary(TextWriter writer, RunSummary summary)
        {
            foreach (ThresholdResult assertion in summary.Assertions)
                writer.Write(assertion.Line + "\n");
        }

        public override void Dispose()
        {
            _end.Dispose();
            base.Dispose();
        }
    }
}
