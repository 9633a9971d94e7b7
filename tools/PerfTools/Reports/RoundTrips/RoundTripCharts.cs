using System.Globalization;
using PerfTools.Reports.Charts;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;

namespace PerfTools.Reports.RoundTrips;

/// <summary>
/// Draws round trips over sizes on two logarithmic axes: each doubling of the size and each decade of the time has the same width.
/// </summary>
internal static class RoundTripCharts
{
    private const double LeastMicros = 0.1;
    private const int MaxTicks = 10;
    private const string Title = "Round trips by size in bytes, us";
    private const string Note =
        "Over sizes; each doubling of the size is as wide as the one before, and equal ratios of time are equal distances.";

    // The lines; with few round trips the longest of them equals one of the percentiles.
    private static readonly (string Label, Func<RoundTripFigures, double?> Read, LineStyle Style)[] Lines =
    [
        ("p50", size => size.P50Micros, LineStyle.Full),
        ("p99", size => size.P99Micros, LineStyle.Full),
        ("p99.99", size => size.P9999Micros, LineStyle.Full),
        ("max", size => size.MaxMicros, LineStyle.Dashed),
    ];

    private static readonly (string Label, double Percentile, LineStyle Style)[] ComparedLines = [("p50", 50, LineStyle.Full),
        ("p99", 99, LineStyle.Dashed)];

    /// <summary>Draws the charts of a run; none where no round trip was measured.</summary>
    public static IEnumerable<Chart> Of(IReadOnlyList<RoundTripFigures>? sizes)
    {
        if (sizes is not { Count: > 0 })
            return [];
        double[] bytes = [.. sizes.Select(size => (double)size.Bytes)];
        return [Create(bytes,
            [.. Lines.Select((line, i) => new ChartLine(line.Label, bytes, [.. sizes.Select(line.Read)], i, line.Style))])];
    }

    /// <summary>Draws the charts of several tests, each in a colour.</summary>
    public static IEnumerable<Chart> Of(IReadOnlyList<(string Name, IReadOnlyList<RoundTripFigures> Sizes)> tests)
    {
        double[] all = [.. tests.SelectMany(test => test.Sizes.Select(size => (double)size.Bytes)).Distinct().Order()];
        return all.Length == 0 ? [] : [Create(all, [.. tests.SelectMany((test, i) => Of(test.Name, test.Sizes, i))])];
    }

    /// <summary>Draws the charts of both sides of a comparison; none where no round trip was measured.</summary>
    public static IEnumerable<Chart> Of(RunSet a, RunSet b)
    {
        double[] all = [.. a.Sizes.Union(b.Sizes).Order().Select(size => (double)size)];
        return all.Length == 0 ? [] : [Create(all, [.. Of(a, 0), .. Of(b, 1)])];
    }

    private static IEnumerable<ChartLine> Of(RunSet side, int colour) => ComparedLines.Select(line => new ChartLine(
        $"{side.Name} {line.Label}", [.. side.Sizes.Select(size => (double)size)],
        [.. side.Sizes.Select(size => side.Sums.Whole.RoundTripsOf(size).ValueAt(line.Percentile))], colour, line.Style));

    private static IEnumerable<ChartLine> Of(string name, IReadOnlyList<RoundTripFigures> sizes, int colour)
    {
        double[] bytes = [.. sizes.Select(size => (double)size.Bytes)];
        yield return new($"{name} p50", bytes, [.. sizes.Select(size => size.P50Micros)], colour, LineStyle.Full);
        yield return new($"{name} p99", bytes, [.. sizes.Select(size => size.P99Micros)], colour, LineStyle.Dashed);
    }

    private static Chart Create(IReadOnlyList<double> bytes, IReadOnlyList<ChartLine> lines) => new()
    {
        Title = Title,
        Note = Note,
        X = Sizes(bytes),
        Y = Axis.Logarithmic(lines.SelectMany(line => line.Y), LeastMicros),
        Lines = lines,
    };

    private static Axis Sizes(IReadOnlyList<double> bytes)
    {
        double first = Math.Log2(bytes[0]);
        double width = Math.Max(1, Math.Log2(bytes[^1]) - first);
        int step = (bytes.Count + MaxTicks - 1) / MaxTicks;
        return new(
            value => (Math.Log2(value) - first) / width,
            [.. bytes.Where((_, i) => i % step == 0).Select(value => (value, value.ToString(CultureInfo.InvariantCulture)))]);
    }
}
