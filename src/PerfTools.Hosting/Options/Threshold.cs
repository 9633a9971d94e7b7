using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>One thing that a result must keep: a figure, and its lowest or highest allowed value.</summary>
/// <param name="Metric">The name of the figure.</param>
/// <param name="IsUpperLimit">True when the figure may be at most the limit, false when it must be at least that.</param>
/// <param name="Limit">The limit, in the unit of the figure.</param>
internal sealed record Threshold(string Metric, bool IsUpperLimit, double Limit)
{
    /// <summary>The figures that can be named: latency in microseconds, received messages a second, messages not sent.</summary>
    public static IReadOnlyList<string> Metrics { get; } = ["avg", "max", "p50", "p90", "p99", "p99.9", "p99.99", "rate", "notsent", "cpu", "memory"];

    /// <summary>What the text of several must be, as the end of the sentence "'x' is not ...".</summary>
    public static string ListKind { get; } = $"a list such as p99<=100,rate>=99000 of {string.Join(", ", Metrics)}";

    /// <summary>Reads thresholds separated by commas; null when one of them cannot be read.</summary>
    public static IReadOnlyList<Threshold>? TryParseList(string text)
    {
        Threshold?[] thresholds = [.. text.Split(',').Select(TryParse)];
        return thresholds.Contains(null) ? null : [.. thresholds.OfType<Threshold>()];
    }

    /// <summary>The first of the thresholds that a result misses, as a sentence; null when all are kept.</summary>
    /// <remarks>A figure, asked for by its name, is null when there is none; that misses every threshold.</remarks>
    public static string? FindMiss(IEnumerable<Threshold> thresholds, Func<string, double?> figureOf) =>
        thresholds.Select(threshold => threshold.FindMiss(figureOf(threshold.Metric))).FirstOrDefault(miss => miss is not null);

    /// <summary>The threshold in the form in which it is read.</summary>
    public override string ToString() => Metric + (IsUpperLimit ? "<=" : ">=") + Limit.ToString(CultureInfo.InvariantCulture);

    // Reads metric<=number or metric>=number; < and > mean the same. Null for another text.
    private static Threshold? TryParse(string text)
    {
        int sign = text.IndexOfAny(['<', '>']);
        if (sign < 0)
            return null;
        string metric = text[..sign].Trim().ToLowerInvariant();
        string limit = text[(sign + 1)..].TrimStart('=').Trim();
        return Metrics.Contains(metric) && double.TryParse(limit, CultureInfo.InvariantCulture, out double value) && double.IsFinite(value)
            ? new(metric, text[sign] == '<', value) : null;
    }

    private string? FindMiss(double? figure)
    {
        if (figure is not double value)
            return $"{this}: nothing was measured, or too little";
        bool isKept = IsUpperLimit ? value <= Limit : value >= Limit;
        return isKept ? null : string.Create(CultureInfo.InvariantCulture, $"{this}: {Metric} is {value:0.###}");
    }
}
