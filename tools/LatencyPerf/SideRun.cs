using LatencyPerf.Links;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Hosting.Telemetry;

namespace LatencyPerf;

/// <summary>One side of a test around its thread: prints, writes files, determines the outcome. Main thread.</summary>
internal abstract class SideRun : IDisposable
{
    private static readonly string? Version = ProgramVersion.Of(typeof(SideRun).Assembly);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    private readonly RunHost _host;
    private readonly CancellationTokenSource _stop;
    private readonly ControlPoint? _control; // null: the control port is closed
    private readonly OtlpPush? _push;
    private IReadOnlyList<SizeResult> _sizes = [];
    private bool _isInLine;

    /// <param name="options">Checked options.</param>
    /// <param name="host">The program around it.</param>
    /// <param name="heading">The first line of the output.</param>
    /// <exception cref="SetupException">It cannot start.</exception>
    protected SideRun(LatencyPerfOptions options, RunHost host, string heading)
    {
        (Options, _host) = (options, host);
        if (ThreadBinding.FindProblem(ThreadPlan.BoundTo(Processor)) is { } problem)
            throw new SetupException(SetupProblem.CommandLine, problem);
        Files = new TestFiles(options);
        _stop = CancellationTokenSource.CreateLinkedTokenSource(host.Signals.StopRequested);
        try
        {
            Print(heading);
            _control = ControlPoint.Open(options.Control, LatencyPerfOptionTable.Tool, null, WriteMetrics, SystemLimits.MaxFiles, collects: false);
            foreach (string line in _control?.Description ?? [])
                Print(line + "\n");
            _push = OtlpPush.Open(options.Control.Otlp, LatencyPerfOptionTable.Tool, Version);
            Place = TestPlace.Find(options);
            foreach (string note in Place.Notes)
                Print(note + "\n");
            Link = Place.CreateLink();
            foreach (string line in Link.Description)
                Print(line + "\n");
        }
        catch
        {
            _control?.Dispose();
            _stop.Dispose();
            Files.Dispose();
            throw;
        }
    }

    protected LatencyPerfOptions Options { get; }
    protected TestFiles Files { get; }
    protected TestPlace Place { get; }
    protected ILink Link { get; }
    protected TestEvents Events { get; } = new();
    protected CancellationToken Stop => _stop.Token;

    private int Processor => Options.BindThread ?? ThreadPlan.Unbound;

    public void Dispose()
    {
        _control?.Dispose();
        Link.Dispose();
        Events.Dispose();
        Files.Dispose();
        _stop.Dispose();
    }

    /// <summary>Runs the test on its thread, and prints its events meanwhile.</summary>
    protected RunOutcome RunThread(string name, Action body)
    {
        WorkerThread thread = new(name, Processor, () => RunAndWake(body));
        while (thread.IsAlive)
        {
            Events.Wait(Look);
            ShowEvents();
            FollowControl();
        }

        ShowEvents();
        FollowControl();
        if (_push?.Complete(EndLimit) is { } unsent)
            Print($"Warning: {unsent}\n");
        return thread.Defect is { } defect ? RunDefect.Describe(LatencyPerfOptionTable.Tool, defect) : RunOutcome.Success;
    }

    /// <summary>Prints a text, and writes a copy where one is requested.</summary>
    protected void Print(string text)
    {
        _isInLine = text.Length > 0 && text[^1] != '\n';
        _host.Console.Write(writer => writer.Write(text));
        Files.Copy(text);
    }

    protected void EndLine()
    {
        if (_isInLine)
            Print("\n");
    }

    protected abstract void Show(SizeResult size);

    /// <summary>Determines the outcome with what takes precedence: a signal, or an output that could not be written.</summary>
    protected RunOutcome Judge(RunOutcome outcome)
    {
        RunOutcome judged = outcome.Code is ExitCode.Success or ExitCode.Incomplete
            ? _host.Signals.Outcome ?? _control?.Outcome ?? outcome : outcome;
        return judged.WithUnwritten(Files.Failure).WithUnwritten(_host.Console.Failure);
    }

    private void RunAndWake(Action body)
    {
        try
        {
            body();
        }
        finally
        {
            Events.Wake();
        }
    }

    private void ShowSize(SizeResult size)
    {
        IReadOnlyList<SizeResult> sizes = [.. _sizes, size];
        Volatile.Write(ref _sizes, sizes);
        _push?.Offer(() => SizeMetrics.Collect(Version, sizes), []);
        Show(size);
    }

    private void FollowControl()
    {
        Files.WriteLines(_control?.DequeueJsonLines() ?? []);
        if (_control?.DequeueNotice(defect => RunDefect.Describe(LatencyPerfOptionTable.Tool, defect, "metrics and control: ").Reason) is { } trouble)
            Print($"Warning: {trouble}\n");
        if (_push?.DequeueNotice() is { } lost)
            Print($"Warning: {lost}\n");
        if (_control?.Outcome is not null)
            _stop.Cancel();
    }

    // Called by any thread.
    private string WriteMetrics() => MetricsText.Write(SizeMetrics.Collect(Version, Volatile.Read(ref _sizes)), RunLabels.OfThisProcess);

    private void ShowEvents()
    {
        while (Events.TryDequeue(out TestEvent? next))
        {
            if (next!.Text is { } text)
                Print(text);
            else
                ShowSize(next.Size!);
        }
    }
}
