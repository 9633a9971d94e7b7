namespace PerfTools.Hosting.Reporting;

/// <summary>The labels of a run's metrics: run, scenario and role, and the machine.</summary>
/// <remarks>
/// The process that starts a program sets them by OpenTelemetry's variable for resources: <c>name=value</c> pairs, separated by commas, with the
/// bytes of other characters percent-encoded.
/// </remarks>
internal static class RunLabels
{
    /// <summary>The environment variable.</summary>
    public const string Variable = "OTEL_RESOURCE_ATTRIBUTES";

    /// <summary>Prefix of the attributes <c>run</c>, <c>scenario</c> and <c>role</c>.</summary>
    public const string Namespace = "perftools.";

    /// <summary>The attribute of the machine's name.</summary>
    public const string Host = "host.name";

    private const int MaxValueLength = 200;
    private static readonly string[] Known = ["run", "scenario", "role"];

    /// <summary>The labels of this process.</summary>
    public static IReadOnlyList<(string Name, string Value)> OfThisProcess { get; } =
        Of(Environment.GetEnvironmentVariable(Variable), Environment.MachineName);

    /// <summary>Writes the text of the variable.</summary>
    /// <param name="attributes">Names of attributes and their values.</param>
    public static string Write(IEnumerable<(string Name, string Value)> attributes) =>
        string.Join(',', attributes.Select(attribute => $"{attribute.Name}={Uri.EscapeDataString(attribute.Value)}"));

    /// <summary>Reads the variable.</summary>
    /// <param name="text">Its text; null where it is not set. Invalid pairs are left out.</param>
    /// <param name="machine">The machine, where the text does not name it.</param>
    public static IReadOnlyList<(string Name, string Value)> Of(string? text, string machine)
    {
        Dictionary<string, string> given = [];
        foreach (string pair in (text ?? "").Split(','))
        {
            if (pair.Split('=', 2) is [var name, var value])
                given[name.Trim()] = Uri.UnescapeDataString(value.Trim());
        }

        return
        [
            .. Known.Where(name => given.ContainsKey(Namespace + name)).Select(name => (name, Cut(given[Namespace + name]))),
            ("host", Cut(given.GetValueOrDefault(Host, machine))),
        ];
    }

    private static string Cut(string value) => value.Length > MaxValueLength ? value[..MaxValueLength] : value;
}
