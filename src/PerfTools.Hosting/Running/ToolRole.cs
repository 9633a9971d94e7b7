using System.Globalization;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>The part of a run that is specific to one tool: its workers, its report, its start and its verdict. Main thread only.</summary>
/// <param name="workers">The workers, each with the recording it writes; none is running yet.</param>
/// <param name="report">The report of the figures.</param>
internal abstract class ToolRole(IReadOnlyList<Worker> workers, Report report) : IDisposable
{
    // Between two collections; a latency file is meant for some thousand samples per second.
    private const int LatencyRecordsKept = 1 << 20;

    public IReadOnlyList<Worker> Workers => workers;
    public Report Report => report;

    /// <summary>Prefix of a worker's notices on the console; null prints them unchanged.</summary>
    public virtual string? WorkerWord => null;

    /// <summary>True for a role whose threads share one task: statistics and summary are those of all of them.</summary>
    public virtual bool IsReportedAsOne => false;

    /// <summary>
    /// False for a role whose figures are those of sizes that it measures one after the other, or of the whole run alone: nothing is collected while it
    /// runs.
    /// </summary>
    public virtual bool CollectsAtIntervals => true;

    /// <summary>Files of the role in addition to those of every run, which empties, checks and closes them with its own.</summary>
    public virtual IReadOnlyList<ReportFile> Files => [];

    /// <summary>The settings that may be changed while it runs; null for none.</summary>
    public virtual RoleSettings? Settings => null;

    /// <summary>Frees memory when the limit is nearly reached; null for nothing.</summary>
    public virtual IMemoryRelief? MemoryRelief => null;

    /// <summary>
    /// True for a role whose peers make it keep much and little data by turns: free memory is then returned to the system, which pauses the run for a
    /// moment.
    /// </summary>
    public virtual bool GivesMemoryBack => false;

    /// <summary>The time at which the run ends by itself; null while it is not known.</summary>
    public abstract long? EndNanos { get; }

    /// <summary>Lines that the summary must contain. After the threads have ended.</summary>
    public virtual IEnumerable<string> Notes => [];

    /// <summary>The option that changes what a notice of a library is about: libraries know no options.</summary>
    public virtual IReadOnlyDictionary<NoticeKind, string> OptionsOfNotices => OptionsOfConnections;

    /// <summary>Those of the notices of every connection.</summary>
    protected static IReadOnlyDictionary<NoticeKind, string> OptionsOfConnections { get; } = new Dictionary<NoticeKind, string>
    {
        [ConnectionNotices.Refused] = "-maxConnections",
        [ConnectionNotices.PackTooLarge] = "-packBufSize",
    };

    /// <summary>
    /// Performs the last steps before the threads start: prints the first lines for the user, warms up, prints where it listens.
    /// </summary>
    public abstract void Begin(RunConsole console, long nowNanos);

    /// <summary>Runs a worker to its end. On the worker's thread.</summary>
    /// <param name="worker">From 0.</param>
    public virtual void RunWorker(int worker) => workers[worker].Run();

    /// <summary>Returns the name of a worker's thread.</summary>
    /// <param name="worker">From 0.</param>
    public virtual string NameOfThread(int worker) => string.Create(CultureInfo.InvariantCulture, $"worker {worker + 1}");

    /// <summary>Requests the end of its threads.</summary>
    public virtual void RequestEnd()
    {
        foreach (Worker worker in workers)
            worker.RequestEnd();
    }

    /// <summary>Accepts connections, or just waits.</summary>
    public virtual void RunTurn(TimeSpan limit, CancellationToken stop) => stop.WaitHandle.WaitOne(limit);

    /// <summary>Returns the role's JSON lines since the last call, in addition to those of collections.</summary>
    public virtual IReadOnlyList<Action<Stream>> DequeueJsonLines() => [];

    /// <summary>Prints what its threads have reported since the last call; the last one follows their end.</summary>
    public virtual void ShowEvents()
    {
    }

    /// <summary>Returns the figures of each size that was completed since the last call; only where nothing is collected at intervals.</summary>
    public virtual IReadOnlyList<Figures> DequeueSizes() => [];

    /// <summary>Returns the outcome, if the run ends now; null while it goes on.</summary>
    public abstract RunOutcome? FindEnd(long nowNanos);

