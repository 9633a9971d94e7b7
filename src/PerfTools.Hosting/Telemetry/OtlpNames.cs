using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>
/// Converts names and units of metrics to the conventions of OpenTelemetry: parts separated by dots, words by underscores, no unit in a name but
/// percent, times in seconds, units in UCUM.
/// </summary>
internal static class OtlpNames
{
    /// <summary>Prefix of every name.</summary>
    public const string Prefix = "perftools.";

    /// <summary>The unit of times.</summary>
    public const string Seconds = "s";

    private const double Micro = 1e-6, Milli = 1e-3;

    // Units of the catalogue that differ here.
    private static readonly Dictionary<string, (string Unit, double Factor)> Units = new()
    {
        ["us"] = (Seconds, Micro),
        ["ms"] = (Seconds, Milli),
        ["MB"] = ("By", 1_048_576),
        ["bytes"] = ("By", 1),
    };

    /// <summary>Returns the name and unit of a family, and the factor for its values.</summary>
    public static (string Name, string? Unit, double Factor) Of(MetricFamily family)
    {
        if (MetricUnit.FindIn(family.Name) is { } named)
            return (Spell(named.Symbol == MetricUnit.Percent ? family.Name : family.Name[..^named.Ending.Length]), named.Symbol, named.Factor);
        (string? other, double times) = family.Unit is { } given ? Units.GetValueOrDefault(given, (given, 1)) : (null, 1);
        return (Spell(family.Name), other, times);
    }

    // A capital begins a word, a dot a part.
    private static string Spell(string name) =>
        Prefix + string.Join('.', name.TrimEnd('.').Split('.').Select(part => MetricsText.SnakeCase(part)));
}
