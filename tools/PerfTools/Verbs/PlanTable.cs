using System.Globalization;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.ScenarioFiles;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary>Creates one table of the runs of a scenario file: what varies, then the verdict and the figures of each.</summary>
/// <param name="plan">The runs that were requested.</param>
/// <param name="runs">The completed runs, in their order.</param>
internal sealed class PlanTable(ScenarioPlan plan, IReadOnlyList<PlannedResult> runs)
{
    /// <summary>The name of its page in the folder of all runs.</summary>
    public const string FileName = "report.html";

    private const string UsersHead = "users";

    private static readonly (string Head, Func<RunDocument, string> Read)[] All =
    [
        ("verdict", run => run.Verdict),
        (UsersHead, run => run.Capacity is { } capacity ? Figure.Whole(capacity.Users) : "-"),
        ("rate/s", run => run.Figures is { } figures ? Figure.Whole(figures.RateReached) : "-"),
        ("p50 us", run => Figure.Micros(run.Figures?.LatencyMicros?.P50)),
        ("p99 us", run => Figure.Micros(run.Figures?.LatencyMicros?.P99)),
        ("images s", run => run.Figures?.Images is { } images ? Figure.Seconds(images.Seconds) : "-"),
        ("CPU, % of one core", run => OfRoles(run, role => role.CpuCorePercent, Figure.Percent)),
        ("memory, MB", run => OfRoles(run, role => role.MemoryMegabytes, Figure.Whole)),
    ];

    // The column names for what varies: the run's name where the file has several, the dimensions of the matrix, the ramp where there are ramps.
    private readonly string[] _varied =
    [
        .. plan.Runs.Any(run => run.Name is not null) ? ["run"] : Array.Empty<string>(),
        .. plan.Runs[0].Varied.Select(one => one.Name),
        .. HasRamps(plan) ? ["ramp"] : Array.Empty<string>(),
    ];

    private static bool HasRamps(ScenarioPlan plan) => plan.Runs.Any(run => run is PlannedRamps);

    // Only ramps have a capacity.
    private IEnumerable<(string Head, Func<RunDocument, string> Read)> Figures => All.Where(figure => figure.Head != UsersHead || HasRamps(plan));

    private IReadOnlyList<string> Heads => [.. _varied, .. Figures.Select(figure => figure.Head)];

    private IEnumerable<IReadOnlyList<string>> Rows => runs.Select(run => (IReadOnlyList<string>)
    [
        .. new[] { run.Run.Name }.OfType<string>(), .. run.Run.Varied.Select(one => one.Value),
        .. HasRamps(plan) ? [run.Ramp ?? "-"] : Array.Empty<string>(),
        .. Figures.Select(figure => figure.Read(run.Document)),
    ]);

    /// <summary>The table as lines of text.</summary>
    public IEnumerable<string> CreateText() => AlignedColumns.Create([Heads, .. Rows]);

    /// <summary>The table in Markdown.</summary>
    public void WriteMarkdown(TextWriter writer) =>
        Markdown.WriteTable(writer, Heads, Rows.Select(row => (IReadOnlyList<string>)[.. row.Select(Markdown.Escape)]),
            texts: _varied.Length + 1, endsWithText: false); // what varies, and the verdict

    /// <summary>The table as a page.</summary>
    public void WritePage(TextWriter writer) => ReportPage.Write(writer, new()
    {
        Title = plan.Name,
        Subtitle = runs.Count == 0 ? "" : string.Create(CultureInfo.InvariantCulture,
            $"{plan.Runs.Count} runs, {runs[0].Document.StartUtc:yyyy-MM-dd HH:mm:ss} UTC"),
        Verdict = null,
        Sentence = plan.Summary ?? "",
        Figures = [new("Runs", Heads, [.. Rows.Select(row => (IReadOnlyList<Cell>)[.. row.Select(text => (Cell)text)])])],
        Charts = [],
        Conditions = [],
    });

    private static string OfRoles(RunDocument run, Func<RoleResult, double?> read, Func<double, string> show) => string.Join(", ",
        run.Roles.Where(role => read(role) is not null).Select(role => $"{role.Name} {show(read(role)!.Value)}"));
}

/// <summary>A completed run of a scenario file.</summary>
/// <param name="Run">The request.</param>
/// <param name="Ramp">The name of the ramp; null where it is none.</param>
/// <param name="Document">The result.</param>
internal sealed record PlannedResult(PlannedRun Run, string? Ramp, RunDocument Document);
