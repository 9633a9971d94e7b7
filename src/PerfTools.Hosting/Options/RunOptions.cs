using PerfCommon.Workers;

namespace PerfTools.Hosting.Options;

/// <summary>Ticks, threads and files of results: what is alike in all tools. Immutable; vary it with <c>with</c>.</summary>
internal sealed record RunOptions
{
    /// <summary>Bursts per second, 1 or more. <c>-tickRate</c></summary>
    public int TickRate { get; init; } = 1000;

    /// <summary>Worker threads as listed. <c>-threads</c></summary>
    public ThreadPlan ListedThreads { get; init; } = ThreadPlan.OneUnbound;

    /// <summary>Processor of a single worker thread; null for none. <c>-bindThread</c></summary>
    public int? BindThread { get; init; }

    /// <summary>Polls instead of waiting. <c>-busyRead</c></summary>
    public bool BusyRead { get; init; }

    /// <summary>File for the summary. <c>-summaryFile</c></summary>
    public string SummaryFile { get; init; } = "";

    /// <summary>Base name of the statistics files. <c>-statsFile</c></summary>
    public string StatsFile { get; init; } = "";

    /// <summary>Base name of the latency files; null for none. <c>-latencyFile</c></summary>
    public string? LatencyFile { get; init; }

    /// <summary>File for JSON lines; null for none. <c>-jsonFile</c></summary>
    public string? JsonFile { get; init; }

    /// <summary>Seconds between two collections, 1 or more. <c>-writeStatsInterval</c></summary>
    public int WriteStatsInterval { get; init; } = 5;

    /// <summary>Prints no statistics while the run goes on. <c>-noDisplayStats</c></summary>
    public bool NoDisplayStats { get; init; }

    /// <summary>What the result must reach; null for nothing. <c>-assert</c></summary>
    public ThresholdList? Thresholds { get; init; }

    /// <summary>The worker threads of the run.</summary>
    public ThreadPlan Threads => BindThread is int processor ? ThreadPlan.BoundTo(processor) : ListedThreads;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { BindThread: < ThreadPlan.Unbound } => "-bindThread must be a CPU number or -1",
        { BindThread: not null } o when o.ListedThreads.Count > 1 || o.ListedThreads.BindsAny => "-bindThread binds a single thread: leave -threads out",
        _ => ListedThreads.FindProblem(),
    };
}
