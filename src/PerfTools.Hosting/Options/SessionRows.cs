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
    private readonly OptionRows<T, SessionOptions> _rows = table.Part(get, set);

    /// <summary>Adds <c>-reactor</c>.</summary>
    /// <param name="label">Its label in the block of test inputs.</param>
    /// <param name="display">The value in the block; null shows yes or no.</param>
    public void Reactor(string label, Func<T, string>? display = null) =>
        _rows.Switch("-reactor", "use the event-driven session layer",
            s => s.Reactor, (s, v) => s with { Reactor = v }).As(label, display);

    /// <summary>Adds <c>-rtt</c> and <c>-nanoTime</c>.</summary>
    public void Times()
    {
        _rows.Switch("-rtt", "measure round trips every 5 s after login",
            s => s.RoundTrips, (s, v) => s with { RoundTrips = v }).As("Round Trip Times");
        _rows.Switch("-nanoTime", "stamps in nanoseconds; both sides must agree",
            s => s.NanoTime, (s, v) => s with { NanoTime = v }).As("Nanosecond Time");
    }

    /// <summary>Adds the options about the threads of the session layer.</summary>
    public void ReactorThreads()
    {
        _rows.Switch("-useUserDispatch", "with -reactor: run it on a thread of its own",
            s => s.UserDispatch, (s, v) => s with { UserDispatch = v }).As("Use User Dispatch");
        _rows.OptionalNumber("-mainThread", "cpu", "bind the statistics thread to this CPU",
            s => s.MainThread, (s, v) => s with { MainThread = v }).As("Main Thread CPU");
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
        _rows.Text("-emaConfig", "file", "EMA configuration that fills in defaults of the connection",
            s => s.EmaConfig, (s, v) => s with { EmaConfig = v }).As("EMA Configuration");
        _rows.Text(nameOption, "name", "section of the EMA configuration",
            s => s.EmaName, (s, v) => s with { EmaName = v }).As(nameLabel);
    }

    /// <summary>Adds <c>-fieldDict</c> and <c>-enumDict</c>.</summary>
    public void Dictionaries()
    {
        _rows.Text("-fieldDict", "file", "field dictionary in place of RDMFieldDictionary",
            s => s.FieldDictionary, (s, v) => s with { FieldDictionary = v })
            .As("Field Dictionary", o => get(o).FieldDictionary ?? "(use default)");
        _rows.Text("-enumDict", "file", "enumeration tables in place of enumtype.def",
            s => s.EnumDictionary, (s, v) => s with { EnumDictionary = v })
            .As("Enum Dictionary", o => get(o).EnumDictionary ?? "(use default)");
    }

    private OptionRow<T> ThreadList(
        string name, string help, Func<SessionOptions, ThreadPlan?> read, Func<SessionOptions, ThreadPlan, SessionOptions> write) =>
        _rows.Custom(name, "list", ThreadListKind, help, s => read(s)?.ToString(),
            (s, text) => ThreadPlan.TryParseProcessors(text, out ThreadPlan? plan) ? write(s, plan!) : null);
}
