using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>
/// Names and units of metrics by the conventions of OpenTelemetry: parts separated by dots, words by underscores, no unit in a name but
/// percent, times in seconds, units in UCUM.
/// </summary>
internal static class OtlpNames
{
    /// <summary>In front of every name.</summary>
    public const string Prefix = "perftools.";

    /// <summary>The unit of times.</summary>
    public const string Seconds = "s";

    /// <summary>Seconds of a microsecond.</summary>
    public const double Micro = 1e-6;

    private const double Milli = 1e-3;

    // What a name ends with where its unit is said by it.
    private static readonly (string Ending, string Unit, double Factor, bool Stays)[] Endings =
    [
        ("Microseconds", Seconds, Micro, false),
        ("Micros", Seconds, Micro, false),
        ("Millis", Seconds, Milli, false),
        ("Seconds", Seconds, 1, false),
        ("Bytes", "By", 1, false),
        ("Percent", "%", 1, true),
    ];

    // Units of the catalogue that are others here.
    private static readonly Dictionary<string, (string Unit, double Factor)> Units = new()
    {
        ["us"] = (Seconds, Micro),
        ["ms"] = (Seconds, Milli),
        ["MB"] = ("MBy", 1),
        ["bytes"] = ("By", 1),
    };

    /// <summary>The name and unit of a family, and by what its values are multiplied.</summary>
    public static (string Name, string? Unit, double Factor) Of(MetricFamily family)
    {
        foreach ((string ending, string unit, double factor, bool stays) in Endings)
        {
            if (family.Name.EndsWith(ending, StringComparison.Ordinal))
                return (Spell(stays ? family.Name : family.Name[..^ending.Length]), unit, factor);
        }

        (string? other, double times) = family.Unit is { } given ? Units.GetValueOrDefault(given, (given, 1)) : (null, 1);
        return (Spell(family.Name), other, times);
    }

    // A capital begins a word, a dot a part.
    private static string Spell(string name) =>
        Prefix + string.Join('.', name.TrimEnd('.').Split('.').Select(part => MetricsText.SnakeCase(part)));
}
