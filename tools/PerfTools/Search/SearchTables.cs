using System.Globalization;
using PerfTools.Reports;
using PerfTools.Results.Files;
using PerfTools.Screen;

namespace PerfTools.Search;

/// <summary>Creates the tables of a search: its answer, its runs, its curve.</summary>
internal static class SearchTables
{
    /// <summary>The answer, as rows of a name and a text.</summary>
    public static TextTable Answer(SearchResult result) => new("Answer", [],
    [
        .. new (string Name, string? Text)[]
        {
            ("capacity", SearchText.Capacity(result)),
            ("thresholds", $"{result.Search.UntilText}; {SearchText.Stamp(result)}"),
            ("first value missed", SearchText.Limit(result)),
            ("runs", SearchText.Measured(result)),
            ("dropped", string.Join("; ", SearchText.Dropped(result))),
            ("processors", result.Run?.Placement),
            ("knee", SearchText.Knee(result)),
        }.Where(row => row.Text is { Length: > 0 }).Select(row => (IReadOnlyList<Cell>)[row.Name, row.Text!]),
    ]);

    /// <summary>All runs in their order.</summary>
    public static TextTable Runs(SearchResult result) => new("Runs", ["", "stage", "value", "", "p50 us", "p99 us", "CPU %", "why"],
    [
        .. result.Answer.All.Select(sample => (IReadOnlyList<Cell>)
        [
            sample.Number.ToString(CultureInfo.InvariantCulture), sample.Stage.ToString().ToLowerInvariant(), Number(Figure.Count(sample.Value)),
            SearchText.Word(sample), Number(Figure.Micros(sample.Figures?.P50)), Number(Figure.Micros(sample.Figures?.P99)),
            Number(SearchText.Cpu(sample)), sample.Disturbance ?? sample.Reason ?? "",
        ]),
    ]);

    /// <summary>The points of the curve.</summary>
    public static TextTable Curve(SearchResult result) =>
        Curve(result.Curve, result.OtherCurve is null ? "Load curve" : $"Load curve, {SearchText.Stamp(result)}");

    /// <summary>The points of the curve with the other time.</summary>
    public static TextTable OtherCurve(SearchResult result) => Curve(result.OtherCurve, $"Load curve, {SearchText.Stamp(!result.Subject.StampsDue)}");

    private static TextTable Curve(LoadCurve? curve, string title) =>
        new(title, ["load", "value", "p50 us", "p99 us", "p99.9 us", "CPU %", "MB", "sent", "not sent", ""],
    [
        .. (curve?.Points ?? []).Select(point => (IReadOnlyList<Cell>)
        [
            string.Create(CultureInfo.InvariantCulture, $"{point.Percent} %"), Number(Figure.Count(point.Sample.Value)),
            Number(Figure.Micros(point.Sample.Figures?.P50)), Number(Figure.Micros(point.Sample.Figures?.P99)),
            Number(Figure.Micros(point.Sample.Figures?.P999)), Number(SearchText.Cpu(point.Sample)),
            Number(Text(point.Sample.Figures?.Roles.Sum(role => role.MemoryMegabytes), "N0")), Number(Text(point.Sample.Figures?.Sent, "N0")),
            Number(Text(point.Sample.Figures?.NotSent, "N0")),
            point.Sample.Disturbance is { } why ? $"not drawn: {why}" : point == curve!.Knee ? "knee" : "",
        ]),
    ]);

    /// <summary>Writes the curve as comma-separated values, a row per load; unknown values are empty.</summary>
    public static void WriteCsv(TextWriter writer, LoadCurve curve)
    {
        string[] roles = [.. curve.Points.SelectMany(point => point.Sample.Figures?.Roles ?? []).Select(role => role.Name).Distinct()];
        CsvLine.Write(writer, ["percent", "value", "rate", "p50Micros", "p99Micros", "p999Micros", "sent", "notSent", "knee", "notDrawn",
            .. roles.SelectMany(role => (string[])[$"{role}CpuCorePercent", $"{role}MemoryMegabytes"])]);
        foreach (CurvePoint point in curve.Points)
        {
            SampleFigures? figures = point.Sample.Figures;
            CsvLine.Write(writer,
            [
                Text(point.Percent), Text(point.Sample.Value), Text(figures?.Rate), Text(figures?.P50), Text(figures?.P99), Text(figures?.P999),
                Text(figures?.Sent), Text(figures?.NotSent), point == curve.Knee ? "1" : "0", point.Sample.Disturbance ?? "",
                .. roles.Select(name => figures?.Roles.FirstOrDefault(role => role.Name == name))
                    .SelectMany(role => (string[])[Text(role?.CpuCorePercent), Text(role?.MemoryMegabytes)]),
            ]);
        }
    }

    private static Cell Number(string text) => new(text) { IsNumber = true };

    private static string Text(double? value, string format = "0.###") => value?.ToString(format, CultureInfo.InvariantCulture) ?? "";
}
