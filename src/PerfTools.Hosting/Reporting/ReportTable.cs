using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>Every figure that one tool reports, one row each, in the order of its summary.</summary>
/// <remarks>
/// Other orders follow from properties of the rows: columns and console lines from the guide's numbers; JSON from <see cref="IntervalParts"/> and
/// <see cref="FinalParts"/>, in which counts follow <see cref="Counter"/>, latencies <see cref="Series"/>. So a new counter is a member of <see
/// cref="Counter"/>, or of the role's own, and a row.
/// </remarks>
/// <param name="tool">The tool's name in the JSON lines.</param>
internal sealed partial class ReportTable(string tool)
{
    /// <summary>The JSON object that holds every count.</summary>
    public const string Counts = "counts";

    /// <summary>The JSON object that holds every gauge.</summary>
    public const string Gauges = "gauges";

    private readonly List<ReportSection> _sections = [];

    public string Tool => tool;

    /// <summary>Title of a worker in the summary; {0} is its number.</summary>
    public string SummaryThread { get; init; } = "THREAD {0}";

    /// <summary>Prefix of one of several workers on the console; {0} is its number.</summary>
    public string ConsoleThread { get; init; } = "Thread {0}:";

    /// <summary>Name of the processor and memory samples in the summary: the guide's tools differ in a letter.</summary>
    public string ResourceSamples { get; init; } = "CPU/Memory Samples";

    /// <summary>Start of console lines; {0} is the second.</summary>
    public string ConsoleSecond { get; init; } = "{0:D3}:";

    /// <summary>The events between which measuring is undisturbed: the start-up is before it.</summary>
    public required (Moment From, Moment To) Steady { get; init; }

    /// <summary>Shows CPU use in percent of one core instead of the whole machine. <c>-cpuPerCore</c></summary>
    public bool CpuPerCore { get; init; }

    /// <summary>The rows that have a value for each size of message, of a tool that measures one after the other; null for none.</summary>
    public ReportTable? Sizes { get; init; }

    /// <summary>Order of the parts in the JSON line of a collection.</summary>
    public JsonPart[] IntervalParts { get; init; } = Enum.GetValues<JsonPart>();

    /// <summary>Order of the parts in the final JSON line.</summary>
    public JsonPart[] FinalParts { get; init; } = Enum.GetValues<JsonPart>();

    // in the order of the summary
    public IReadOnlyList<ReportSection> Sections => _sections;
    public IEnumerable<ReportRow> Rows => _sections.SelectMany(section => section.Rows);

    /// <summary>Rows of the run as a whole.</summary>
    public IEnumerable<ReportRow> OverallRows => _sections.Where(section => section.IsOverallOnly).SelectMany(section => section.Rows);

    /// <summary>Begins a section of the summary.</summary>
    /// <param name="heading">Its heading; null continues without one.</param>
    public void Section(string? heading = null) => _sections.Add(new(heading));

    /// <summary>Begins a section that a run may not reach.</summary>
    public void Section(string heading, Func<Figures, bool> isReached, string whenNotReached) =>
        _sections.Add(new(heading, isReached, whenNotReached));

    /// <summary>Places the processor and memory lines here and begins the rows of the run as a whole, up to the next section.</summary>
    public void Overall() => _sections.Add(new(null) { IsOverallOnly = true });

    /// <summary>Adds a count, or the sum of several: part of the JSON counts in any case.</summary>
    public ReportRow Count(string jsonName, params Counter[] counters) =>
        Add(new CountValue(counters)).Json($"{Counts}.{jsonName}");

    /// <summary>Adds a gauge, part of the JSON gauges in any case.</summary>
    public ReportRow Gauge(string jsonName, Gauge gauge) => Number(f => f[gauge]).Json($"{Gauges}.{jsonName}")
        .IsSum();

    /// <summary>Adds a figure derived from others; null hides it.</summary>
    public ReportRow Number(Func<Figures, double?> get) => Number(get, get);

    /// <summary>Adds a figure that is derived in one way for an interval, in another for the run; null for the run hides it.</summary>
    public ReportRow Number(Func<Figures, double?> ofInterval, Func<Figures, double?> ofRun) =>
        Add(new FigureValue(f => ofInterval(f), f => ofRun(f)));

    /// <summary>Adds the rate of a counter in the run, or in a part of it.</summary>
    public ReportRow RunRate(Counter counter, Func<Figures, double> seconds) =>
        Number(f => InvariantText.PerSecond(f[counter], seconds(f)));

    public ReportRow Flag(Func<Figures, bool> get) => Add(new FigureValue(f => get(f), f => get(f)));

    /// <summary>Adds a series of samples, or those of one phase.</summary>
    public ReportRow Latency(Series series, RunPhase? phase = null) => Add(new LatencyValue(series, phase));

    /// <summary>
    /// Adds the CPU use of the process in an interval, and for JSON that of the workers' threads and the processors they ran on.
    /// </summary>
    public ReportRow Cpu()
    {
        Number(f => f.CoreCpuPercent).Json("coreCpuPercent").Called("CPU of the worker threads, of one core")
            .Is(FigureKind.Share, "%", FigureMerge.Sum).LowerIsBetter();
        Add(new PlacementValue()).Json("placement");
        return Number(f => CpuPerCore ? f.Process.CoreCpuPercent : f.Process.CpuPercent);
    }

    /// <summary>Adds the memory of the process in an interval, in megabytes.</summary>
    public ReportRow Memory() => Number(f => f.Process.MemoryMegabytes);

    public ReportRow Images() => Add(new ImagesValue());

    /// <summary>Adds a figure based on samples; null for too few of them, which is shown.</summary>
    public ReportRow Sample(Func<Figures, double?> get, Func<Figures, long> samples) => Add(new SampleValue(get, samples));

    /// <summary>Adds a member of JSON lines that is no figure.</summary>
    public ReportRow Member(string name, Action<Utf8JsonWriter, string, Figures> write) => Add(new MemberValue(write)).Final(name);

    /// <summary>Returns the figure that <c>-assert</c> names.</summary>
    public AssertedFigure FindFigure(Figures figures, string metric) =>
        Rows.FirstOrDefault(row => row.Metrics.Contains(metric))?.FindFigure(figures, metric) ?? default;

    /// <summary>Adds a row with a value of the tool's own.</summary>
    public ReportRow Add(ReportValue value)
    {
        ReportRow row = new(value);
        _sections[^1].Rows.Add(row);
        return row;
    }
}
