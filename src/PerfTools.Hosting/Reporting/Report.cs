using System.Globalization;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the outputs of one run of a tool: each output format once, over the rows of its table. Reads no clock and opens no file.</summary>
/// <param name="table">The rows of the tool with the options of this run; complete.</param>
internal sealed partial class Report(ReportTable table)
{
    private readonly ReportColumn[] _columns = [.. table.Rows.SelectMany(row => row.StatsColumns).OrderBy(column => column.Number)];

    public string Tool => table.Tool;
    public ReportTable Table => table;

    /// <summary>Writes the figures of sizes; null for a tool that does not measure one after the other.</summary>
    public SizeReport? Sizes { get; } = table.Sizes is { } sizes ? new(table.Tool, sizes) : null;

    /// <summary>Writes the header line of a statistics file.</summary>
    public void WriteCsvHeader(TextWriter writer) => WriteCsvLine(writer, "UTC", _columns.Select(column => column.Name));

    /// <summary>Writes the line of one worker and interval to its statistics file.</summary>
    public void WriteCsvRow(TextWriter writer, Figures figures) => WriteCsvLine(
        writer, InvariantText.Time(figures.Info.Utc),
        _columns.Select(column => column.Row.Format(column.Format, figures, ReportScope.Interval)));

    /// <summary>The figures that <c>-assert</c> can name.</summary>
    public IEnumerable<string> Metrics =>
        table.Rows.SelectMany(row => row.Metrics).Intersect(Threshold.Metrics).Concat([Threshold.Cpu, Threshold.Memory]);

    /// <summary>Returns the figure of a run that <c>-assert</c> names: the steady state's where there are two.</summary>
    public AssertedFigure FindFigure(RunSummary summary, string metric) => metric switch
    {
        Threshold.Cpu => new((summary.SteadyCpu ?? summary.WholeCpu)?.CorePercent),
        Threshold.Memory => new(summary.Resources is { Count: > 0 } resources ? resources.MemoryMegabytes.Max : null),
        _ => table.FindFigure(summary.Overall, metric),
    };

    /// <summary>Compares a run with thresholds: a figure of sizes with each of them.</summary>
    public IReadOnlyList<ThresholdResult> Compare(IEnumerable<Threshold> thresholds, RunSummary summary) =>
    [
        .. thresholds.Select(asked => Sizes is not null && SizedThresholds.IsOfSizes(asked)
            ? Sizes.Compare(asked, summary.Sizes) : new ThresholdResult(asked, FindFigure(summary, asked.Metric))),
    ];

    private static void WriteCsvLine(TextWriter writer, string first, IEnumerable<string> others) =>
        writer.Line($"{string.Join(", ", others.Prepend(first))}");

    private static string Format(string format, object argument) => string.Format(CultureInfo.InvariantCulture, format, argument);
}
