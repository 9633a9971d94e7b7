using System.Globalization;
using PerfTools.Hosting.Options;
using PerfTools.Reports;
using PerfTools.Reports.Charts;
using PerfTools.Results.Files;

namespace PerfTools.Search;

/// <summary>Creates the page of a search: the answer, the curve, every run.</summary>
internal static class SearchPage
{
    private const double MinMicros = 1;
    private const double Whole = 100;

    public static ReportContent Create(SearchResult result) => new()
    {
        Title = $"{result.Subject.Title}: greatest {result.Search.Over.Option}",
        Subtitle = string.Create(CultureInfo.InvariantCulture,
            $"{result.StartUtc:yyyy-MM-dd HH:mm:ss} UTC, {result.Answer.Samples.Count + result.Answer.Dropped.Count} "
                + $"runs{(result.Subject.Seconds is { } seconds ? $" of {seconds} s" : "")}"),
        Verdict = result.Verdict,
        Sentence = SearchText.Capacity(result) + (result.Reason is { } reason ? $"; {reason}" : ""),
        Figures = [SearchTables.Answer(result), SearchTables.Curve(result), SearchTables.OtherCurve(result)],
        ChartsTitle = "Load curve",
        Charts = result.Curve is { } curve && curve.Points.Any(point => point.Counts) ? [CreateLatency(result, curve), CreateCost(curve)] : [],
        Conditions = [SearchTables.Runs(result), new("Options", [], [.. DescribeInputs(result)])],
    };

    /// <summary>Draws latency over load, and the processor time of all roles.</summary>
    public static Chart CreateLatency(SearchResult result, LoadCurve curve)
    {
        CurvePoint[] points = [.. curve.Points.Where(point => point.Counts)];
        double[] loads = [.. points.Select(point => (double)point.Percent)];
        IReadOnlyList<double?> Read(Func<SampleFigures, double?> read) => [.. points.Select(point => read(point.Sample.Figures!))];
        ChartLine[] latencies =
        [
            new("p99.9", loads, Read(figures => figures.P999), 2, LineStyle.Thin),
            new("p99", loads, Read(figures => figures.P99), 0),
            new("p50", loads, Read(figures => figures.P50), 1, LineStyle.Thin),
        ];
        CurvePoint[] others = [.. (result.OtherCurve?.Points ?? []).Where(point => point.Counts)];
        ChartLine? other = others.Length == 0 ? null : new($"p99 from the time {(result.Subject.StampsDue == true ? StampWords.Sent : StampWords.Due)}",
            [.. others.Select(point => (double)point.Percent)], [.. others.Select(point => point.Sample.Figures!.P99)], 0, LineStyle.Dashed);
        if (other is not null)
            latencies = [.. latencies, other];
        ChartLine cpu = new("CPU, %", loads, Read(figures => figures.Roles.Sum(role => role.CpuCorePercent)), 3, LineStyle.Dashed);
        return new()
        {
            Title = "Latency, us, and CPU of all roles, % of a core, over load",
            Note = $"Load in % of {SearchText.Amount(result.Answer.Value!.Value)} {result.Subject.Unit}; dashed vertical lines: the knee and the capacity.",
            X = Axis.FromZero(loads.Select(load => (double?)load)),
            Y = Axis.Logarithmic(latencies.SelectMany(line => line.Y), MinMicros),
            Right = Axis.FromZero(cpu.Y),
            RightLines = [cpu],
            Lines = latencies,
            Marks = [new(Whole, "capacity"), .. curve.Knee is { } knee ? [new ChartMark(knee.Percent, "knee")] : (ChartMark[])[]],
        };
    }

    private static Chart CreateCost(LoadCurve curve)
    {
        CurvePoint[] points = [.. curve.Points.Where(point => point.Counts)];
        double[] loads = [.. points.Select(point => (double)point.Percent)];
        double?[] memory = [.. points.Select(point => point.Sample.Figures!.Roles.Sum(role => role.MemoryMegabytes))];
        double?[] notSent = [.. points.Select(point => (double?)point.Sample.Figures!.NotSent)];
        return new()
        {
            Title = "Memory of all roles, MB, and messages not sent, over load",
            X = Axis.FromZero(loads.Select(load => (double?)load)),
            Y = Axis.FromZero(memory),
            Right = Axis.FromZero(notSent),
            RightLines = [new("not sent", loads, notSent, 1, LineStyle.Dashed)],
            Lines = [new("memory", loads, memory, 0)],
        };
    }

    private static IEnumerable<IReadOnlyList<Cell>> DescribeInputs(SearchResult result) =>
        result.Subject.Inputs.SelectMany(input => FlatFacts.Of(input.Key, input.Value))
            .Select(fact => (IReadOnlyList<Cell>)[FactWords.Of(fact.Name), fact.Text]);
}
