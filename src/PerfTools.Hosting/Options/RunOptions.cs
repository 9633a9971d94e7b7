using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>Ticks, threads and result files: the options that all tools share. Immutable; vary it with <c>with</c>.</summary>
internal sealed record RunOptions
{
    private readonly ThreadPlan? _listed; // null for the usual ones

    /// <summary>Bursts per second, 1 or more. <c>-tickRate</c></summary>
    public int TickRate { get; init; } = 1000;

    /// <summary>Worker threads of a tool that was given neither <c>-threads</c> nor <c>-bindThread</c>.</summary>
    public ThreadPlan UsualThreads { get; init; } = ThreadPlan.OneUnbound;

    /// <summary>Number of worker threads.</summary>
    public int ThreadCount => Threads.Count;

    /// <summary>Worker threads as listed. <c>-threads</c></summary>
    public ThreadPlan ListedThreads
    {
        get => _listed ?? UsualThreads;
        init => _listed = value == UsualThreads ? null : value;
    }

    /// <summary>Stamps messages with the time when their tick was due instead of the time when they were encoded. <c>-stamp</c></summary>
    public bool StampsDue { get; init; }

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

    /// <summary>Base name of the files with histograms; null for none. <c>-hlogFile</c></summary>
    public string? HistogramFile { get; init; }

    /// <summary>Seconds between two collections, 1 or more. <c>-writeStatsInterval</c></summary>
    public int WriteStatsInterval { get; init; } = 5;

    /// <summary>Prints no statistics during the run. <c>-noDisplayStats</c></summary>
    public bool NoDisplayStats { get; init; }

    /// <summary>Shows CPU use in percent of one core instead of the whole machine. <c>-cpuPerCore</c></summary>
    public bool CpuPerCore { get; init; }

    /// <summary>The thresholds that the result must keep; null for none. <c>-assert</c></summary>
    public IReadOnlyList<Threshold>? Thresholds { get; init; }

    /// <summary>The rotation of files of statistics, latencies or JSON lines; null for none. <c>-rotate</c></summary>
    public FileRotation? Rotation { get; init; }

    /// <summary>Open files that the system must allow; null for the number that the role needs. <c>-maxFiles</c></summary>
    public int? MaxFiles { get; init; }

    /// <summary>This process's part of the items. <c>-part</c></summary>
    public RunPart Part { get; init; } = RunPart.Whole;

    /// <summary>The course of the rate over time; null for a constant rate. <c>-rateProfile</c></summary>
    public RateProfile? RateProfile { get; init; }

    /// <summary>Number of worker threads of all parts; those of this process come after <see cref="FirstThread"/> others.</summary>
    public int AllThreads => Part.Count * Threads.Count;

    /// <summary>The number of this process's first worker thread among those of all parts, from 0.</summary>
    public int FirstThread => (Part.Number - 1) * Threads.Count;

    /// <summary>The worker threads of the run.</summary>
    public ThreadPlan Threads => BindThread is int processor ? ThreadPlan.BoundTo(processor) : ListedThreads;

    /// <summary>Returns these options with another default of the threads: a number of them, none bound to a processor.</summary>
    public RunOptions WithUsualThreads(int count) => this with { UsualThreads = ThreadPlan.Unbounded(count) };

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { BindThread: < ThreadBinding.Unbound } => "-bindThread must be a CPU number or -1",
        { BindThread: not null, _listed: { Count: > 1 } or { BindsAny: true } } =>
            "-bindThread binds a single thread: leave -threads out",
        { RateProfile: { } profile } o when profile.Rates.Any(rate => rate != 0 && rate < o.TickRate) =>
            "-rateProfile must name rates that are 0 or at least -tickRate",
        _ => ListedThreads.FindProblem(),
    };
}

/// <summary>The words of <c>-stamp</c>.</summary>
internal static class StampWords
{
    public const string Sent = "sent";
    public const string Due = "due";

    /// <summary>Each word, and whether it means the due time.</summary>
    public static IReadOnlyList<ChoiceWord<bool>> All { get; } = [new(Sent, false), new(Due, true)];
}

