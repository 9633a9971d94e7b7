using System.Globalization;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>Thresholds of round trips: <c>p99@64&lt;80us</c> names a size; without one, every size must keep it.</summary>
internal static class SizedThresholds
{
    /// <summary>Name of the figure for datagrams sent once more.</summary>
    public const string Resent = "resent";

    private const char SizeMark = '@';
    private static readonly string[] Metrics = [.. Threshold.Latencies, Threshold.Lost, Resent];

    /// <summary>Describes a valid list of thresholds, as the end of the sentence "'x' is not ...".</summary>
    /// <param name="others">Figures in addition to those of a size.</param>
    public static string Kind(params string[] others) => $"a list such as p99@64<80us,lost<1 of {Names(others)}, limits with ns, us, ms or s";

    /// <summary>Returns the line of help.</summary>
    /// <param name="others">Figures in addition to those of a size.</param>
    public static string Help(params string[] others) =>
        $"thresholds that the result must keep, for a size or for all: p99@64<80us,lost<1; names: {Names(others)}";

    /// <summary>Reads thresholds separated by commas; null when one of them cannot be read.</summary>
    /// <param name="text">For instance <c>p99@64&lt;80us,lost&lt;1</c>.</param>
    /// <param name="others">Figures in addition to those of a size, some of <see cref="Threshold.Metrics"/>; they cannot name a size.</param>
    public static IReadOnlyList<Threshold>? TryParse(string text, params string[] others)
    {
        Threshold?[] all = [.. text.Split(',').Select(part => TryParseOne(part.Trim(), others))];
        return all.Contains(null) ? null : [.. all.OfType<Threshold>()];
    }

    /// <summary>True when its figure exists for every size.</summary>
    public static bool IsOfSizes(Threshold threshold) => Metrics.Contains(threshold.Metric);

    /// <summary>Compares sizes with a threshold: returns the first size that misses it, among those it names.</summary>
    /// <param name="asked">The threshold.</param>
    /// <param name="sizes">The measurement of each size.</param>
    /// <param name="bytesOf">Returns the size.</param>
    /// <param name="figureOf">Returns a figure of a size by its name.</param>
    public static ThresholdResult Compare<T>(
        Threshold asked, IReadOnlyList<T> sizes, Func<T, int> bytesOf, Func<T, string, AssertedFigure> figureOf)
    {
        ThresholdResult[] results =
        [
            .. sizes.Where(size => asked.Bytes is not { } bytes || bytesOf(size) == bytes)
                .Select(size => new ThresholdResult(asked, figureOf(size, asked.Metric))),
        ];
        return Array.Find(results, result => !result.IsKept) ?? results.FirstOrDefault() ?? new(asked, default);
    }

    private static string Names(string[] others) => string.Join(", ", Metrics.Concat(others));

    private static Threshold? TryParseOne(string text, string[] others)
    {
        int sign = text.IndexOfAny(['<', '>']);
        int mark = text.IndexOf(SizeMark, StringComparison.Ordinal);
        if (sign < 0 || mark > sign)
            return null;
        if (mark < 0)
            return TryParse(text[..sign], text[sign..], [.. Metrics, .. others]) is { } plain ? plain with { Text = text } : null;
        return int.TryParse(text[(mark + 1)..sign], NumberStyles.None, CultureInfo.InvariantCulture, out int bytes)
            && TryParse(text[..mark], text[sign..], Metrics) is { } sized
            ? sized with { Text = text, Bytes = bytes } : null;
    }

    // Resent is a count, as lost is.
    private static Threshold? TryParse(string name, string limit, string[] metrics)
    {
        bool isResent = name.Trim().Equals(Resent, StringComparison.OrdinalIgnoreCase);
        return Threshold.TryParseList((isResent ? Threshold.Lost : name) + limit, metrics) is [{ } only]
            ? only with { Metric = isResent ? Resent : only.Metric } : null;
    }
}
