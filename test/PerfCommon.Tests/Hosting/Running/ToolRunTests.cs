using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>Runs whose worker, or whose main thread, fails in the middle: the counts are written nevertheless.</summary>
public sealed class ToolRunTests : IDisposable
{
    private const int Counted = 7;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("run");

    [Fact]
    public void Run_WorkerThrows_IsADefectWithEveryResult() => Expect(
        new RunOutcome(ExitCode.InternalError, "internal error: worker 1 failed: no such luck; details "),
        Run(_ => throw new InvalidOperationException("no such luck")));

    [Fact]
    public void Run_WorkerThatNeverComesBack_EndsWithEveryResult()
    {
        using ManualResetEventSlim over = new();
        Expect(
            new RunOutcome(ExitCode.InternalError,
                "internal error: worker 1 did not come back within 0.2 s; what it measured last is missing"),
            Run(_ => over.Wait(TestContext.Current.CancellationToken), endsAfter: Counted));
        over.Set();
    }

    [Fact]
    public void Run_MainThreadThrows_IsADefectWithEveryResult() => Expect(
        new RunOutcome(ExitCode.InternalError, "internal error: not my day; details "),
        Run(_ => { }, findEnd: counted => counted < Counted ? null : throw new InvalidOperationException("not my day")));

    [Fact]
    public void Run_AFileFailsToo_BothAreTold()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "needs /dev/full");
        RunOutcome outcome = Run(_ => throw new InvalidOperationException("no such luck"), summaryFile: "/dev/full");
        Assert.Equal(ExitCode.InternalError, outcome.Code);
        Assert.StartsWith("internal error: worker 1 failed: no such luck; ", outcome.Reason, StringComparison.Ordinal);
        Assert.EndsWith("; /dev/full: cannot be written: No space left on device", outcome.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_EndedBySignalAndAFileFails_IsTheFile()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "needs /dev/full");
        RunOutcome outcome = Run(
            _ => { }, summaryFile: "/dev/full",
            findEnd: counted => counted < Counted ? null : new RunOutcome(ExitCode.Terminated, "ended by SIGTERM"));
        Assert.Equal(new RunOutcome(ExitCode.OutputFile, "/dev/full: cannot be written: No space left on device"), outcome);
    }

    [Theory]
    [InlineData("port")]
    [InlineData("begin")]
    [InlineData("name")]
    [InlineData("folder")]
    public void Run_StartThatIsRefused_LeavesOldResultsAlone(string what)
    {
        File.WriteAllText(PathOf("sum.out"), "old summary");
        File.WriteAllText(PathOf("stats1.csv"), "old statistics");
        using Socket taken = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        taken.Listen();
        RunOptions options = new()
        {
            SummaryFile = PathOf("sum.out"),
            StatsFile = PathOf("stats"),
            JsonFile = PathOf(what switch { "name" => "sum.out", "folder" => "none/run.json", _ => "run.json" }),
        };
        ControlOptions control = new() { MetricsPort = what == "port" ? ((IPEndPoint)taken.LocalEndPoint!).Port : 0 };
        using RunSignals signals = new(parent: null);
        Role role = new(options, _ => { }, _ => RunOutcome.Success)
        {
            OnBegin = what == "begin" ? () => throw new SetupException(SetupProblem.NotStarted, "not today") : null,
        };
        RunPlan plan = new(options, [], 10, _ => role)
        {
            LatencyFormat = LatencyFormat.Transport,
            Control = control,
        };
        Assert.Throws<SetupException>(() => ToolRun.Run(plan, new RunHost(new RunConsole(TextWriter.Null), signals)));
        Assert.Equal(1, role.Disposals);
        Assert.Equal(("old summary", "old statistics"), (File.ReadAllText(PathOf("sum.out")), File.ReadAllText(PathOf("stats1.csv"))));
        Assert.Equal(["stats1.csv", "sum.out"], _folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal)); // no new file remains
    }

    [Theory]
    [InlineData(ExitCode.Success, "all is well", true)]
    [InlineData(ExitCode.NotStarted, "The test did not start.", true)]
    [InlineData(ExitCode.Interrupted, "The test was ended by a signal.", true)]
    [InlineData(ExitCode.HungUp, "The test was ended by a signal.", true)]
    [InlineData(ExitCode.Terminated, "The test was ended by a signal.", true)]
    [InlineData(ExitCode.Incomplete, "The test did not complete.", true)]
    [InlineData(ExitCode.Success, "all is well", false)]
    internal void Run_ThatSaysHowItEnded_WritesALineOfIt(ExitCode code, string line, bool says)
    {
        RunOptions options = new() { SummaryFile = PathOf("sum.out"), StatsFile = PathOf("stats") };
        using RunSignals signals = new(parent: null);
        using StringWriter output = new();
        RunPlan plan = new(options, [], 10, _ => new Role(options, _ => { }, _ => new RunOutcome(code, "all is well")))
        {
            LatencyFormat = LatencyFormat.Transport,
            SaysHowItEnded = says,
        };
        Assert.Equal(code, ToolRun.Run(plan, new RunHost(new RunConsole(output), signals)).Code);
        Assert.Equal(says, output.ToString().Split('\n').Contains(line));
    }

    [Fact]
    public void Run_AnAnswerThatThrows_CostsTheAnswerAndNotTheRun()
    {
        using StringWriter output = new();
        HttpStatusCode? status = null;
        RunOutcome outcome = Run(_ => { }, endsAfter: Counted, output: output, settings: new BrokenSettings(),
            begin: () => status = AskForSettings(output.ToString()));
        Assert.Equal((RunOutcome.Success, HttpStatusCode.InternalServerError), (outcome, status));
        Assert.Contains("Warning: internal error: metrics and control: no settings today; details in Sample_crash_", output.ToString(),
            StringComparison.Ordinal);
        Assert.Contains("Messages: 7", File.ReadAllLines(PathOf("sum.out")).Select(line => line.Trim()));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);

    private void Expect(RunOutcome expected, RunOutcome actual)
    {
        Assert.Equal(expected.Code, actual.Code);
        Assert.StartsWith(expected.Reason, actual.Reason, StringComparison.Ordinal);
        Assert.Contains("Messages: 7", File.ReadAllLines(PathOf("sum.out")).Select(line => line.Trim()));
        using JsonDocument final = JsonDocument.Parse(File.ReadAllLines(PathOf("run.json"))[^1]);
        Assert.True(final.RootElement.GetProperty("final").GetBoolean());
        Assert.Equal((int)expected.Code, final.RootElement.GetProperty("exitCode").GetInt32());
        Assert.Equal(Counted, final.RootElement.GetProperty("overall").GetProperty("counts").GetProperty("messagesSent").GetInt32());
        Assert.EndsWith(", 7", File.ReadAllLines(PathOf("stats1.csv"))[^1], StringComparison.Ordinal);
    }

    // The worker counts to seven and then calls the given function.
    private RunOutcome Run(Action<Worker> afterwards, int? endsAfter = null, Func<long, RunOutcome?>? findEnd = null,
        string? summaryFile = null, TextWriter? output = null, RoleSettings? settings = null, Action? begin = null)
    {
        RunOptions options = new()
        {
            SummaryFile = summaryFile ?? PathOf("sum.out"),
            StatsFile = PathOf("stats"),
            JsonFile = PathOf("run.json")
        };
        findEnd ??= counted => counted >= endsAfter ? RunOutcome.Success : null;
        using RunSignals signals = new(parent: null);
        string? crashFile = null;
        try
        {
            RunOutcome outcome = ToolRun.Run(
                new RunPlan(options, [], 10, _ => new Role(options, afterwards, findEnd) { RoleSettings = settings, OnBegin = begin })
                {
                    LatencyFormat = LatencyFormat.Transport,
                    EndMillis = 200,
                    Control = new() { TakesChanges = settings is not null },
                },
                new RunHost(new RunConsole(output ?? TextWriter.Null), signals));
            crashFile = $"Sample_crash_{Environment.ProcessId}.txt";
            return outcome;
        }
        finally
        {
            if (crashFile is not null)
                File.Delete(crashFile);
        }
    }

    private static HttpStatusCode AskForSettings(string output)
    {
        string address = output.Split(ControlPoint.ControlLine)[1].Split('\n')[0];
        using HttpClient client = new();
        using HttpRequestMessage request = new(HttpMethod.Get, $"http://{address}/control");
        request.Headers.Add("X-PerfTools", "1");
        using HttpResponseMessage response = client.Send(request, TestContext.Current.CancellationToken);
        return response.StatusCode;
    }

    private sealed class BrokenSettings : RoleSettings
    {
        public override IReadOnlyList<SettingState> States => throw new InvalidOperationException("no settings today");

        public override string? TryChange(IReadOnlyList<(string Name, string Value)> asked, out IReadOnlyList<SettingChange> changes) =>
            throw new NotSupportedException();
    }

    private sealed class Role : ToolRole
    {
        private readonly Func<long, RunOutcome?> _findEnd;

        public Role(RunOptions options, Action<Worker> afterwards, Func<long, RunOutcome?> findEnd)
            : base(CreateWorkers(options, () => new WorkerRecording()), CreateReport())
        {
            _findEnd = findEnd;
            Workers[0].Task = new CountingTask(Workers[0], afterwards);
        }

        public override long? EndNanos => null;

        public override RoleSettings? Settings => RoleSettings;

        public RoleSettings? RoleSettings { get; init; }

        public Action? OnBegin { get; init; }

        public int Disposals { get; private set; }

        public override void Begin(RunConsole console, long nowNanos) => OnBegin?.Invoke();

        public override void Dispose()
        {
            Disposals++;
            base.Dispose();
        }

        public override RunOutcome? FindEnd(long nowNanos) => _findEnd(Workers[0].Recording.Counters[Counter.MessagesSent]);

        private static Report CreateReport()
        {
            ReportTable table = new("Sample") { Steady = (Moment.Connected, Moment.End) };
            table.Section();
            table.Count("messagesSent", Counter.MessagesSent).Column(1, "Messages").Summary("Messages: {0}");
            table.Overall();
            return new Report(table);
        }
    }

    private sealed class CountingTask(Worker worker, Action<Worker> afterwards) : IWorkerTask
    {
        private int _left = Counted;

        public bool DelaysEnd => false;

        public void Work()
        {
            if (_left > 0)
                worker.Recording.Counters.Add(Counter.MessagesSent, 1);
            if (_left-- == 0)
                afterwards(worker);
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
