using PerfCommon.Workers;

namespace PerfTools.Hosting.Options;

/// <summary>Options of the sister editions that every tool with sessions of its own knows. Immutable; vary it with <c>with</c>.</summary>
internal sealed record SessionOptions
{
    /// <summary>Stamps in nanoseconds instead of microseconds; both sides must agree. <c>-nanoTime</c></summary>
    public bool NanoTime { get; init; }

    /// <summary>Measures round trips every 5 s after login. <c>-rtt</c></summary>
    public bool RoundTrips { get; init; }

    /// <summary>Uses the event-driven session layer. <c>-reactor</c></summary>
    public bool Reactor { get; init; }

    /// <summary>Runs that layer on its own thread. <c>-useUserDispatch</c></summary>
    public bool UserDispatch { get; init; }

    /// <summary>Processor of the statistics thread; null for none. <c>-mainThread</c></summary>
    public int? MainThread { get; init; }

    /// <summary>Processors of the dispatch threads; null for none. <c>-apiThreads</c></summary>
    public ThreadPlan? ApiThreads { get; init; }

    /// <summary>Processors of the worker threads of the session layer; null for none. <c>-workerThreads</c></summary>
    public ThreadPlan? WorkerThreads { get; init; }

    /// <summary>EMA configuration file that fills in defaults; null for none. <c>-emaConfig</c></summary>
    public string? EmaConfig { get; init; }

    /// <summary>Section of that file; null for its default. <c>-consumerName</c>, <c>-providerName</c></summary>
    public string? EmaName { get; init; }

    /// <summary>Field dictionary; null to look for RDMFieldDictionary. <c>-fieldDict</c></summary>
    public string? FieldDictionary { get; init; }

    /// <summary>Enumeration tables; null to look for enumtype.def. <c>-enumDict</c></summary>
    public string? EnumDictionary { get; init; }

    /// <summary>The first option that asks for something not built yet; null when there is none.</summary>
    public string? FindUnavailable() => this switch
    {
        { NanoTime: true } => "-nanoTime",
        { RoundTrips: true } => "-rtt",
        { Reactor: true } => "-reactor",
        { UserDispatch: true } => "-useUserDispatch",
        { MainThread: not null } => "-mainThread",
        { ApiThreads: not null } => "-apiThreads",
        { WorkerThreads: not null } => "-workerThreads",
        { EmaConfig: not null } => "-emaConfig",
        _ => null,
    };

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { MainThread: < ThreadPlan.Unbound } => "-mainThread must be a CPU number or -1",
        { UserDispatch: true, Reactor: false } => "-useUserDispatch needs -reactor",
        { ApiThreads: not null, Reactor: false } => "-apiThreads needs -reactor",
        { WorkerThreads: not null, Reactor: false } => "-workerThreads needs -reactor",
        { EmaName: not null, EmaConfig: null } => "a section of the EMA configuration needs -emaConfig",
        _ => null,
    };
}
