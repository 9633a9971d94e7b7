using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>Writes the options about ticks, threads and files into a tool's table; the tool chooses which, and in which order.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="table">The table to write into.</param>
/// <param name="get">The run part of the tool's options.</param>
/// <param name="set">The tool's options with another run part.</param>
internal sealed class RunRows<T>(OptionTable<T> table, Func<T, RunOptions> get, Func<T, RunOptions, T> set)
    where T : class
{
    private readonly OptionRows<T, RunOptions> _rows = table.Part(get, set);

    /// <summary>Adds <c>-tickRate</c>.</summary>
    public void TickRate() =>
        _rows.Number("-tickRate", "n", "bursts per second", r => r.TickRate, (r, v) => r with { TickRate = v })
            .AtLeast(1).As("Tick Rate");

    /// <summary>Adds <c>-threads</c>.</summary>
    public void Threads() =>
        _rows.Threads("-threads", "list", $"worker threads: a number up to {ThreadPlan.MaxThreads}, or CPUs to bind them to such as 1,3 (-1 unbound)",
            r => r.ListedThreads, (r, v) => r with { ListedThreads = v }).As("Thread Count", o => Describe(get(o).Threads));

    /// <summary>Adds <c>-bindThread</c>.</summary>
    public void BindThread() =>
        _rows.OptionalNumber("-bindThread", "cpu", "bind the single worker thread to this CPU",
            r => r.BindThread, (r, v) => r with { BindThread = v }).As("Bind Thread");

    /// <summary>Adds <c>-busyRead</c>.</summary>
    public void BusyRead() =>
        _rows.Switch("-busyRead", "poll for input instead of waiting for it (takes a whole processor)",
            r => r.BusyRead, (r, v) => r with { BusyRead = v }).As("Busy Read");

    /// <summary>Adds <c>-summaryFile</c>.</summary>
    /// <param name="display">The value in the block of test inputs; null shows it as typed.</param>
    /// <param name="defaultText">What the help calls the default; null for the value of the defaults.</param>
    /// <param name="synonyms">Further names.</param>
    public void SummaryFile(Func<T, string>? display = null, string? defaultText = null, params string[] synonyms) =>
        _rows.Text("-summaryFile", "file", "file for the summary", r => r.SummaryFile, (r, v) => r with { SummaryFile = v }, synonyms)
            .As("Summary File", display).DefaultsTo(defaultText);

    /// <summary>Adds <c>-statsFile</c>.</summary>
    /// <param name="display">The value in the block of test inputs; null shows it as typed.</param>
    /// <param name="defaultText">What the help calls the default; null for the value of the defaults.</param>
    /// <param name="synonyms">Further names.</param>
    public void StatsFile(Func<T, string>? display = null, string? defaultText = null, params string[] synonyms) =>
        _rows.Text("-statsFile", "base", "base name of the statistics files, one per thread",
            r => r.StatsFile, (r, v) => r with { StatsFile = v }, synonyms).As("Stats File", display).DefaultsTo(defaultText);

    /// <summary>Adds <c>-latencyFile</c>.</summary>
    /// <param name="label">Its label in the block of test inputs.</param>
    public void LatencyFile(string label) =>
        _rows.Text("-latencyFile", "base", "base name of the files with every latency, one per thread",
            r => r.LatencyFile, (r, v) => r with { LatencyFile = v }).As(label);

    /// <summary>Adds <c>-writeStatsInterval</c>.</summary>
    public void WriteStatsInterval() =>
        _rows.Number("-writeStatsInterval", "s", "seconds between two rows of statistics",
            r => r.WriteStatsInterval, (r, v) => r with { WriteStatsInterval = v }).AtLeast(1).As("Write Stats Interval");

    /// <summary>Adds <c>-noDisplayStats</c>.</summary>
    public void DisplayStats() =>
        _rows.Switch("-noDisplayStats", "print no statistics while the run goes on",
            r => r.NoDisplayStats, (r, v) => r with { NoDisplayStats = v })
            .As("Display Stats", o => get(o).NoDisplayStats ? "No" : "Yes");

    /// <summary>Adds <c>-jsonFile</c>.</summary>
    public void JsonFile() =>
        _rows.Text("-jsonFile", "file", "file for JSON lines, one per collection, the last with every figure",
            r => r.JsonFile, (r, v) => r with { JsonFile = v }).As("JSON File");

    /// <summary>Adds <c>-assert</c>.</summary>
    public void Assert() =>
        _rows.Custom("-assert", "list", ThresholdList.Kind, $"thresholds that the result must keep, such as p99<=100,rate>=99000",
            r => r.Thresholds?.ToString(), (r, s) => ThresholdList.TryParse(s, out ThresholdList? v) ? r with { Thresholds = v } : null)
            .As("Thresholds");

    private static string Describe(ThreadPlan plan) => plan.BindsAny ? $"{plan.Count} (CPU {plan})" : plan.ToString();
}
