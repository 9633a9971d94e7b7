using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes metrics in the text format of OpenMetrics 1.0: families one after the other, each name once.</summary>
internal sealed class MetricsText
{
    /// <summary>Prefix of every name.</summary>
    public const string Prefix = "perftools_";

    private readonly StringBuilder _text = new();
    private readonly string _common;

    private MetricsText(IReadOnlyList<(string Name, string Value)> labels) => _common = Join(labels);

    /// <summary>Writes all metrics of a set.</summary>
    /// <param name="metrics">The set.</param>
    /// <param name="labels">Labels of every sample in addition to its own.</param>
    public static string Write(MetricSet metrics, IReadOnlyList<(string Name, string Value)> labels)
    {
        MetricsText text = new(labels);
        foreach (MetricFamily family in metrics.Families)
            text.Add(family);
        return text._text.Append("# EOF\n").ToString();
    }

    private void Add(MetricFamily family)
    {
        string name = Prefix + SnakeCase(family.Name);
        _text.Append(CultureInfo.InvariantCulture, $"# TYPE {name} {TypeOf(family.Kind)}\n");
        if (MetricUnit.FindIn(family.Name) is { } unit)
            _text.Append(CultureInfo.InvariantCulture, $"# UNIT {name} {unit.Ending.ToLowerInvariant()}\n");
        if (family.Help is { } words)
            _text.Append(CultureInfo.InvariantCulture, $"# HELP {name} {Escape(words)}\n");
        foreach (MetricSample sample in family.Samples)
        {
            if (sample.Distribution is { } distribution)
                Add(name, Join(sample.Labels), distribution);
            else
                Sample(name + EndingOf(family.Kind), Join(sample.Labels), sample.Value);
        }
    }

    // Buckets include the samples of all smaller ones; the slowest sample is written at the smallest bucket that contains it.
    private void Add(string name, string labels, LatencyDistribution distribution)
    {
        long sum = 0;
        double from = double.NegativeInfinity;
        for (int i = 0; i < distribution.Counts.Count; i++)
        {
            double to = i < LatencyDistribution.Bounds.Count ? LatencyDistribution.Bounds[i] : double.PositiveInfinity;
            sum += distribution.Counts[i];
            string? exemplar = distribution.Slowest is { } slowest && slowest.Micros > from && slowest.Micros <= to ? Describe(slowest) : null;
            Sample(name + "_bucket", Join(labels, $"le=\"{Bound(to)}\""), sum, exemplar);
            from = to;
        }

        Sample(name + "_count", labels, sum);
        Sample(name + "_sum", labels, distribution.SumMicros);
    }

    private void Sample(string name, string labels, double value, string? exemplar = null)
    {
        _text.Append(name);
        if (Join(_common, labels) is { Length: > 0 } all)
            _text.Append('{').Append(all).Append('}');
        _text.Append(' ').Append(Number(value)).Append(exemplar).Append('\n');
    }

    private static string Describe(SlowestSample slowest) => string.Create(CultureInfo.InvariantCulture,
        $" # {{{(slowest.Thread is { } thread ? $"thread=\"{thread}\"" : "")}}} {slowest.Micros} {(slowest.Utc - DateTime.UnixEpoch).TotalSeconds:F3}");

    private static string TypeOf(MetricKind kind) => kind switch
    {
        MetricKind.Counter => "counter",
        MetricKind.Gauge => "gauge",
        MetricKind.Info => "info",
        _ => "histogram",
    };

    private static string EndingOf(MetricKind kind) => kind switch
    {
        MetricKind.Counter => "_total",
        MetricKind.Info => "_info",
        _ => "",
    };

    private static string Join(IReadOnlyList<(string Name, string Value)> labels) =>
        string.Join(',', labels.Select(label => $"{label.Name}=\"{Escape(label.Value)}\""));

    private static string Join(string first, string second) =>
        first.Length == 0 ? second : second.Length == 0 ? first : $"{first},{second}";

    private static string Number(double value) => value switch
    {
        double.PositiveInfinity => "+Inf",
        double.NegativeInfinity => "-Inf",
        _ => value.ToString(CultureInfo.InvariantCulture),
    };

    // The format requires a decimal for whole numbers.
    private static string Bound(double value) =>
        double.IsInfinity(value) ? Number(value) : value.ToString("0.0##", CultureInfo.InvariantCulture);

    private static string Escape(string text) =>
        text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n",
            StringComparison.Ordinal);

    /// <summary>Converts a name of the JSON lines to small letters: updateRate is update_rate.</summary>
    public static string SnakeCase(string name) =>
        string.Concat(name.Select(c => char.IsAsciiLetterUpper(c) ? $"_{char.ToLowerInvariant(c)}" : c == '.' ? "_" : $"{c}"));
}