/// <summary>Adds the options about ticks, threads and files to a tool's table; the tool chooses which, and in which order.</summary>
/// <remarks>A display returns the text for the block of test inputs, null as typed; a default text is the help's text for the default.</remarks>
/// <typeparam name="T">The options record of the tool.</typeparam>
internal sealed class RunRows<T>(OptionTable<T> table, Func<T, RunOptions> get, Func<T, RunOptions, T> set)
    where T : class
{
    private readonly OptionRows<T, RunOptions> _rows = table.Part(get, set);

    public void TickRate() =>
        _rows.Number("-tickRate", "n", "bursts per second", r => r.TickRate, (r, v) => r with { TickRate = v })
            .AtLeast(1).As("Tick Rate").In(HelpGroup.Rates);

    /// <summary>Adds the course of a rate.</summary>
    /// <param name="what">The messages, in the plural.</param>
    /// <param name="constant">The option of the constant rate.</param>
    public void RateProfile(string what = "updates", string constant = "-updateRate") =>
        _rows.Custom("-rateProfile", "list", "a list of rate:seconds and from-to:seconds such as 100000:10,200000-400000:30",
            $"{what} per second per connection in steps, instead of {constant}: rate:seconds, or from-to:seconds for a ramp; the last rate stays",
            r => r.RateProfile?.ToString(),
            (r, s) => PerfCommon.Measurement.RateProfile.TryParse(s) is { } v ? r with { RateProfile = v } : null)
            .As("Rate Profile").In(HelpGroup.Rates);

    public void Threads(string label = "Thread Count") =>
        _rows.Custom("-threads", "list", "a number of threads from 1, -1, or a list of CPU numbers such as 1,3",
            $"worker threads: thread count (max {ThreadPlan.MaxThreads}) or CPUs to pin to, e.g. 1,3 (-1: not pinned)",
            r => r.ListedThreads.ToString(), (r, s) => ThreadPlan.TryParse(s, out ThreadPlan? v) ? r with { ListedThreads = v! } : null)
            .As(label, o => Describe(get(o).Threads)).In(HelpGroup.Common);

    public void BindThread() =>
        _rows.OptionalNumber("-bindThread", "cpu", "pin the single worker thread to this CPU",
            r => r.BindThread, (r, v) => r with { BindThread = v }).As("Bind Thread");

    public void Part() =>
        _rows.Custom("-part", "i/n", "a part such as 2/3", "this process is part i of n: the items are divided among the threads of all",
            r => r.Part.ToString(),
            (r, s) => RunPart.TryParse(s, out RunPart v) ? r with { Part = v } : null).As("Part").In(HelpGroup.Common);

    public void BusyRead() =>
        _rows.Switch("-busyRead", "poll for input instead of waiting for it (takes a whole processor)",
            r => r.BusyRead, (r, v) => r with { BusyRead = v }).As("Busy Read");

    public void Stamp() =>
        _rows.Choice("-stamp", "time", "timestamp source: sent (when encoded) or due (when scheduled)",
            StampWords.All,
            r => r.StampsDue, (r, v) => r with { StampsDue = v }).As("Stamp").In(HelpGroup.Rates);

    public void SummaryFile(Func<T, string?>? display = null, string? defaultText = null, params string[] synonyms) =>
        _rows.Text("-summaryFile", "file", "file for the summary", r => r.SummaryFile, (r, v) => r with { SummaryFile = v }, synonyms)
            .As("Summary File", display).DefaultsTo(defaultText).In(HelpGroup.Files);

    public void StatsFile(Func<T, string>? display = null, string? defaultText = null, params string[] synonyms) =>
        _rows.Text("-statsFile", "base", "base name of the statistics files, one per thread",
            r => r.StatsFile, (r, v) => r with { StatsFile = v }, synonyms).As("Stats File", display).DefaultsTo(defaultText)
            .In(HelpGroup.Files);

    public OptionRow<T> LatencyFile(string label) =>
        _rows.Text("-latencyFile", "base", "base name of the files with every latency, one per thread",
            r => r.LatencyFile, (r, v) => r with { LatencyFile = v }).As(label).In(HelpGroup.Files);

    public void WriteStatsInterval() =>
        _rows.Number("-writeStatsInterval", "s", "seconds between two rows of statistics",
            r => r.WriteStatsInterval, (r, v) => r with { WriteStatsInterval = v }).AtLeast(1).As("Write Stats Interval")
            .In(HelpGroup.Files);

    /// <param name="on">The text that the guide's sample of the tool shows while statistics are printed.</param>
    /// <param name="off">The text of the opposite.</param>
    public void DisplayStats(string on = "Yes", string off = "No") =>
        _rows.Switch("-noDisplayStats", "print no statistics during the run",
            r => r.NoDisplayStats, (r, v) => r with { NoDisplayStats = v })
            .As("Display Stats", o => get(o).NoDisplayStats ? off : on).In(HelpGroup.Files);

    public void JsonFile() =>
        _rows.Text("-jsonFile", "file", "file for JSON lines, one per collection, the last with every figure",
            r => r.JsonFile, (r, v) => r with { JsonFile = v }).As("JSON File").In(HelpGroup.Files);

    public void HistogramFile() =>
        _rows.Text("-hlogFile", "base",
            "base name of the histograms of each series: of every collection (.hlog) and of the whole run (.hgrm)",
            r => r.HistogramFile, (r, v) => r with { HistogramFile = v }).As("Histogram Files").In(HelpGroup.Files);

    public void Rotate() =>
        _rows.Custom("-rotate", "size[,keep]", FileRotation.Kind,
            "statistics, latencies and JSON lines: rotate at this size, keep n old files (default 8)",
            r => r.Rotation?.ToString(),
            (r, s) => FileRotation.TryParse(s) is { } v ? r with { Rotation = v } : null).As("Rotate").In(HelpGroup.Files);

    public void MaxFiles() =>
        _rows.OptionalNumber("-maxFiles", "n", "open files that the system must allow; by default the number that is needed",
            r => r.MaxFiles, (r, v) => r with { MaxFiles = v }).AtLeast(1).As("Max Files");

    public void CpuPerCore() =>
        _rows.Switch("-cpuPerCore", "give CPU usage in percent of one core instead of the whole machine",
            r => r.CpuPerCore, (r, v) => r with { CpuPerCore = v }).As("CPU Per Core").In(HelpGroup.Files);

    /// <param name="metrics">The figures of <see cref="Threshold.Metrics"/> that the tool has.</param>
    public void Assert(IReadOnlyList<string> metrics) =>
        _rows.Custom("-assert", "list", Threshold.ListKind(metrics),
            $"thresholds that the result must keep, such as {Threshold.Example(metrics)}; names: {string.Join(", ", metrics)}",
            r => r.Thresholds is { } all ? string.Join(',', all) : null,
            (r, s) => Threshold.TryParseList(s, metrics) is { } v ? r with { Thresholds = v } : null)
            .As("Thresholds").In(HelpGroup.Files);

    private static string Describe(ThreadPlan plan) => plan.BindsAny ? $"{plan.Count} (CPU {plan})" : plan.ToString();
}
