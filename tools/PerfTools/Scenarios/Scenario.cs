using System.Globalization;
using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>One way to let roles meet, as data: who they are, what they send each other, where their figures stand.</summary>
internal sealed class Scenario
{
    private OptionTable<ScenarioOptions>? _options;

    /// <summary>The word behind <c>perftools run</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What it does, in one line of the help.</summary>
    public required string Summary { get; init; }

    /// <summary>What it is, at the start of the headline.</summary>
    public required string Title { get; init; }

    /// <summary>What is asked for beside rates, in the headline.</summary>
    public required Func<ScenarioOptions, string> Load { get; init; }

    /// <summary>Short form of messages a second.</summary>
    public required string RateUnit { get; init; }

    /// <summary>The roles, in the order in which they are started.</summary>
    public required IReadOnlyList<Role> Roles { get; init; }

    /// <summary>What they send each other, the measured link first.</summary>
    public required IReadOnlyList<Link> Links { get; init; }

    /// <summary>Where the figures stand.</summary>
    public required FigurePaths Figures { get; init; }

    /// <summary>Adds the options that not every scenario has, in the order of the help.</summary>
    public required IReadOnlyList<Action<OptionTable<ScenarioOptions>>> OwnOptions { get; init; }

    /// <summary>What of them stands among the inputs of run.json, by name.</summary>
    public IReadOnlyList<(string Name, Func<ScenarioOptions, object?> Read)> OwnInputs { get; init; } = [];

    /// <summary>Its options.</summary>
    public OptionTable<ScenarioOptions> Options => _options ??= ScenarioRows.CreateTable(this);

    /// <summary>One line that says what runs.</summary>
    /// <param name="options">What was asked for.</param>
    /// <param name="addresses">Where its roles listen.</param>
    public string CreateHeadline(ScenarioOptions options, IReadOnlyDictionary<string, HostAddress> addresses)
    {
        bool isRateKnown = !options.External.ContainsKey(Links[0].From);
        string place = ScenarioText.DescribePlace(this, options, addresses);
        return $"{Title}, {place}: {Load(options)}, {ScenarioText.DescribeLoad(options, Links[0].What, isRateKnown)}";
    }

    /// <summary>What was asked for, under the names of run.json.</summary>
    public IReadOnlyDictionary<string, object?> DescribeInputs(ScenarioOptions options)
    {
        Dictionary<string, object?> inputs = new()
        {
            ["rate"] = options.Rate,
            ["latencyRate"] = options.EffectiveLatencyRate is { All: false } some ? some.PerSecond : "all",
            ["seconds"] = options.Seconds,
            ["pack"] = options.Pack,
            ["connection"] = options.Connection.ToString().ToLowerInvariant(),
            ["compression"] = options.Compression.ToString().ToLowerInvariant(),
            ["arguments"] = Roles.ToDictionary(role => role.Name, role => RoleArguments.HideSecrets(options.ArgumentsOf(role.Name))),
            ["external"] = options.External.ToDictionary(role => role.Key, role => role.Value.ToString()),
        };
        foreach ((string name, Func<ScenarioOptions, object?> read) in OwnInputs)
            inputs[name] = read(options);
        return inputs;
    }
}

/// <summary>Every scenario of <c>perftools run</c>.</summary>
internal static class ScenarioList
{
    /// <summary>All of them, in the order of the help.</summary>
    public static IReadOnlyList<Scenario> All { get; } = [DirectScenario.Direct, TransportScenario.Transport, TransportScenario.Reflect];
}

/// <summary>The parts of the headline that all scenarios share.</summary>
internal static class ScenarioText
{
    /// <summary>Where the first role listens: on a port of this machine, or somewhere as the user's own.</summary>
    public static string DescribePlace(Scenario scenario, ScenarioOptions options, IReadOnlyDictionary<string, HostAddress> addresses)
    {
        Role first = scenario.Roles.First(role => addresses.ContainsKey(role.Name));
        HostAddress address = addresses[first.Name];
        return options.External.ContainsKey(first.Name) ? $"{first.Name} at {address}" : Format($"loopback port {address.Port}");
    }

    /// <summary>Rates, way of connecting, length.</summary>
    /// <param name="options">What was asked for.</param>
    /// <param name="what">What the rate counts, in the plural.</param>
    /// <param name="isRateKnown">False when the sender is not ours and nobody tells it a rate.</param>
    public static string DescribeLoad(ScenarioOptions options, string what, bool isRateKnown)
    {
        List<string> parts = [];
        if (isRateKnown)
        {
            parts.Add(Format($"{options.Rate:N0} {what}/s"));
            parts.Add(options.EffectiveLatencyRate is { All: false } some
                ? Format($"{some.PerSecond:N0} latency samples/s") : "each with a time stamp");
        }

        if (isRateKnown && options.Pack > 1)
            parts.Add(Format($"up to {options.Pack:N0} in a pack"));
        if (options.Connection != ConnectionKind.Socket)
            parts.Add(options.Connection == ConnectionKind.Encrypted ? "encrypted" : "WebSocket");
        if (options.Compression != CompressionType.None)
            parts.Add(options.Compression == CompressionType.Zlib ? "zlib" : "lz4");
        parts.Add(Format($"{options.Seconds:N0} s"));
        return string.Join(", ", parts);
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
