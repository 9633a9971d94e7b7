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
    private readonly List<Figures> _sizes = []; // of a role that measures one after the other
    private Collector? _collector;
    private readonly LatencyWarnings _latencyWarnings = new();

    private ToolRun(RunPlan plan, RunHost host)
    {
        _plan = plan;
        _host = host;
        RunFileNames names = plan.FileNames ?? RunFileNames.Of(plan.Run);
        if (plan.CopiesConsole && names.Summary is not null)
            host.Console.KeepCopy();
        host.Console.Write(plan.WriteStart);
        foreach (string note in plan.Notes.Concat(plan.Session.Notes))
            host.Console.WriteLine(note);
        if (plan.Session.FurtherThreads.Prepend(plan.Run.Threads).Select(threads => ThreadBinding.FindProblem(threads.Processors))
            .FirstOrDefault(found => found is not null) is { } problem)
        {
            throw new SetupException(SetupProblem.CommandLine, problem);
        }

        SystemLimits.Demand(plan.Run.MaxFiles, SystemLimits.MaxFiles);
        _role = plan.CreateRole(host);
        foreach (WorkerRecording recording in _role.Workers.Select(worker => worker.Recording))
            recording.ConnectionCounters = new(recording.Schema, _role.Report.ConnectionCounters);
        _notices = new NoticeBoard(host.Console.WriteLine, _role.OptionsOfNotices);
        try
        {
            _telemetry = new RunTelemetry(_role, plan.Control);
            _control = ControlPoint.Open(plan.Control, _role.Report.Tool, _role.Settings, _telemetry.WriteMetrics, SystemLimits.MaxFiles,
                _role.CollectsAtIntervals);
            _files = new RunFiles(names, _role, plan.LatencyFormat, plan.Run.Rotation);
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
        _files.Begin(_plan.WriteStart, _plan.CopiesConsole ? _host.Console : null); // a refused start does not change the results of the last run
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
            _threads.Add(new WorkerThread(_role.NameOfThread(i), _plan.Run.Threads.Processors[i], () => _role.RunWorker(worker)));
        }

        // last: threads on Linux inherit the processors of their creator
        ThreadBinding.TryBindCurrentThread(_plan.Session.MainThread ?? ThreadBinding.Unbound);
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
        long nextCollection = _role.CollectsAtIntervals ? start + interval : long.MaxValue;
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
            ShowSizes();
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
        _role.RequestEnd();
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

    private RunOutcome Finish(RunOutcome outcome)
    {
        _memory.Try(() => ShowNotices(isLast: true));
        _memory.Try(ShowSizes);
        _memory.Try(() => _files.WriteLatencies(_role.Workers));
        _memory.Try(WriteJsonLines);
        _memory.Try(() => Show(_collector!.Collect([.. _threads.Select(thread => !thread.IsAlive)])));
        string? unsent = _telemetry.Complete();
        _memory.Try(() => outcome = _role.Complete(outcome));
        _memory.Try(() => _files.CompleteHistograms(_collector!));
        if (_plan.SaysHowItEnded)
            _memory.Try(() => _host.Console.WriteLine(Describe(outcome)));
        RunSummary? summary = null;
        _memory.Try(() => summary = Summarize(outcome, unsent));
        _memory.Try(() => _host.Console.Write(writer => _role.WriteSummary(writer, summary!)));
        _memory.Try(() => _files.WriteSummary(summary!));
        return Judge(outcome, summary!);
    }

    private RunSummary Summarize(RunOutcome outcome, string? unsent)
    {
        RunSummary summary = _collector!.Summarize(outcome, [.. _role.Notes, .. _files.Notes, .. unsent is null ? [] : new[] { unsent }]);
        summary = _role.Describe(summary with { Sizes = _sizes });
        if (_role.IsComparable(summary))
            summary = summary with { Assertions = _role.Report.Compare(_plan.Run.Thresholds ?? [], summary) };
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

    private void ShowSizes()
    {
        foreach (Figures size in _role.DequeueSizes())
        {
            _sizes.Add(size);
            _telemetry.Publish([.. _sizes]);
            _files.WriteSize(size);
        }
    }

    private void Show((Figures Overall, IReadOnlyList<Figures> Threads) collected)
    {
        if (!_role.CollectsAtIntervals)
            return;
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
        _role.ShowEvents();
    }

    private string DescribeControl(Exception defect) => RunDefect.Describe(_role.Report.Tool, defect, "metrics and control: ").Reason;
}
