using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>The files of a run with two workers.</summary>
public sealed class RunFilesTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("files");
    private readonly Role _role = new();

    public void Dispose()
    {
        _role.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public void WriteLatencies_OfEachWorker_HaveItsSamplesOnce()
    {
        using (RunFiles files = Begin(new(null, null, thread => RunFileNames.Numbered(PathOf("latency"), thread), null)))
        {
            for (int worker = 0; worker < 2; worker++)
                _role.Workers[worker].Recording.RecordSample(Series.Updates, sent: 100, received: 107 + worker);
            files.WriteLatencies(_role.Workers);
            files.WriteLatencies(_role.Workers);
            Assert.Null(files.Failure);
            Assert.Empty(files.Notes);
        }

        Assert.Equal(["Send Time, Receive Time, Latency(nsec)", "100, 107, 7"], File.ReadAllLines(PathOf("latency1.csv")));
        Assert.Equal(["Send Time, Receive Time, Latency(nsec)", "100, 108, 8"], File.ReadAllLines(PathOf("latency2.csv")));
    }

    /// <summary>A run that is over before its first turn.</summary>
    [Fact]
    public void Run_SamplesOfItsLastMoment_AreWritten()
    {
        Role role = new() { End = RunOutcome.Success };
        role.Workers[0].Recording.RecordSample(Series.Updates, sent: 100, received: 107);
        using RunSignals signals = new(parent: null);
        RunPlan plan = new(new RunOptions { ListedThreads = ThreadPlan.Unbounded(2) }, [], 0, _ => role)
        {
            FileNames = new(null, null, thread => RunFileNames.Numbered(PathOf("latency"), thread), null),
            LatencyFormat = LatencyFormat.Transport,
        };
        Assert.Equal(RunOutcome.Success, ToolRun.Run(plan, new RunHost(new RunConsole(TextWriter.Null), signals)));
        Assert.Equal(["Send Time, Receive Time, Latency(nsec)", "100, 107, 7"], File.ReadAllLines(PathOf("latency1.csv")));
    }

    [Fact]
    public void WriteInterval_OfTwoWorkers_IsALineInTheFileOfEach()
    {
        using (RunFiles files = Begin(new(null, thread => PathOf($"stats{thread}"), null, PathOf("lines"))))
            files.WriteInterval(new(), [FiguresOf(3), FiguresOf(4)]);

        Assert.Equal(["UTC, Messages", ", 3"], Lines("stats1"));
        Assert.Equal(["UTC, Messages", ", 4"], Lines("stats2"));
        Assert.StartsWith("{\"tool\":\"Sample\",\"final\":false,", Assert.Single(File.ReadAllLines(PathOf("lines"))), StringComparison.Ordinal);

        string[] Lines(string name) => [.. File.ReadAllLines(PathOf(name)).Select(line => line.StartsWith("UTC", StringComparison.Ordinal)
            ? line : line[line.IndexOf(',', StringComparison.Ordinal)..])];
        static Figures FiguresOf(int messages)
        {
            CounterSet counts = new();
            counts.Add(Counter.MessagesSent, messages);
            return new() { Counts = counts.Snapshot() };
        }
    }

    [Fact]
    public void Create_OneNameForTwoOutputs_IsRefusedAndLeavesNoFile()
    {
        SetupException refused = Assert.Throws<SetupException>(() => Create(new(PathOf("same"), null, null, PathOf("same"))));
        Assert.Equal(SetupProblem.CommandLine, refused.Problem);
        Assert.EndsWith("same: two outputs have this name", refused.Message, StringComparison.Ordinal);
        Assert.Empty(_folder.GetFiles());
    }

    [Fact]
    public void Notes_OfFilesThatTurn_CountTheirBytes()
    {
        using RunFiles files = new(new(null, null, null, PathOf("lines")), _role, LatencyFormat.Transport, FileRotation.TryParse("1MB"));
        files.Begin(_ => { });
        files.WriteJsonLines([stream => stream.Write("{}\n"u8), stream => stream.Write("{}\n"u8)]);
        Assert.Equal(["Files of results: 6 bytes written, 0 full files."], files.Notes);
    }

    [Fact]
    public void Dispose_OfARole_DisposesEachOfItsWorkers()
    {
        int disposed = 0;
        foreach (Worker worker in _role.Workers)
            worker.Poller.Run(_ => disposed++); // runs at the latest when the worker is disposed
        _role.Dispose();
        Assert.Equal(2, disposed);
    }

    private RunFiles Begin(RunFileNames names)
    {
        RunFiles files = Create(names);
        files.Begin(_ => { });
        return files;
    }

    private RunFiles Create(RunFileNames names) => new(names, _role, LatencyFormat.Transport, rotation: null);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);

    private sealed class Role() : ToolRole(
        CreateWorkers(new RunOptions { ListedThreads = ThreadPlan.Unbounded(2) }, () => CreateRecording(new RunOptions { LatencyFile = "any" })),
        CreateReport())
    {
        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public RunOutcome? End { get; init; }

        public override RunOutcome? FindEnd(long nowNanos) => End;

        private static Report CreateReport()
        {
            ReportTable table = new("Sample") { Steady = (Moment.Connected, Moment.End) };
            table.Section();
            table.Count("messagesSent", Counter.MessagesSent).Column(1, "Messages").Summary("Messages: {0}");
            table.Overall();
            return new Report(table);
        }
    }
}
