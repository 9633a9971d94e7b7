using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>One run of a tool from the block of inputs to the summary. The main thread accepts, collects, prints, writes files.</summary>
internal sealed class ToolRun : IDisposable
{
    private const string WorkerFailed = "a worker failed";
    private const int MaxTries = 3;
    private static readonly TimeSpan MaxPause = TimeSpan.FromMilliseconds(50);

    private readonly RunPlan _plan;
    private readonly RunHost _host;
    private readonly ToolRole _role;
    private readonly RunFiles _files;
    private readonly ControlPoint? _control; // null: not offered
    private readonly RunTelemetry _telemetry;
    private readonly List<WorkerThread> _threads = [];
    private readonly MemoryWatch _memory = new();
    private readonly MemoryTrim _trim = new();
    private readonly NoticeBoard _notices;
    private Collector? _collector;
    private readonly LatencyWarnings _latencyWarnings = new();

    private ToolRun(RunPlan plan, RunHost host)
    {
        _plan = plan;
        _host = host;
        host.Console.Write(WriteInputs);
        foreach (string note in plan.Notes.Concat(plan.Session.Notes))
            host.Console.WriteLine(note);
        if (plan.Session.FurtherThreads.Prepend(plan.Run.Threads).Select(ThreadBinding.FindProblem).FirstOrDefault(found =>
            found is not null) is { } problem)
        {
            throw new SetupException(SetupProblem.CommandLine, problem);
        }

        SystemLimits.Demand(plan.Run.MaxFiles, SystemLimits.MaxFiles);
        _role = plan.CreateRole(host);
        _notices = new NoticeBoard(host.Console.WriteLine, _role.OptionsOfNotices);
        try
        {
            _telemetry = new RunTelemetry(_role, plan.Control);
            _control = ControlPoint.Open(plan.Control, _role.Report.Tool, _role.Settings, _telemetry.WriteMetrics, SystemLimits.MaxFiles);
            _files = new RunFiles(plan.FileNames ?? RunFileNames.Of(plan.Run), _role, plan.LatencyFormat, plan.Run.Rotation);
        }
        catch
        {
            _control?.Dispose();
            _role.Dispose();
            throw;
        }
    }

    /// <exception cref="SetupException">It could not start.</exception>
    public static RunOutcome Run(RunPlan plan, RunHost host)
    {
        using ToolRun run = new(plan, host);
        return run.Execute();
    }

    public void Dispose()
    {
        _control?.Dispose();
        _collector?.Dispose();
        _files.Dispose();
        if (_threads.TrueForAll(thread => !thread.IsAlive))
            _role.Dispose();
    }

    private RunOutcome Execute()
    {
        foreach (string line in _control?.Description ?? [])
            _host.Console.WriteLine(line);
        _role.Begin(_host.Console, Clock.NowNanos);
        _files.Begin(WriteInputs); // a refused start does not change the results of the last run
        CpuReading start = CpuClock.Current.Read();
        _collector = new Collector(_role, start, _plan.Run.WriteStatsInterval);
        StartThreads();
        RunOutcome outcome = RunGuarded(start.AtNanos);
        return Finish(EndThreads(outcome));
    }

    private void StartThreads()
    {
        for (int i = 0; i < _role.Workers.Count; i++)
        {
            int worker = i;
            string name = string.Create(CultureInfo.InvariantCulture, $"worker {i + 1}");
            _threads.Add(new WorkerThread(name, _plan.Run.Threads.Processors[i], () => _role.RunWorker(worker)));
        }

        // last: threads on Linux inherit the processors of their creator
        ThreadBinding.TryBindCurrentThread(_plan.Session.MainThread ?? ThreadPlan.Unbound);
    }

    // The counts are written, whatever ends the run.
    private RunOutcome RunGuarded(long start)
    {
        try
        {
            return RunUntilOver(start);
        }
#pragma warning disable CA1031 // an internal error of the main thread becomes the outcome of the run, which is reported and exits
        catch (Exception defect)
#pragma warning restore CA1031
        {
            return OutcomeOf(defect, "");
        }
    }

