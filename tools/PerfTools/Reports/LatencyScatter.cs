using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Reports.Charts;
using PerfTools.Results.Guide;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>Draws the latency files of a folder: each latency as a point, and the percentiles of all.</summary>
internal sealed class LatencyScatter
{
    private const int MaxPoints = 20_000; // on a page
    private const double LeastMicros = 0.1;

    private readonly LatencyFile[] _files;

    private LatencyScatter(LatencyFile[] files) => _files = files;

    /// <summary>Reads the latency files of a folder.</summary>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static LatencyScatter Read(string folder) => new(
        [.. Directory.GetFiles(folder, "*.csv").Order(StringComparer.Ordinal)
            .Select(path => LatencyFile.TryRead(path, MaxPoints)).OfType<LatencyFile>()]);

    /// <summary>True when there is no such file.</summary>
    public bool IsEmpty => _files.Length == 0;

    /// <summary>The names of the files.</summary>
    public IEnumerable<string> Names => _files.Select(file => file.Name);

    /// <summary>Creates the table with the figures of every row.</summary>
    public TextTable CreateTable() => new(
        "Latency files, us", ["", "p50", "p90", "p99", "p99.9", "p99.99", "max", "average", "min", "samples", "negative"],
        [.. _files.SelectMany(file => file.Rows.Select(rows => CreateRow(file, rows)))]);

    /// <summary>Creates the chart of percentiles, where there are enough samples.</summary>
    public IEnumerable<Chart> CreatePercentileChart()
    {
        PercentileCurve[] curves =
            [.. _files.SelectMany(file => file.Rows.Select(rows => PercentileCurve.TryCreate(LabelOf(file, rows), rows.Histogram)))
                .OfType<PercentileCurve>()];
        return curves.Length == 0 ? [] : [PercentileCurve.CreateChart(curves)];
    }

    /// <summary>Creates a chart for each file.</summary>
    public IEnumerable<Chart> CreateCharts() => _files.Select(file => CreateChart(file, MaxPoints / _files.Length));

    private static Chart CreateChart(LatencyFile file, int maxPoints)
    {
        LatencyRows[] all = [.. file.Rows];
        long samples = all.Sum(rows => rows.Figures.Count);
        ChartPoints[] points = [.. all.Select((rows, i) => CreatePoints(file, rows, Math.Max(1, maxPoints / all.Length), i))];
        int shown = points.Sum(one => one.X.Count);
        string which = shown < samples
            ? string.Create(CultureInfo.InvariantCulture, $"{shown:N0} of {samples:N0} messages, the slowest among them")
            : string.Create(CultureInfo.InvariantCulture, $"all {samples:N0} messages");
        return new Chart
        {
            Title = $"Latency of single messages, us ({file.Name})",
            Note = $"Each point is a message, at the time when it was received: {which}. Seconds since the first.",
            X = Axis.Time(points.SelectMany(one => one.X).DefaultIfEmpty(0).Max()),
            Y = Axis.Logarithmic(points.SelectMany(one => one.Y.Select(value => (double?)value)), LeastMicros),
            Lines = [],
            Points = points,
        };
    }

    private static ChartPoints CreatePoints(LatencyFile file, LatencyRows rows, int max, int colour)
    {
        IReadOnlyList<SampledPoint> points = rows.Points(max);
        return new(rows.Kind, [.. points.Select(file.SecondsOf)], [.. points.Select(point => point.Micros)], rows.Figures.Average, colour);
    }

    private static IReadOnlyList<Cell> CreateRow(LatencyFile file, LatencyRows rows)
    {
        LatencyFigures figures = rows.Figures;
        double?[] micros = [figures.P50, figures.P90, figures.P99, figures.P999, figures.P9999, figures.Max, figures.Average, figures.Min];
        return
        [
            LabelOf(file, rows), .. micros.Select(value => Number(Figure.Micros(value))),
            Number(Figure.Whole(figures.Count)), Number(Figure.Whole(figures.NegativeCount)),
        ];
    }

    private static string LabelOf(LatencyFile file, LatencyRows rows) => $"{file.Name} {rows.Kind}";

    private static Cell Number(string text) => new(text) { IsNumber = true };
}
