using System.Globalization;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>A threshold for one size, or for every size.</summary>
/// <param name="Threshold">The threshold; its text has the size.</param>
/// <param name="Bytes">The size; null for every size.</param>
internal sealed record SizedThreshold(Threshold Threshold, int? Bytes)
{
    public override string ToString() => Threshold.Text;
}

/// <summary>Thresholds of round trips: <c>p99@64&lt;80us</c> names a size, without one every size must hold.</summary>
internal static class SizedThresholds
{
    private const string Resent = "resent";
    private const char SizeMark = '@';
    private static readonly string[] Metrics = [.. Threshold.Latencies, Threshold.Lost];
    private static readonly string AllMetrics = string.Join(", ", Metrics.Append(Resent));

    public static string Kind => $"a list such as p99@64<80us,lost<1 of {AllMetrics}, limits with ns, us, ms or s";

    public static string Help => $"thresholds that the result must keep, for a size or for all: p99@64<80us,lost<1 (of {AllMetrics})";

    /// <summary>Reads thresholds separated by commas; null when one of them cannot be read.</summary>
    public static IReadOnlyList<SizedThreshold>? TryParse(string text)
    {
        SizedThreshold?[] all = [.. text.Split(',').Select(part => TryParseOne(part.Trim()))];
        return all.Contains(null) ? null : [.. all.OfType<SizedThreshold>()];
    }

    /// <summary>How sizes stand to a threshold: of all of them the one that is worst.</summary>
    public static ThresholdResult Compare(SizedThreshold asked, IReadOnlyList<SizeResult> sizes)
    {
        IEnumerable<AssertedFigure> figures = sizes.Where(size =>
            asked.Bytes is null || size.Bytes == asked.Bytes).Select(size => Find(size, asked.Threshold.Metric));
        ThresholdResult[] results = [.. figures.Select(figure => new ThresholdResult(asked.Threshold, figure))];
        return Array.Find(results, result => !result.IsKept) ?? results.FirstOrDefault() ?? new(asked.Threshold, default);
    }

    private static SizedThreshold? TryParseOne(string text)
    {
        int sign = text.IndexOfAny(['<', '>']);
        int mark = text.IndexOf(SizeMark, StringComparison.Ordinal);
        int? bytes = null;
        if (sign < 0 || mark > sign)
            return null;
        if (mark >= 0)
        {
            if (!int.TryParse(text[(mark + 1)..sign], NumberStyles.None, CultureInfo.InvariantCulture, out int size))
                return null;
            bytes = size;
        }

        string name = text[..(mark >= 0 ? mark : sign)].Trim();
        bool isResent = name.Equals(Resent, StringComparison.OrdinalIgnoreCase);
        return Threshold.TryParseList((isResent ? Threshold.Lost : name) + text[sign..], Metrics) is [{ } only]
            ? new(only with { Text = text, Metric = isResent ? Resent : only.Metric }, bytes) : null;
    }

    private static AssertedFigure Find(SizeResult size, string metric)
    {
        LatencyFigures trips = size.Trips;
        return metric switch
        {
            Resent => new(size.Counts.Resent),
            Threshold.Lost => new(size.Counts.Lost),
            "avg" => new(trips.Average, trips.Count),
            "max" => new(trips.Max, trips.Count),
            "p50" => new(trips.P50, trips.Count),
            "p90" => new(trips.P90, trips.Count),
            "p99" => new(trips.P99, trips.Count),
            "p99.9" => new(trips.P999, trips.Count),
            _ => new(trips.P9999, trips.Count),
        };
    }
}
