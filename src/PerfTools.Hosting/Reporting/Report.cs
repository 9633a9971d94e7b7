using System.Globalization;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one run of a tool writes: every output format over the rows of its table. Reads no clock and opens no file.</summary>
/// <param name="table">What the tool reports with the options of this run; complete.</param>
internal sealed class Report(ReportTable table)
{
    private readonly ReportCsv _csv = new(table);
    private readonly ReportConsole _console = new(table);
    private readonly ReportSummary _summary = new(table);
    private readonly ReportJson _json = new(table);

    /// <summary>The tool's name.</summary>
    public string Tool => table.Tool;

    /// <summary>What it reports.</summary>
    public ReportTable Table => table;

    /// <summary>Writes the header line of a statistics file.</summary>
    public void WriteCsvHeader(TextWriter writer) => _csv.WriteHeader(writer);

    /// <summary>Writes the line of one worker and interval to its statistics file.</summary>
    public void WriteCsvRow(TextWriter writer, Figures figures) => _csv.WriteRow(writer, figures);

    /// <summary>Writes the console lines of one worker and interval.</summary>
    public void WriteConsole(TextWriter writer, Figures thread) => _console.Write(writer, thread);

    /// <summary>Writes what is said of all workers together below the lines of several; often nothing.</summary>
    public void WriteOverallConsole(TextWriter writer, Figures overall) => _console.WriteOverall(writer, overall);

    /// <summary>Writes the summary, on the console and in the summary file.</summary>
    public void WriteSummary(TextWriter writer, RunSummary summary) => _summary.Write(writer, summary);

    /// <summary>Writes the JSON line of one collection.</summary>
    /// <param name="json">The file.</param>
    /// <param name="overall">All workers together; with one worker, that one.</param>
    /// <param name="threads">Each worker.</param>
    public void WriteInterval(Stream json, Figures overall, IReadOnlyList<Figures> threads) => _json.WriteInterval(json, overall, threads);

    /// <summary>Writes the last JSON line.</summary>
    public void WriteFinal(Stream json, RunSummary summary) => _json.WriteFinal(json, summary);

    /// <summary>The figure of a run that <c>-assert</c> names; null when nothing was measured.</summary>
    public double? FindFigure(RunSummary summary, string metric) => metric switch
    {
        "cpu" => summary.Resources.CpuPercent.Mean,
        "memory" => summary.Resources.MemoryMegabytes.Max,
        _ => table.Rows.FirstOrDefault(row => row.Metrics.Contains(metric)) is { } row && row.Value.Exists(summary.Overall)
            ? Convert.ToDouble(row.Value.Arguments(summary.Overall, ReportScope.Run)[row.Metrics.ToList().IndexOf(metric)], CultureInfo.InvariantCulture)
            : null,
    };
}
