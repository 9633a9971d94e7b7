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

    private string Sign => IsUpperLimit ? "<=" : ">=";

    /// <summary>Reads <c>metric&lt;=number</c> or <c>metric&gt;=number</c>; <c>&lt;</c> and <c>&gt;</c> mean the same.</summary>
    /// <param name="text">The text as typed.</param>
    /// <param name="threshold">The threshold; null when the text is none.</param>
    public static bool TryParse(string text, out Threshold? threshold)
    {
        threshold = null;
        int sign = text.IndexOfAny(['<', '>']);
        if (sign < 0)
            return false;
        string metric = text[..sign].Trim().ToLowerInvariant();
        string limit = text[(sign + 1)..].TrimStart('=').Trim();
        if (!Metrics.Contains(metric) || !double.TryParse(limit, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) || !double.IsFinite(value))
            return false;
        threshold = new(metric, text[sign] == '<', value);
        return true;
    }

    /// <summary>Says how the result misses the threshold; null when it keeps it.</summary>
    /// <param name="figure">The measured figure; null when there is none, which misses every threshold.</param>
    public string? FindMiss(double? figure)
    {
        if (figure is not double value)
            return $"{this}: nothing was measured";
        bool isKept = IsUpperLimit ? value <= Limit : value >= Limit;
        return isKept ? null : string.Create(CultureInfo.InvariantCulture, $"{this}: {Metric} is {value:0.###}");
    }

    /// <summary>The threshold in the form that <see cref="TryParse"/> reads.</summary>
    public override string ToString() => Metric + Sign + Limit.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The thresholds of one <c>-assert</c>.</summary>
internal sealed class ThresholdList
{
    private readonly Threshold[] _thresholds;

    private ThresholdList(Threshold[] thresholds) => _thresholds = thresholds;

    /// <summary>What a text must be to be read, as the end of the sentence "'x' is not ...".</summary>
    public static string Kind { get; } =
        $"a list such as p99<=100,rate>=99000 of {string.Join(", ", Threshold.Metrics)}";

    /// <summary>Reads thresholds separated by commas.</summary>
    /// <param name="text">The text as typed.</param>
    /// <param name="list">The list; null when one of them cannot be read.</param>
    public static bool TryParse(string text, out ThresholdList? list)
    {
        List<Threshold> thresholds = [];
        list = null;
        foreach (string part in text.Split(','))
        {
            if (!Threshold.TryParse(part, out Threshold? threshold))
                return false;
            thresholds.Add(threshold!);
        }
        list = new([.. thresholds]);
        return true;
    }

    /// <summary>The first threshold that a result misses, as a sentence; null when all are kept.</summary>
    /// <param name="figureOf">The measured figure of a name; null when there is none.</param>
    public string? FindMiss(Func<string, double?> figureOf) =>
        _thresholds.Select(threshold => threshold.FindMiss(figureOf(threshold.Metric))).FirstOrDefault(miss => miss is not null);

    /// <summary>The list in the form that <see cref="TryParse"/> reads.</summary>
    public override string ToString() => string.Join<Threshold>(',', _thresholds);
}
