using System.Collections.Frozen;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>What one tool adds to a run: its workers, its report, how it starts and how it is judged. Main thread only.</summary>
/// <param name="workers">The workers, each with the recording it writes; none runs yet.</param>
/// <param name="report">What is shown of the figures.</param>
internal abstract class ToolRole(IReadOnlyList<Worker> workers, Report report) : IDisposable
{
    // Between two collections; a latency file is meant for some thousand samples a second.
    private const int LatencyRecordsKept = 1 << 20;

    public IReadOnlyList<Worker> Workers => workers;
    public Report Report => report;

    /// <summary>What the console calls a worker in front of its notices; null leaves them as they are.</summary>
    public virtual string? WorkerWord => null;

    /// <summary>True for a role whose threads do one work together: statistics and summary are those of all of them.</summary>
    public virtual bool IsReportedAsOne => false;

    /// <summary>What may be changed while it runs; null for nothing.</summary>
    public virtual RoleSettings? Settings => null;

    /// <summary>What it can do about memory that is nearly used up; null for nothing.</summary>
    public virtual IMemoryRelief? MemoryRelief => null;

    /// <summary>
    /// True for one that peers can have keep much and little by turns: what is free is returned to the system then, which stops it for a
    /// moment.
    /// </summary>
    public virtual bool GivesMemoryBack => false;

    /// <summary>When the run is over by itself; null while that cannot be said.</summary>
    public abstract long? EndNanos { get; }

    /// <summary>Lines that must stand in the summary. After the threads have ended.</summary>
    public virtual IEnumerable<string> Notes => [];

    /// <summary>The option that changes what a notice of a library is about, by the cause of the notice.</summary>
    public virtual IReadOnlyDictionary<string, string> OptionsOfNotices => FrozenDictionary<string, string>.Empty;

    /// <summary>
    /// Does what comes right before the threads start: prints what a user should see first, warms up, says where it listens.
    /// </summary>
    public abstract void Begin(RunConsole console, long nowNanos);

    /// <summary>Runs a worker to its end. On the worker's thread.</summary>
    /// <param name="worker">From 0.</param>
    public virtual void RunWorker(int worker) => workers[worker].Run();

    /// <summary>Accepts, or just waits.</summary>
    public virtual void TakeTurn(TimeSpan limit, CancellationToken stop) => stop.WaitHandle.WaitOne(limit);

    /// <summary>JSON lines of the role's own since the last call, beside those of collections.</summary>
    public virtual IReadOnlyList<Action<Stream>> TakeJsonLines() => [];

    /// <summary>How the run ends, if it does now; null while it goes on.</summary>
    public abstract RunOutcome? FindEnd(long nowNanos);

    /// <summary>The run ends because there is no memory left: what need not be kept for its results is not kept from now on.</summary>
    public virtual void StopKeeping()
    {
    }

    /// <summary>The same once the threads have ended: all that is not needed for the results goes.</summary>
    public virtual void Release()
    {
    }

    /// <summary>Adds what only the end of the connections shows; the first failure stays. After the threads have ended.</summary>
    public virtual RunOutcome Complete(RunOutcome outcome) => outcome;

    /// <summary>Adds what a role knows beside its workers' recordings to figures of an interval or of the whole run.</summary>
    /// <remarks>Workers are numbered from 0; null is all together.</remarks>
    public virtual Figures Describe(Figures figures, int? worker, bool isWhole) => figures;

    /// <summary>Closes what the role holds; the workers at last.</summary>
    public virtual void Dispose()
    {
        foreach (Worker worker in workers)
            worker.Dispose();
    }

    /// <summary>The workers that the options ask for, each with a recording of its own.</summary>
    /// <param name="run">Their number, and how they go about it.</param>
    /// <param name="createRecording">Makes the recording of one.</param>
    /// <param name="maxMessagesPerTurn">Messages of a connection that one reads in a turn; null for the usual.</param>
    protected static IReadOnlyList<Worker> CreateWorkers(
        RunOptions run, Func<WorkerRecording> createRecording, int? maxMessagesPerTurn = null)
    {
        WorkerOptions options = new() { TickRate = run.TickRate, BusyRead = run.BusyRead };
        if (maxMessagesPerTurn is { } most)
            options = options with { MaxMessagesPerTurn = most };
        return [.. Enumerable.Range(0, run.Threads.Count).Select(number => new Worker(options with { Number = number }, createRecording()))];
    }

    /// <summary>How a client's run ends that has no connection and will have none; null while one may come.</summary>
    protected static RunOutcome? FindRefusal(IEnumerable<Dialer> dialers) =>
        dialers.Select(dialer => dialer.GaveUp).FirstOrDefault(reason => reason is not null) is { } refusal
            ? new RunOutcome(ExitCode.NotStarted, $"cannot connect: {refusal}") : null;

    /// <summary>Room for what a worker's latency file gets; null when none is written.</summary>
    protected static RecordRing<LatencyRecord>? CreateLatencyRecords(RunOptions run) =>
        run.LatencyFile is null ? null : new RecordRing<LatencyRecord>(LatencyRecordsKept);
}
