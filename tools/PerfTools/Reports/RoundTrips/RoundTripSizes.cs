using System.Globalization;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Reports.RoundTrips;

/// <summary>Creates tables of round trips, a row per size.</summary>
internal static class RoundTripSizes
{
    private const string Samples = "samples";

    // The columns of the guide's table, which has them even when they are empty.
    private static readonly string[] GuideColumns = ["stdev", "average", "min", "p50", "p90", "p99", "p99.99", "max"];

    private static readonly (string Title, string Member, Func<RoundTripFigures, double?> Read)[] Columns =
    [
        ("p50", "p50Micros", size => size.P50Micros), ("p90", "p90Micros", size => size.P90Micros),
        ("p99", "p99Micros", size => size.P99Micros),
        ("p99.9", "p999Micros", size => size.P999Micros), ("p99.99", "p9999Micros", size => size.P9999Micros),
        ("max", "maxMicros", size => size.MaxMicros),
        ("min", "minMicros", size => size.MinMicros), ("average", "averageMicros", size => size.AverageMicros),
        ("stdev", "stdevMicros", size => size.StdevMicros),
        ("one way", "oneWayMicros", size => size.OneWayMicros),
    ];

    private static readonly (string Title, string Member, Func<RoundTripFigures, long> Read)[] Counts =
    [
        (Samples, "samples", size => size.Samples), ("lost", "lost", size => size.Lost), ("late", "late", size => size.Late),
        ("resent", "resent", size => size.Resent),
    ];

    /// <summary>Creates the table for the report; a column that is empty for every size is omitted, unless it is one of the guide's eight.</summary>
    /// <param name="sizes">The measured sizes; null for none.</param>
    /// <param name="of">Its name among several; null for a single one.</param>
    public static TextTable Create(IReadOnlyList<RoundTripFigures>? sizes, string? of = null)
    {
        RoundTripFigures[] all = [.. sizes ?? []];
        (string Title, string Member, Func<RoundTripFigures, double?> Read)[] columns = Array.FindAll(Columns,
            column => GuideColumns.Contains(column.Title) || Array.Exists(all, size => column.Read(size) is not null));
        (string Title, string Member, Func<RoundTripFigures, long> Read)[] counts = Array.FindAll(Counts,
            column => column.Title == Samples || Array.Exists(all, size => column.Read(size) > 0));
        return new(
            $"Round trips{(of is null ? "" : $" of {of}")}, us",
            ["bytes", .. columns.Select(column => column.Title), .. counts.Select(column => column.Title)],
            [
                .. all.Select((size, i) => (IReadOnlyList<Cell>)
                [
                    size.Bytes.ToString(CultureInfo.InvariantCulture),
                    .. columns.Select(column =>
                        Cell.Of(PathOf(of, i, column.Member), column.Read(size), value => Figure.Micros(value))),
                    .. counts.Select(column => Cell.Of(PathOf(of, i, column.Member), column.Read(size), Figure.Whole)),
                ]),
            ]);
    }

    private static string PathOf(string? of, int size, string member) =>
        string.Create(CultureInfo.InvariantCulture, $"{(of is null ? "" : of + ":")}figures.roundTrips.{size}.{member}");

    /// <summary>Creates the rows for a pull request: name, figures, samples.</summary>
    public static IEnumerable<IReadOnlyList<string>> CreateRows(IReadOnlyList<RoundTripFigures>? sizes) =>
        (sizes ?? []).Select(size => (IReadOnlyList<string>)
    [
        string.Create(CultureInfo.InvariantCulture, $"round trip of {size.Bytes} bytes: p50, p99, max, us"),
        $"{Figure.Micros(size.P50Micros)}, {Figure.Micros(size.P99Micros)}, {Figure.Micros(size.MaxMicros)}",
        $"{Figure.Count(size.Samples)} samples",
    ]);
}
