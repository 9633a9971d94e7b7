using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>Options of the other editions that every tool with sessions has. Immutable; vary it with <c>with</c>.</summary>
internal sealed record SessionOptions
{
    /// <summary>Stamps in nanoseconds instead of microseconds; both sides must agree. <c>-nanoTime</c></summary>
    public bool NanoTime { get; init; }

    /// <summary>Measures round trips every 5 s after login. <c>-rtt</c></summary>
    public bool RoundTrips { get; init; }

    /// <summary>Uses the event-driven session layer. <c>-reactor</c></summary>
    public bool Reactor { get; init; }

    /// <summary>Waits before a lost connection is retried. <c>-reconnectDelay</c></summary>
    public ReconnectDelay Reconnect { get; init; } = ReconnectDelay.Usual;

    /// <summary>Dispatches that layer on the worker's thread instead of a separate one. <c>-useUserDispatch</c></summary>
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

    /// <summary>Uses the provider's dictionary even where there are files in the working directory, as the EMA configuration demands.</summary>
    public bool DownloadsDictionary { get; init; }

    /// <summary>Messages of a connection that its thread reads in a turn, from the EMA configuration; null where it sets no limit.</summary>
    public int? MaxDispatchOfApi { get; init; }

    /// <summary>The same limit with <c>-useUserDispatch</c>, from the EMA configuration; null where it sets no limit.</summary>
    public int? MaxDispatchOfUser { get; init; }

    /// <summary>The limit in force of these two; null for the default.</summary>
    public int? MaxDispatch => UserDispatch ? MaxDispatchOfUser : MaxDispatchOfApi;

    /// <summary>The parts of the EMA configuration that are not used; null for none.</summary>
    public string? EmaUnused { get; init; }

    /// <summary>Notes for the user before the run, one sentence each: options without effect, unused parts of a file.</summary>
    public IEnumerable<string> Notes => new[]
    {
        UserDispatch && ApiThreads is not null
            ? "-apiThreads: no effect with -useUserDispatch, -threads says where it is dispatched" : null,
        WorkerThreads is not null && (UserDispatch || ApiThreads is not null)
            ? $"-workerThreads: no effect with {(UserDispatch ? "-useUserDispatch" : "-apiThreads")}, a reactor has one thread" : null,
        EmaUnused is null ? null : $"{EmaConfig}: not used: {EmaUnused}",
    }.OfType<string>();

    /// <summary>
    /// Returns the processor of the reactor thread of a worker, or <see cref="ThreadBinding.Unbound"/>; null where the worker's thread dispatches it.
    /// </summary>
    /// <param name="worker">Number of the worker, from 0.</param>
    public int? ReactorProcessorOf(int worker) => UserDispatch
        ? null : (ApiThreads ?? WorkerThreads) is { } plan && worker < plan.Count ? plan.Processors[worker] : ThreadBinding.Unbound;

    /// <summary>The processors that are given in addition to <c>-threads</c>.</summary>
    public IEnumerable<ThreadPlan> FurtherThreads =>
        new[] { ApiThreads, WorkerThreads, MainThread is { } main ? ThreadPlan.BoundTo(main) : null }.OfType<ThreadPlan>();

    /// <summary>Field dictionary; null to look for RDMFieldDictionary. <c>-fieldDict</c></summary>
    public string? FieldDictionary { get; init; }

    /// <summary>Enumeration tables; null to look for enumtype.def. <c>-enumDict</c></summary>
    public string? EnumDictionary { get; init; }

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { MainThread: < ThreadBinding.Unbound } => "-mainThread must be a CPU number or -1",
        { UserDispatch: true, Reactor: false } => "-useUserDispatch needs -reactor",
        { Reactor: false } o when o.Reconnect != ReconnectDelay.Usual => "-reconnectDelay needs -reactor",
        { ApiThreads: not null, Reactor: false } => "-apiThreads needs -reactor",
        { WorkerThreads: not null, Reactor: false } => "-workerThreads needs -reactor",
        { EmaName: not null, EmaConfig: null } => "a section of the EMA configuration needs -emaConfig",
        _ => null,
    };
}

