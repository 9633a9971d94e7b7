using LatencyPerf.Links;
using LatencyPerf.Options;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

/// <summary>One side of a test: its link, its thread, and the events of that thread.</summary>
internal abstract class LatencyRole : ToolRole
{
    private readonly RunConsole _console;
    private readonly CancellationTokenSource _stop;
    private volatile bool _isOver; // written by the thread of the test

    protected LatencyRole(LatencyPerfOptions options, RunHost host, Report report, TestPlace place, ILink link)
        : base([new Worker(new WorkerOptions(), new WorkerRecording(), network: null)], report)
    {
        (Options, _console, Place, Link) = (options, host.Console, place, link);
        _stop = CancellationTokenSource.CreateLinkedTokenSource(host.Signals.StopRequested);
    }

    public override bool IsReportedAsOne => true;
    public override bool CollectsAtIntervals => false;
    public override long? EndNanos => null;

    /// <summary>Why the test is incomplete; null when it is complete. After its thread has ended.</summary>
    protected abstract string? Trouble { get; }

    protected LatencyPerfOptions Options { get; }
    protected TestPlace Place { get; }
    protected ILink Link { get; }
    protected TestEvents Events { get; } = new();
    protected CancellationToken Stop => _stop.Token;

    /// <summary>True while the last line of the output is incomplete.</summary>
    protected bool IsInLine { get; private set; }

    /// <exception cref="SetupException">An address, a port or memory is not available.</exception>
    public static LatencyRole Create(LatencyPerfOptions options, RunHost host, Baseline? baseline)
    {
        TestPlace place = TestPlace.Find(options.LoadLinkOptions());
        ILink link = place.CreateLink();
        return options.Publish ? new PublisherRole(options, host, place, link, baseline) : new SubscriberRole(options, host, place, link);
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        foreach (string line in Place.Notes.Concat(Options.Connection.SummaryNotes).Concat(Link.Description))
            Print(line + "\n");
    }

    public override void RunWorker(int worker)
    {
        try
        {
            RunTest();
            _isOver = true;
        }
        finally
        {
            Events.Wake();
        }
    }

    public override void RequestEnd()
    {
        base.RequestEnd();
        _stop.Cancel();
    }

    public override void RunTurn(TimeSpan limit, CancellationToken stop) => Events.Wait(limit);

    public override void ShowEvents()
    {
        while (Events.TryDequeue(out TestEvent? next))
        {
            if (next!.Text is { } text)
                Print(text);
            else
                Show(next.Size!);
        }
    }

    public override RunOutcome? FindEnd(long nowNanos)
    {
        if (!_isOver)
            return null;
        return Trouble is { } trouble ? new RunOutcome(ExitCode.Incomplete, trouble) : RunOutcome.Success;
    }

    public override void Dispose()
    {
        Link.Dispose();
        Events.Dispose();
        _stop.Dispose();
        base.Dispose();
    }

    /// <summary>Carries out the test, on its thread.</summary>
    protected abstract void RunTest();

    /// <summary>Prints a completed size.</summary>
    protected virtual void Show(SizeResult size)
    {
    }

    /// <summary>Prints a text that may be a part of a line.</summary>
    protected void Print(string text)
    {
        IsInLine = text.Length > 0 && text[^1] != '\n';
        _console.Write(writer => writer.Write(text));
    }
}