    private RunOutcome RunUntilOver(long start)
    {
        long interval = _plan.Run.WriteStatsInterval * Clock.NanosPerSecond;
        long nextCollection = start + interval;
        while (true)
        {
            if ((FindDefect() ?? _host.Signals.Outcome ?? _control?.Outcome ?? _role.FindEnd(Clock.NowNanos)
                ?? _memory.FindEnd(Clock.NowNanos, _role.MemoryRelief)) is { } outcome)
            {
                return outcome;
            }

            TimeSpan pause = PauseUntil(Math.Min(nextCollection, _role.EndNanos ?? long.MaxValue));
            _role.RunTurn(pause < MaxPause ? pause : MaxPause, _host.Signals.StopRequested);
            if (_role.GivesMemoryBack)
            {
                _trim.Look(_role.Workers.Sum(worker => worker.Recording[Gauge.KeptBytes]),
                    _role.Workers.Sum(worker => worker.Recording.ConnectionsEnded), Clock.NowNanos);
            }

            ShowNotices(isLast: false);
            _files.WriteLatencies(_role.Workers);
            WriteJsonLines();
            bool isDue = Clock.NowNanos >= nextCollection;
            if (!isDue && _control?.DequeueCollectionRequest() != true)
                continue;
            Show(_collector!.Collect());
            nextCollection += isDue ? interval : 0;
        }
    }

    private RunOutcome EndThreads(RunOutcome outcome)
    {
        if (_memory.HasMadeRoom)
            _role.StopKeeping();
        foreach (Worker worker in _role.Workers)
            worker.RequestEnd();
        long until = Clock.NowNanos + (_plan.EndMillis * Clock.NanosPerMilli);
        WorkerThread[] stuck = [.. _threads.Where(thread => !thread.Join(PauseUntil(until)))];
        RunOutcome end = outcome;
        if (outcome.Code == ExitCode.Success || outcome.Code.IsOfSignal())
            end = FindDefect() ?? (stuck is [{ } first, ..] ? DescribeStuck(first) : outcome);
        if (!_memory.HasMadeRoom)
            return end;
        if (stuck.Length == 0)
            _role.Release();
        _memory.MakeRoom();
        return end;
    }

    private RunOutcome DescribeStuck(WorkerThread stuck) => new(ExitCode.InternalError, string.Create(
        CultureInfo.InvariantCulture,
        $"internal error: {stuck.Name} did not come back within {_plan.EndMillis / 1000.0} s; what it measured last is missing"),
            WorkerFailed);

    private RunOutcome? FindDefect() =>
        _threads.Find(thread => thread.Defect is not null) is { Defect: { } defect } failed
            ? OutcomeOf(defect, $"{failed.Name} failed: ") : null;

    private RunOutcome OutcomeOf(Exception defect, string where)
    {
        if (!RunDefect.IsOfMemory(defect))
            return RunDefect.Describe(_role.Report.Tool, defect, where) with { NotComparableReason = WorkerFailed };
        _memory.MakeRoom();
        return RunDefect.DescribeMemory(where) with { NotComparableReason = WorkerFailed };
    }

    // A step for which memory is short may succeed the second time: each step leaves completed work intact.
    private void Try(Action step)
    {
        for (int left = MaxTries; ; left--)
        {
            try
            {
                step();
                return;
            }
            catch (Exception defect) when (RunDefect.IsOfMemory(defect) && left > 1)
            {
                _memory.MakeRoom();
            }
        }
    }

    private RunOutcome Finish(RunOutcome outcome)
    {
        Try(() => ShowNotices(isLast: true));
        Try(() => _files.WriteLatencies(_role.Workers));
        Try(WriteJsonLines);
        Try(() => Show(_collector!.Collect([.. _threads.Select(thread => !thread.IsAlive)])));
        Try(() => _files.CompleteHistograms(_collector!));
        string? unsent = _telemetry.Complete();
        Try(() => outcome = _role.Complete(outcome));
        if (_plan.SaysHowItEnded)
            Try(() => _host.Console.WriteLine(Describe(outcome)));
        RunSummary? summary = null;
        Try(() => summary = Summarize(outcome, unsent));
        Try(() => _host.Console.Write(writer => _role.Report.WriteSummary(writer, summary!)));
        Try(() => _files.WriteSummary(summary!));
        return Judge(outcome, summary!);
    }

