using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>What a run frees at its end, and what it leaves to a thread that does not come back.</summary>
public sealed class RunReleaseTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("release");

    private string Lines => Path.Combine(_folder.FullName, "lines");

    [Fact]
    public void Run_ThatIsOver_DisposesItsRoleAndReleasesNothing()
    {
        Role role = new(_ => { });
        Assert.Equal(RunOutcome.Success, Run(role));
        Assert.Equal(["Dispose"], role.Calls);
    }

    [Fact]
    public void Run_MemoryUsedUp_ReleasesWhatTheResultsDoNotNeed()
    {
        Role role = new(_ => throw Activator.CreateInstance<OutOfMemoryException>()) { IsEndless = true };
        Assert.Equal(new RunOutcome(ExitCode.Incomplete, "worker 1 failed: memory is used up", "a worker failed"), Run(role));
        Assert.Equal(["StopKeeping", "Release", "Dispose"], role.Calls);
    }

    // The second thread still uses what would be freed.
    [Fact]
    public void Run_MemoryUsedUpAndAThreadStuck_LeavesTheRoleAsItIs()
    {
        using ManualResetEventSlim isOver = new();
        Role role = new(worker => Fail(worker, isOver), threads: 2) { IsEndless = true };
        Assert.Equal(ExitCode.Incomplete, Run(role).Code);
        Assert.Equal(["StopKeeping"], role.Calls);
        isOver.Set();

        static void Fail(int worker, ManualResetEventSlim isOver)
        {
            if (worker == 0)
                throw Activator.CreateInstance<OutOfMemoryException>();
            isOver.Wait();
        }
    }

    [Fact]
    public void Run_SettingThatWasChanged_HasALineOfIt()
    {
        Role role = new(_ => { });
        role.Changes = () =>
        {
            using HttpClient client = new();
            using HttpRequestMessage request = new(HttpMethod.Post, $"http://{role.Address}/control") { Content = new StringContent("mark=half time") };
            request.Headers.Add("X-PerfTools", "1");
            using HttpResponseMessage response = client.Send(request, TestContext.Current.CancellationToken);
            Assert.True(response.IsSuccessStatusCode);
        };
        using StringWriter output = new();
        role.FindAddress = () => output.ToString().Split(ControlPoint.ControlLine)[1].Split('\n')[0];
        Assert.Equal(RunOutcome.Success, Run(role, output));
        string line = File.ReadAllLines(Lines)[0];
        using JsonDocument read = JsonDocument.Parse(line);
        Assert.Contains("\"half time\"", line, StringComparison.Ordinal);
    }

    /// <summary>One of two workers, or both together: the samples of the last interval are not those of another.</summary>
    [Fact]
    public void IntervalOf_TwoWorkers_IsThatOfOneOrOfBoth()
    {
        using Role role = new(_ => { }, threads: 2);
        for (int i = 0; i < 2; i++)
        {
            WorkerRecording recording = role.Workers[i].Recording;
            recording.Measure(Series.Updates, LatencyUnit.Microseconds);
            for (int sample = 0; sample <= i; sample++)
                recording[Series.Updates].Record(RunPhase.Steady, RunPhase.Steady, 10);
        }

        using Collector collector = new(role, CpuClock.Current.Read(), intervalSeconds: 1);
        collector.Collect([true, true]);
        Assert.Equal((1, 2, 3), (CountOf(0), CountOf(1), CountOf(null)));

        long? CountOf(int? worker) => collector.IntervalOf(Series.Updates, worker)?.TotalCount;
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private RunOutcome Run(Role role, TextWriter? output = null)
    {
        using RunSignals signals = new(parent: null);
        RunPlan plan = new(new RunOptions { ListedThreads = ThreadPlan.Unbounded(role.Workers.Count) }, [], 0, _ => role)
        {
            FileNames = new(null, null, null, Lines),
            LatencyFormat = LatencyFormat.Transport,
            EndMillis = role.IsEndless && role.Workers.Count > 1 ? 100 : 9_000,
            Control = new() { TakesChanges = output is not null },
        };
        return ToolRun.Run(plan, new RunHost(new RunConsole(output ?? TextWriter.Null), signals));
    }

    private sealed class Role(Action<int> work, int threads = 1) : ToolRole(
        CreateWorkers(new RunOptions { ListedThreads = ThreadPlan.Unbounded(threads) }, () => new WorkerRecording()),
        new Report(new ReportTable("Sample") { Steady = (Moment.Connected, Moment.End) }))
    {
        public List<string> Calls { get; } = [];
        public bool IsEndless { get; init; }
        public Action? Changes { get; set; }
        public Func<string>? FindAddress { get; set; }
        public string Address => FindAddress!();
        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos) => Changes?.Invoke();
        public override void RunWorker(int worker) => work(worker);
        public override RunOutcome? FindEnd(long nowNanos) => IsEndless ? null : RunOutcome.Success;
        public override void StopKeeping() => Calls.Add(nameof(StopKeeping));
        public override void Release() => Calls.Add(nameof(Release));

        public override void Dispose()
        {
            Calls.Add(nameof(Dispose));
            base.Dispose();
        }
    }
}