/// <summary>Adds the session options to a tool's table.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
internal sealed class SessionRows<T>(OptionTable<T> table, Func<T, SessionOptions> get, Func<T, SessionOptions, T> set)
    where T : class
{
    private readonly OptionRows<T, SessionOptions> _rows = table.Part(get, set);

    public OptionRow<T> Reactor(string label, Func<T, string>? display = null) =>
        _rows.Switch("-reactor", "reconnect after a lost connection, after 0.5 to 30 s, and request everything again",
            s => s.Reactor, (s, v) => s with { Reactor = v }).As(label, display);

    public OptionRow<T> ServingReactor(string label) =>
        _rows.Switch("-reactor",
            "dispatch the connections by a reactor, on a separate thread; clients may reconnect with and without it",
            s => s.Reactor, (s, v) => s with { Reactor = v }).As(label);

    public void ReconnectDelay() =>
        _rows.Custom("-reconnectDelay", "ms[,max]", "milliseconds such as 500, or the first wait and the longest such as 500,30000",
            "with -reactor: delay before reconnecting, doubled up to the maximum; a single number stays constant",
            s => s.Reconnect.ToString(), (s, text) => Options.ReconnectDelay.TryParse(text) is { } v ? s with { Reconnect = v } : null)
            .As("Reconnect Delay", o => $"{get(o).Reconnect} msec");

    public void Times()
    {
        _rows.Switch("-rtt", "measure round trips every 5 s after login",
            s => s.RoundTrips, (s, v) => s with { RoundTrips = v }).As("Round Trip Times");
        NanoTime();
    }

    public void NanoTime() =>
        _rows.Switch("-nanoTime", "stamps in nanoseconds; both sides must agree",
            s => s.NanoTime, (s, v) => s with { NanoTime = v }).As("Nanosecond Time");

    public void ReactorThreads()
    {
        _rows.Switch("-useUserDispatch", "with -reactor: dispatch on the threads of -threads instead of the reactor's threads",
            s => s.UserDispatch, (s, v) => s with { UserDispatch = v }).As("Use User Dispatch");
        _rows.OptionalNumber("-mainThread", "cpu", "pin the statistics thread to this CPU",
            s => s.MainThread, (s, v) => s with { MainThread = v }).As("Main Thread CPU");
        ThreadList("-apiThreads", "with -reactor: CPUs of its dispatch threads, one for each of -threads", s => s.ApiThreads,
            (s, v) => s with { ApiThreads = v })
            .As("API Threads");
        ThreadList("-workerThreads", "with -reactor: CPUs of its worker threads; they are its dispatch threads here", s => s.WorkerThreads,
            (s, v) => s with { WorkerThreads = v })
            .As("Worker Threads");
    }

    public void Ema(string nameOption, string nameLabel)
    {
        _rows.Text("-emaConfig", "file", "EMA configuration that fills in defaults of the connection",
            s => s.EmaConfig, (s, v) => s with { EmaConfig = v }).As("EMA Configuration");
        _rows.Text(nameOption, "name", "section of the EMA configuration",
            s => s.EmaName, (s, v) => s with { EmaName = v }).As(nameLabel);
    }

    public void Dictionaries()
    {
        _rows.Text("-fieldDict", "file", "field dictionary in place of RDMFieldDictionary",
            s => s.FieldDictionary, (s, v) => s with { FieldDictionary = v })
            .As("Field Dictionary", o => get(o).FieldDictionary ?? "(use default)").In(HelpGroup.Files);
        _rows.Text("-enumDict", "file", "enumeration tables in place of enumtype.def",
            s => s.EnumDictionary, (s, v) => s with { EnumDictionary = v })
            .As("Enum Dictionary", o => get(o).EnumDictionary ?? "(use default)").In(HelpGroup.Files);
    }

    private OptionRow<T> ThreadList(
        string name, string help, Func<SessionOptions, ThreadPlan?> read, Func<SessionOptions, ThreadPlan, SessionOptions> write) =>
        _rows.Custom(name, "list", "a list of CPU numbers such as 1,3, or -1", help, s => read(s)?.ToString(),
            (s, text) => ThreadPlan.TryParseProcessors(text, out ThreadPlan? plan) ? write(s, plan!) : null);
}
