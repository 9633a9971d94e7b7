using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes metrics in the text format of OpenMetrics 1.0: families one after the other, each name once.</summary>
internal sealed class MetricsText
{
    /// <summary>In front of every name.</summary>
    public const string Prefix = "perftools_";

    // A family with a unit ends with it.
    private static readonly string[] Units = ["_seconds", "_microseconds", "_micros", "_bytes", "_megabytes", "_percent"];

    private readonly StringBuilder _text = new();
    private readonly HashSet<string> _names = [];

    /// <summary>What the families that follow are, for people; null where nobody says so.</summary>
    public string? Help { get; set; }

    /// <summary>Adds a count that never falls.</summary>
    /// <param name="name">Its name in camel case, as in the JSON lines.</param>
    /// <param name="value">Since the start.</param>
    /// <param name="help">What it is, for people; null for <see cref="Help"/>.</param>
    public void Counter(string name, double value, string? help = null)
    {
        if (TryBegin(name, "counter", out string family, help))
            Sample(family + "_total", null, value);
    }

    /// <summary>Adds a figure; null leaves it out.</summary>
    /// <param name="name">Its name in camel case, as in the JSON lines.</param>
    /// <param name="value">The figure.</param>
    /// <param name="help">What it is, for people; null for <see cref="Help"/>.</param>
    public void Gauge(string name, double? value, string? help = null)
    {
        if (value is { } known && TryBegin(name, "gauge", out string family, help))
            Sample(family, null, known);
    }

    /// <summary>Adds figures that belong together; those that are null are left out.</summary>
    /// <param name="name">Their name.</param>
    /// <param name="label">Of the label that tells them apart.</param>
    /// <param name="values">What it says of each, and the figure.</param>
    public void Gauges(string name, string label, IEnumerable<(string Label, double? Value)> values)
    {
        (string Label, double? Value)[] known = [.. values.Where(value => value.Value is not null)];
        if (known.Length == 0 || !TryBegin(name, "gauge", out string family))
            return;
        foreach ((string of, double? value) in known)
            Sample(family, $"{label}=\"{Escape(of)}\"", value!.Value);
    }

    /// <summary>Adds what does not change, as labels.</summary>
    public void Info(string name, IEnumerable<(string Label, string Value)> labels)
    {
        if (TryBegin(name, "info", out string family))
            Sample(family + "_info", string.Join(',', labels.Select(label => $"{label.Label}=\"{Escape(label.Value)}\"")), 1);
    }

    /// <summary>All of it; nothing may follow.</summary>
    public string Complete() => _text.Append("# EOF\n").ToString();

    private bool TryBegin(string name, string type, out string family, string? help = null)
    {
        family = Prefix + SnakeCase(name);
        bool isNew = _names.Add(family);
        if (isNew)
            _text.Append(CultureInfo.InvariantCulture, $"# TYPE {family} {type}\n");
        if (isNew && FindUnit(family) is { } ending)
            _text.Append(CultureInfo.InvariantCulture, $"# UNIT {family} {ending[1..]}\n");
        if (isNew && (help ?? Help) is { } words)
            _text.Append(CultureInfo.InvariantCulture, $"# HELP {family} {Escape(words)}\n");
        return isNew;
    }

    private static string? FindUnit(string family) => Array.Find(Units, unit => family.EndsWith(unit, StringComparison.Ordinal));

    private void Sample(string name, string? labels, double value)
    {
        _text.Append(name);
        if (labels is not null)
            _text.Append('{').Append(labels).Append('}');
        _text.Append(' ').Append(Number(value)).Append('\n');
    }

    private static string Number(double value) => value switch
    {
        double.PositiveInfinity => "+Inf",
        double.NegativeInfinity => "-Inf",
        _ => value.ToString(CultureInfo.InvariantCulture),
    };

    private static string Escape(string text) =>
        text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n",
            StringComparison.Ordinal);

    private static string SnakeCase(string name) =>
        string.Concat(name.Select(c => char.IsAsciiLetterUpper(c) ? $"_{char.ToLowerInvariant(c)}" : c == '.' ? "_" : $"{c}"));
}
