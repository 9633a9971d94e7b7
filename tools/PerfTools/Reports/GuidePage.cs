using System.Globalization;
using PerfCommon;
using PerfTools.Reports.Charts;
using PerfTools.Results.Guide;

namespace PerfTools.Reports;

/// <summary>
/// Creates the report of a folder with files of the guide, of any edition: statistics over time, single latencies, summaries as they are. It has no
/// verdict.
/// </summary>
internal static class GuidePage
{
    private const double LeastMicros = 1;
    private static readonly string[] RateColumns = ["Update rate", "Updates sent", "Msgs sent", "Msgs received", "Updates in",
        "Updates delivered"];
    private static readonly string[] Latencies = ["Latency", "Posting Latency", "GenMsg Latency", "Through"];
    private static readonly (string Column, string Label, int Colour, LineStyle Style)[] LatencyColumns =
    [
        ("max", "max", 1, LineStyle.Thin), ("p99", "p99", 0, LineStyle.Thin), ("avg", "average", 2, LineStyle.Full),
        ("p50", "p50", 0, LineStyle.Full),
        ("min", "min", 3, LineStyle.Thin),
    ];

    /// <summary>Creates the content for a folder; null where there is no such file.</summary>
    /// <exception cref="SetupException">A file cannot be read (exit code 3).</exception>
    public static ReportContent? TryCreate(string folder)
    {
        GuideFile[] files =
            [.. Files(folder, "*.csv").Select(GuideFile.TryRead).OfType<GuideFile>().Where(file => file.Times.Count > 0)];
        TextTable[] summaries =
            [.. Files(folder, "*").Select(GuideSummary.TryRead).OfType<IReadOnlyList<GuideSection>>().SelectMany(sections => sections).Select(TableOf)];
        LatencyScatter latencies = LatencyScatter.Read(folder);
        return files.Length + summaries.Length == 0 && latencies.IsEmpty ? null : Create(folder, files, summaries, latencies);
    }

    private static TextTable TableOf(GuideSection section) =>
        new(section.Title, [], [.. section.Rows.Select(row => (IReadOnlyList<Cell>)[row.Label, row.Value])]);

    private static ReportContent Create(string folder, GuideFile[] files, TextTable[] summaries, LatencyScatter latencies)
    {
        DateTime start = files.Select(file => file.Times[0]).DefaultIfEmpty().Min();
        PointTable points = CreatePoints(files, start);
        return new()
        {
            Title = Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder))),
            Subtitle = files.Length == 0
                ? string.Join(", ", latencies.Names) : string.Create(CultureInfo.InvariantCulture,
                    $"from {start:yyyy-MM-dd HH:mm:ss} UTC, {string.Join(", ", files.Select(file => file.Name))}"),
            Sentence = "Results of single programs, without a verdict. Percentiles are shown where the files have them.",
            Figures =
            [
                latencies.CreateTable(), .. summaries.Where(table => table.Title.EndsWith("SUMMARY", StringComparison.Ordinal)),
            ],
            Charts =
            [
                .. latencies.CreatePercentileChart(), .. latencies.CreateCharts(),
                .. points.PointCount == 0 ? [] : CreateCharts(files, points),
            ],
            Conditions = [.. summaries.Where(table => !table.Title.EndsWith("SUMMARY", StringComparison.Ordinal))],
            Points = points,
        };
    }

    private static PointTable CreatePoints(GuideFile[] files, DateTime start)
    {
        Dictionary<string, IReadOnlyList<double>> times =
            files.ToDictionary(file => file.Name,
                file => (IReadOnlyList<double>)[.. file.Times.Select(time => (time - start).TotalSeconds)]);
        double[] gaps = [.. times.Values.SelectMany(all => all.Zip(all.Skip(1), (a, b) => b - a)).Where(gap => gap > 0).Order()];
        double interval = gaps.Length == 0 ? 1 : gaps[gaps.Length / 2];
        PointGrid grid = new(interval, times);
        foreach (GuideFile file in files)
        {
            foreach (string rate in RateColumns.Where(file.Has))
                grid.Add(file.Name, rate, $"{file.Name} {rate}", Thinning.Mean, Rates(file, rate, interval));
            foreach (string column in Latencies.SelectMany(latency =>
                LatencyColumns.Select(column => $"{latency} {column.Column} (usec)")).Where(file.Has))
            {
                grid.Add(file.Name, column, $"{file.Name} {column}", Thinning.Highest, file.Values(column));
            }

            grid.Add(file.Name, "cpu", $"{file.Name} CPU %", Thinning.Mean, file.Values("CPU usage (%)"));
            grid.Add(file.Name, "memory", $"{file.Name} MB", Thinning.Mean, file.Values("Memory (MB)"));
        }

        return grid.Create();
    }

    // Counts are those of an interval; the one rate that the guide has needs no division.
    private static IEnumerable<double?> Rates(GuideFile file, string column, double interval) =>
        column == RateColumns[0] ? file.Values(column) : file.Values(column).Select(value => value / interval);

    private static IEnumerable<Chart> CreateCharts(GuideFile[] files, PointTable points)
    {
        Axis time = Axis.Time(points.Seconds[^1]);
        foreach (GuideFile file in files)
        {
            foreach (string latency in Latencies)
            {
                ChartLine[] lines =
                [
                    .. LatencyColumns.Select(column => (column, values: points[$"{file.Name}.{latency} {column.Column} (usec)"]))
                        .Where(pair => pair.values?.Any(value => value > 0) == true)
                        .Select(pair =>
                            new ChartLine(pair.column.Label, points.Seconds, pair.values!, pair.column.Colour, pair.column.Style)),
                ];
                if (lines.Length > 0)
                {
                    yield return new()
                    {
                        Title = $"{latency} over time, us ({file.Name})",
                        X = time,
                        Y = Axis.Logarithmic(lines.SelectMany(line => line.Y), LeastMicros),
                        Lines = lines
                    };
                }
            }
        }

        foreach (string rate in RateColumns.Append("cpu").Append("memory"))
        {
            ChartLine[] lines =
            [
                .. files.Select((file, i) => (file, i, values: points[$"{file.Name}.{rate}"])).Where(entry => entry.values is not null)
                    .Select(entry => new ChartLine(entry.file.Name, points.Seconds, entry.values!, entry.i)),
            ];
            if (lines.Length > 0)
                yield return new() { Title = TitleOf(rate), X = time, Y = Axis.FromZero(lines.SelectMany(line => line.Y)), Lines = lines };
        }
    }

    private static string TitleOf(string column) => column switch
    {
        "cpu" => "CPU usage, %",
        "memory" => "Memory, MB",
        _ => column + " a second",
    };

    private static string[] Files(string folder, string pattern)
    {
        try
        {
            return [.. Directory.GetFiles(folder, pattern).Order(StringComparer.Ordinal)];
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(folder, cause);
        }
    }
}
