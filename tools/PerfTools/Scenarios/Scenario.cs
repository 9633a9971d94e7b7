using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Results;

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
            ["arguments"] = Roles.ToDictionary(role => role.Name, role => SecretArguments.Hide(options.ArgumentsOf(role.Name))),
            ["external"] = options.External.ToDictionary(role => role.Key, role => role.Value.ToString()),
        };
        foreach ((string name, Func<ScenarioOptions, object?> read) in OwnInputs)
            inputs[name] = read(options);
        return inputs;
    }
}
