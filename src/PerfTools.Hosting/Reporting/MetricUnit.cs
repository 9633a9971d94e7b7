namespace PerfTools.Hosting.Reporting;

/// <summary>A unit with which the name of a metric ends.</summary>
/// <param name="Ending">The end of the name, in camel case.</param>
/// <param name="Symbol">The unit without a prefix, in UCUM.</param>
/// <param name="Factor">Number of those units in one of this unit.</param>
internal sealed record MetricUnit(string Ending, string Symbol, double Factor)
{
    /// <summary>The symbol of percent.</summary>
    public const string Percent = "%";

    private static readonly MetricUnit[] All =
    [
        new("Microseconds", "s", 1e-6),
        new("Micros", "s", 1e-6),
        new("Millis", "s", 1e-3),
        new("Seconds", "s", 1),
        new("Megabytes", "By", 1_048_576),
        new("Bytes", "By", 1),
        new("Percent", Percent, 1),
    ];

    /// <summary>Finds the unit of a name; null where it does not end with one.</summary>
    public static MetricUnit? FindIn(string name) => Array.Find(All, unit => name.EndsWith(unit.Ending, StringComparison.Ordinal));
}
