using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>One run of the tool on the main thread: accepts, collects, prints and decides when it is over.</summary>
internal sealed class TransportRun : IDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(5);

    private readonly TransportPerfOptions _options;
    private readonly RunHost _host;
    private readonly RunNotices _notices = new();
    private readonly ResultFiles _files;
    private readonly List<TransportWorker> _workers = [];
    private readonly List<WorkerThread> _threads = [];
    private readonly ITransportSide _side;
    private readonly Collector _collector;
    private readonly long _startNanos;
    private bool _toldNegative;

    private TransportRun(TransportPerfOptions options, RunHost host)
    {
        _options = options;
        _host = host;
        host.Console.Write(WriteInputs);
        if (ThreadBinding.FindProblem(options.Run.Threads) is { } problem)
            throw new SetupException(SetupProblem.CommandLine, $"-threads: {problem}");
        _files = new ResultFiles(options);
        _files.WriteInputs(WriteInputs);
        _side = options.Connection.IsServer ? new ServerSide(options, host.Console) : new ClientSide(options);
        TransportPlan plan = new(options, _side.Connect);
        for (int i = 0; i < options.Run.Threads.Count; i++)
            _workers.Add(new TransportWorker(plan, i + 1, _notices));
        _startNanos = Clock.NowNanos;
        _collector = new Collector(_workers, _startNanos);
    }

    /// <summary>Runs from start to summary.</summary>
    /// <exception cref="SetupException">The run cannot start.</exception>
    public static RunOutcome Run(TransportPerfOptions options, RunHost host)
    {
        using TransportRun run = new(options, host);
        return run.Execute();
    }

    public void Dispose()
    {
        _side.Dispose();
        _workers.ForEach(worker => worker.Dispose());
        _collector.Dispose();
        _files.Dispose();
    }

    private RunOutcome Execute()
    {
        for (int i = 0; i < _workers.Count; i++)
            _threads.Add(new WorkerThread($"worker {i + 1}", _options.Run.Threads.Processors[i], _workers[i].Run));
        RunOutcome outcome = RunUntilOver();
        long endNanos = Clock.NowNanos;
        _workers.ForEach(worker => worker.RequestStop());
        foreach (WorkerThread thread in _threads)
        {
            if (!thread.Join(EndLimit) && outcome.Code == ExitCode.Success)
                outcome = new RunOutcome(ExitCode.InternalError, "a worker thread did not end");
        }
        return Report(outcome, endNanos);
    }

    private RunOutcome RunUntilOver()
    {
        long nextCollectionNanos = NextCollection(_startNanos);
        while (true)
        {
            long nowNanos = Clock.NowNanos;
            _side.TakeTurn(_workers, Pause, _host.Signals.StopRequested);
            ShowNotices();
            _files.WriteLatencies(_workers);
            if (nowNanos >= nextCollectionNanos)
            {
                Show(_collector.Collect());
                nextCollectionNanos = NextCollection(nextCollectionNanos);
            }
            if (FindEnd(nowNanos) is { } outcome)
                return outcome;
        }
    }

    private long NextCollection(long lastNanos) => lastNanos + (_options.Run.WriteStatsInterval * Clock.NanosPerSecond);

    private RunOutcome? FindEnd(long nowNanos)
    {
        if (_threads.Find(thread => thread.Defect is not null) is { Defect: { } defect })
            throw new InvalidOperationException($"a worker thread failed: {defect.Message}", defect);
        if (_host.Signals.Code is { } code)
            return new RunOutcome(code, code == ExitCode.Interrupted ? "interrupted by SIGINT" : "ended by SIGTERM");
        bool isTimeOver = nowNanos - _startNanos >= _options.RunSeconds * Clock.NanosPerSecond;
        return _side.FindEnd(_workers, isTimeOver, nowNanos);
    }

    private RunOutcome Report(RunOutcome outcome, long endNanos)
    {
        _files.WriteLatencies(_workers);
        IReadOnlyList<TransportInterval> last = _collector.CollectFinally();
        ShowNotices();
        Show(last);
        string? notComparable = _side.FindNotComparable(_workers)
            ?? _workers.Select(worker => worker.CutAtEnd).FirstOrDefault(reason => reason is not null);
        TransportSummary summary = new()
        {
            Overall = Collector.Total(_workers, endNanos),
            Threads = [.. _workers.Select(worker => Collector.Total([worker], endNanos))],
            Resources = _collector.Resources,
            ProcessId = Environment.ProcessId,
            Notes = [.. FindNotes()],
        };
        summary = summary with { Outcome = Judge(outcome, summary) with { NotComparableReason = notComparable } };
        _host.Console.Write(writer => TransportSummaryText.Write(writer, summary));
        _files.WriteSummary(summary);
        return summary.Outcome.Code == ExitCode.Success && _files.Failure is { } failure
            ? new RunOutcome(ExitCode.OutputFile, failure) : summary.Outcome;
    }

    private RunOutcome Judge(RunOutcome outcome, TransportSummary summary)
    {
        if (outcome.Code != ExitCode.Success)
            return outcome;
        if (_side.FindFailure() is { } failure)
            return failure;
        if ((_files.Failure ?? _host.Console.Failure) is { } unwritten)
            return new RunOutcome(ExitCode.OutputFile, unwritten);
        string? miss = _options.Run.Thresholds?.FindMiss(name => SummaryFigure.Of(summary, name));
        return miss is null ? outcome : new RunOutcome(ExitCode.AssertionMissed, miss);
    }

    private IEnumerable<string> FindNotes()
    {
        if (_options.Connection is { UsesTls: true, Tls.SkipCertificateCheck: true })
            yield return "Certificate check: off (-insecureSkipCertCheck)";
        foreach (string note in _side.FindNotes())
            yield return note;
    }

    private void Show(IReadOnlyList<TransportInterval> threads)
    {
        _files.WriteInterval(_collector.Combine(threads), threads);
        if (!_options.Run.NoDisplayStats)
            _host.Console.Write(writer => WriteIntervals(writer, threads));
        if (_collector.NegativeLatencies > 0 && !_toldNegative)
        {
            _toldNegative = true;
            _host.Console.WriteLine("Warning: negative latency; the clocks of the two sides differ.");
        }
    }

    private void ShowNotices()
    {
        while (_notices.TryTake(out string notice))
            _host.Console.WriteLine(notice);
    }

    private void WriteInputs(TextWriter writer) =>
        InputBlock.Write(writer, InputBlock.NarrowLabels, TransportPerfOptionTable.Instance.DescribeInputs(_options));

    private static void WriteIntervals(TextWriter writer, IReadOnlyList<TransportInterval> threads)
    {
        foreach (TransportInterval interval in threads)
            TransportConsole.Write(writer, interval);
    }
}