    /// <summary>Stops storing data that the results do not need, because the run ends for lack of memory.</summary>
    public virtual void StopKeeping()
    {
    }

    /// <summary>Frees all data that the results do not need, once the threads have ended.</summary>
    public virtual void Release()
    {
    }

    /// <summary>The clock of the host whose stamps it measures; null when it is this host's. Disposed with the role.</summary>
    protected SenderClock? SenderClock { get; init; }

    /// <summary>Notes that an interval of a worker was collected: its samples are the last intervals of its recording.</summary>
    /// <param name="worker">From 0.</param>
    /// <param name="interval">The counts of the interval.</param>
    public virtual void Collected(int worker, CounterSnapshot interval) => SenderClock?.Collected(worker, interval);

    /// <summary>True once samples of the whole run were moved: they are not the sum of its intervals then. After <see cref="Complete"/>.</summary>
    public virtual bool HasMovedSamples => SenderClock?.HasMoved == true;

    /// <summary>Adds to the outcome what only the end of the connections shows; the first failure stays. After the threads have ended.</summary>
    public virtual RunOutcome Complete(RunOutcome outcome) => outcome;

    /// <summary>Adds the role's data outside its workers' recordings to figures of an interval or of the whole run.</summary>
    /// <remarks>Workers are numbered from 0; null is all together.</remarks>
    public virtual Figures Describe(Figures figures, int? worker, bool isWhole) =>
        SenderClock is null ? figures : SenderClock.Describe(figures, isWhole);

    /// <summary>Adds the role's data outside its workers' recordings to the summary.</summary>
    public virtual RunSummary Describe(RunSummary summary) => summary;

    /// <summary>False for a run whose figures are not compared with the thresholds of <c>-assert</c>, because it is incomplete.</summary>
    public virtual bool IsComparable(RunSummary summary) => true;

    /// <summary>Writes the summary.</summary>
    public virtual void WriteSummary(TextWriter writer, RunSummary summary) => report.WriteSummary(writer, summary);

    /// <summary>Disposes the role's resources, the workers last.</summary>
    public virtual void Dispose()
    {
        SenderClock?.Dispose();
        foreach (Worker worker in workers)
            worker.Dispose();
    }

    /// <summary>Creates the workers that the options require, each with a recording.</summary>
    /// <param name="run">Their number and their options.</param>
    /// <param name="createRecording">Creates the recording of a worker.</param>
    /// <param name="maxMessagesPerTurn">Messages of a connection that a worker reads in a turn; null for the default.</param>
    protected static IReadOnlyList<Worker> CreateWorkers(
        RunOptions run, Func<WorkerRecording> createRecording, int? maxMessagesPerTurn = null)
    {
        WorkerOptions options = new() { TickRate = run.TickRate, BusyRead = run.BusyRead };
        if (maxMessagesPerTurn is { } most)
            options = options with { MaxMessagesPerTurn = most };
        return CreateWorkers(options, run.Threads.Count, createRecording);
    }

    /// <summary>Creates workers of the same options, each with a recording; they are numbered from 0.</summary>
    protected static IReadOnlyList<Worker> CreateWorkers(WorkerOptions options, int count, Func<WorkerRecording> createRecording) =>
        [.. Enumerable.Range(0, count).Select(number => new Worker(options with { Number = number }, createRecording(), network: null))];

    /// <summary>Returns the outcome of a client's run without a connection, present or future; null while one may follow.</summary>
    /// <param name="refusals">Of each connection the reason why no further attempt is made; null while attempts continue.</param>
    protected static RunOutcome? FindRefusal(IEnumerable<string?> refusals) =>
        refusals.FirstOrDefault(reason => reason is not null) is { } refusal
            ? new RunOutcome(ExitCode.NotStarted, $"cannot connect: {refusal}") : null;

    /// <summary>Creates the recording of a worker, with a buffer for its latency file when one is written.</summary>
    protected static WorkerRecording CreateRecording(RunOptions run, LatencyUnit lagUnit = LatencyUnit.Microseconds) => new(lagUnit: lagUnit)
    {
        LatencyRecords = run.LatencyFile is null ? null : new RecordRing<LatencyRecord>(LatencyRecordsKept),
    };
}
