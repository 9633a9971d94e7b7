using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;
namespace PerfTools.Hosting.Options;

/// <summary>Writes the session options into a tool's table.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="table">The table to write into.</param>
/// <param name="get">The session part of the tool's options.</param>
/// <param name="set">The tool's options with another session part.</param>
internal sealed class SessionRows<T>(OptionTable<T> table, Func<T, SessionOptions> get, Func<T, SessionOptions, T> set)
    where T : class
{
    private const string ThreadListKind = "a list of CPU numbers such as 1,3, or -1";

    /// <summary>Adds <c>-reactor</c>.</summary>
    /// <param name="label">Its label in the block of test inputs.</param>
    /// <param name="display">The value in the block; null shows yes or no.</param>
    public void Reactor(string label, Func<T, string>? display = null) =>
        table.Switch("-reactor", "use the event-driven session layer",
            o => get(o).Reactor, (o, v) => set(o, get(o) with { Reactor = v })).As(label, display);

    /// <summary>Adds <c>-rtt</c> and <c>-nanoTime</c>.</summary>
    public void Times()
    {
        table.Switch("-rtt", "measure round trips every 5 s after login",
            o => get(o).RoundTrips, (o, v) => set(o, get(o) with { RoundTrips = v })).As("Round Trip Times");
        table.Switch("-nanoTime", "stamps in nanoseconds; both sides must agree",
            o => get(o).NanoTime, (o, v) => set(o, get(o) with { NanoTime = v })).As("Nanosecond Time");
    }

    /// <summary>Adds the options about the threads of the session layer.</summary>
    public void ReactorThreads()
    {
        table.Switch("-useUserDispatch", "with -reactor: run it on a thread of its own",
            o => get(o).UserDispatch, (o, v) => set(o, get(o) with { UserDispatch = v })).As("Use User Dispatch");
        table.OptionalNumber("-mainThread", "cpu", "bind the statistics thread to this CPU",
            o => get(o).MainThread, (o, v) => set(o, get(o) with { MainThread = v })).As("Main Thread CPU");
        ThreadList("-apiThreads", "with -reactor: CPUs of its dispatch threads", s => s.ApiThreads, (s, v) => s with { ApiThreads = v })
            .As("API Threads");
        ThreadList("-workerThreads", "with -reactor: CPUs of its worker threads", s => s.WorkerThreads, (s, v) => s with { WorkerThreads = v })
            .As("Worker Threads");
    }

    /// <summary>Adds <c>-emaConfig</c> and the option that names a section of it.</summary>
    /// <param name="nameOption">The name of the latter, with one dash.</param>
    /// <param name="nameLabel">Its label in the block of test inputs.</param>
    public void Ema(string nameOption, string nameLabel)
    {
        table.Text("-emaConfig", "file", "EMA configuration that fills in defaults of the connection",
            o => get(o).EmaConfig, (o, v) => set(o, get(o) with { EmaConfig = v })).As("EMA Configuration");
        table.Text(nameOption, "name", "section of the EMA configuration",
            o => get(o).EmaName, (o, v) => set(o, get(o) with { EmaName = v })).As(nameLabel);
    }

    /// <summary>Adds <c>-fieldDict</c> and <c>-enumDict</c>.</summary>
    public void Dictionaries()
    {
        table.Text("-fieldDict", "file", "field dictionary in place of RDMFieldDictionary",
            o => get(o).FieldDictionary, (o, v) => set(o, get(o) with { FieldDictionary = v }))
            .As("Field Dictionary", o => get(o).FieldDictionary ?? "(use default)");
        table.Text("-enumDict", "file", "enumeration tables in place of enumtype.def",
            o => get(o).EnumDictionary, (o, v) => set(o, get(o) with { EnumDictionary = v }))
            .As("Enum Dictionary", o => get(o).EnumDictionary ?? "(use default)");
    }

    private OptionRow<T> ThreadList(
        string name, string help, Func<SessionOptions, ThreadPlan?> read, Func<SessionOptions, ThreadPlan, SessionOptions> write) =>
        table.Custom(name, "list", ThreadListKind, help, o => read(get(o))?.ToString(),
            (o, s) => ThreadPlan.TryParseProcessors(s, out ThreadPlan? plan) ? set(o, write(get(o), plan!)) : null);
}
