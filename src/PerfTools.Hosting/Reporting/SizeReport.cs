using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the figures of sizes that a run measures one after the other: each output format once, over the rows of their table.</summary>
/// <param name="tool">The tool's name in the JSON lines.</param>
/// <param name="table">The rows that have a value for each size.</param>
internal sealed class SizeReport(string tool, ReportTable table)
{
    private const string Bytes = "bytes";
    private readonly ReportRow[] _members = [.. table.Rows.Where(row => row.FinalName is not null)];

    /// <summary>The dimension of the figures in the catalogue.</summary>
    public static FigureSpread Spread { get; } = new("size", "sizes", Bytes, Bytes);

    /// <summary>Writes the JSON line of a completed size.</summary>
    public void WriteLine(Stream stream, Figures size) => JsonFigures.WriteLine(stream, tool, final: false, json => WriteMembers(json, size));

    /// <summary>Writes the member of the final JSON line that has an object for each size.</summary>
    public void WriteList(Utf8JsonWriter json, IReadOnlyList<Figures> sizes)
    {
        json.WriteStartArray(Spread.List);
        foreach (Figures size in sizes)
        {
            json.WriteStartObject();
            WriteMembers(json, size);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Returns the metrics of the completed sizes.</summary>
    /// <param name="version">Version of the program.</param>
    /// <param name="sizes">The sizes.</param>
    public MetricSet CollectMetrics(string? version, IReadOnlyList<Figures> sizes)
    {
        MetricSet metrics = new() { Help = "the program" };
        metrics.Info("run", [("tool", tool), ("version", version ?? "")]);
        foreach (ReportRow row in table.Rows)
        {
            if (row.SizeMetric is not { } metric)
                continue;
            metrics.Help = metric.IsSum ? row.Words : $"{row.Words}, by the size of the message";
            if (metric.IsSum)
                metrics.Counter(metric.Name, sizes.Sum(size => row.FindNumber(size, 0) ?? 0));
            else
                metrics.Gauges(metric.Name, Bytes, sizes.Select(size => (Invariant(size.Bytes), row.FindNumber(size, 0))));
        }

        return metrics;
    }

    /// <summary>Compares the sizes that a threshold names with it, all of them where it names none.</summary>
    public ThresholdResult Compare(Threshold asked, IReadOnlyList<Figures> sizes) =>
        SizedThresholds.Compare(asked, sizes, size => size.Bytes ?? 0, table.FindFigure);

    private void WriteMembers(Utf8JsonWriter json, Figures size)
    {
        json.WriteNumber(Bytes, size.Bytes ?? 0);
        foreach (ReportRow row in _members)
            row.Value.WriteJson(json, row.FinalName!, size, ReportScope.Run);
    }

    private static string Invariant(int? bytes) => string.Create(CultureInfo.InvariantCulture, $"{bytes}");
}