    private RunSummary Summarize(RunOutcome outcome, string? unsent)
    {
        RunSummary summary = _collector!.Summarize(outcome, [.. _role.Notes, .. _files.Notes, .. unsent is null ? [] : new[] { unsent }]);
        summary = summary with
        {
            Assertions = ThresholdResult.Compare(_plan.Run.Thresholds ?? [], name => _role.Report.FindFigure(summary, name)),
        };
        return summary with { Outcome = Judge(outcome, summary) };
    }

    // The reason of a failed run is printed once, on the error stream.
    private static string Describe(RunOutcome outcome) => outcome.Code switch
    {
        ExitCode.Success => outcome.Reason,
        ExitCode.NotStarted => "The test did not start.",
        ExitCode.HungUp or ExitCode.Interrupted or ExitCode.Terminated => "The test was ended by a signal.",
        _ => "The test did not complete.",
    };

    // The first failure decides.
    private RunOutcome Judge(RunOutcome outcome, RunSummary summary)
    {
        outcome = outcome.WithUnwritten(_files.Failure).WithUnwritten(_host.Console.Failure);
        if (outcome.Code != ExitCode.Success)
            return outcome;
        return summary.Assertions.FirstOrDefault(assertion => !assertion.IsKept) is { } missed
            ? outcome with { Code = ExitCode.AssertionMissed, Reason = missed.Reason } : outcome;
    }

    private static TimeSpan PauseUntil(long nanos) =>
        TimeSpan.FromTicks(Math.Max(0, (nanos - Clock.NowNanos) / TimeSpan.NanosecondsPerTick));

    private void WriteJsonLines()
    {
        _files.WriteJsonLines(_role.DequeueJsonLines());
        _files.WriteJsonLines(_control?.DequeueJsonLines() ?? []);
    }

    private void Show((Figures Overall, IReadOnlyList<Figures> Threads) collected)
    {
        _telemetry.Publish(collected, _collector!);
        _files.WriteInterval(collected.Overall, collected.Threads);
        _files.WriteHistograms(_collector!);
        if (!_plan.Run.NoDisplayStats)
        {
            foreach (Figures thread in collected.Threads)
                _host.Console.Write(writer => _role.Report.WriteConsole(writer, thread));
            _host.Console.Write(writer => _role.Report.WriteOverallConsole(writer, collected.Overall));
        }

        foreach (string warning in _latencyWarnings.Find(_collector!.OutsideLatencies))
            _host.Console.WriteLine(warning);
    }

    private void ShowNotices(bool isLast)
    {
        long now = Clock.NowNanos;
        if (_control?.DequeueNotice(DescribeControl) is { } trouble)
            _host.Console.WriteLine($"Warning: {trouble}");
        if (_telemetry.DequeueNotice() is { } lost)
            _host.Console.WriteLine($"Warning: {lost}");
        _notices.ShowHeld(now);
        for (int i = 0; i < _role.Workers.Count; i++)
        {
            string prefix = _role.Workers.Count > 1 && _role.WorkerWord is { } word
                ? string.Create(CultureInfo.InvariantCulture, $"{word} {i + 1}: ")
                : "";
            _notices.Show(_role.Workers[i].Recording.Notices, prefix, now);
        }

        if (isLast)
            _notices.ShowHeld(long.MaxValue);
    }

    private string DescribeControl(Exception defect) => RunDefect.Describe(_role.Report.Tool, defect, "metrics and control: ").Reason;

    private void WriteInputs(TextWriter writer) => InputBlock.Write(writer, _plan.LabelWidth, _plan.Inputs);
}
