using System.Globalization;
using System.Text.Json;
using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>One way to let roles meet, as data: who they are, what they send each other, where their figures stand.</summary>
internal sealed record Scenario
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

    /// <summary>What it asks for where the user does not say.</summary>
    public ScenarioOptions Defaults { get; init; } = new();

    /// <summary>The roles, in the order in which they are started.</summary>
    public required IReadOnlyList<Role> Roles { get; init; }

    /// <summary>What they send each other, the measured link first.</summary>
    public required IReadOnlyList<Link> Links { get; init; }

    public required FigurePaths Figures { get; init; }

    /// <summary>Latency samples a second on each measuring connection, and the option that asks for them.</summary>
    public Func<ScenarioOptions, (string Option, LatencyRate Rate)> FindSamples { get; init; } = o =>
        ("--latency-rate", o.EffectiveLatencyRate);

    /// <summary>Adds the options that not every scenario has, in the order of the help.</summary>
    public required IReadOnlyList<Action<OptionTable<ScenarioOptions>>> OwnOptions { get; init; }

    /// <summary>Adds the options of every run that it has.</summary>
    public Action<OptionTable<ScenarioOptions>> AddCommon { get; init; } = ScenarioRows.AddCommon;

    /// <summary>The whole headline of a scenario whose roles name no ports; null for the usual one.</summary>
    public Func<ScenarioOptions, string>? Headline { get; init; }

    /// <summary>
    /// Runs it once or several times, given the way to run it once and the way to write one report of all in a folder; null runs it once.
    /// </summary>
    public Func<ScenarioOptions, RunHost, Func<ScenarioOptions, RunOutcome>, Func<string, string?>, RunOutcome>? RunAll { get; init; }

    /// <summary>Chooses for each run what its user left open.</summary>
    public Func<ScenarioOptions, ScenarioOptions> Complete { get; init; } = static options => options;

    /// <summary>
    /// Finds a contradiction in what only this scenario has, as a sentence that names the flags; null when there is none.
    /// </summary>
    public Func<ScenarioOptions, string?> FindOwnProblem { get; init; } = static _ => null;

    /// <summary>Says why options ask for more than one run, which cannot be one side of a duel; null when they do not.</summary>
    public Func<ScenarioOptions, string?> FindSeveralRuns { get; init; } = static _ => null;

    /// <summary>What of them stands among the inputs of run.json, by name.</summary>
    public IReadOnlyList<(string Name, Func<ScenarioOptions, object?> Read)> OwnInputs { get; init; } = [];

    /// <summary>Its own options, those of every run, and those that its roles bring.</summary>
    public OptionTable<ScenarioOptions> Options => _options ??= OptionsFrom(Defaults);

    /// <summary>The roles of a run, in the order in which they are started.</summary>
    public IReadOnlyList<Role> RolesOf(ScenarioOptions options) => [.. Roles.Where(role => !role.IsLeftOut(options))];

    /// <summary>What they send each other, the measured link first.</summary>
    public IReadOnlyList<Link> LinksOf(ScenarioOptions options)
    {
        string[] names = [.. RolesOf(options).Select(role => role.Name)];
        return [.. Links.Where(link => !link.IsLeftOut(options) && names.Contains(link.From) && names.Contains(link.To))];
    }

    /// <summary>One line that says what runs; addresses say where its roles listen.</summary>
    public string CreateHeadline(ScenarioOptions options, IReadOnlyDictionary<string, HostAddress> addresses)
    {
        if (Headline is not null)
            return Headline(options);
        Role first = Roles.First(role => addresses.ContainsKey(role.Name));
        HostAddress address = addresses[first.Name];
        string place = options.External.ContainsKey(first.Name) ? $"{first.Name} at {address}" : Format($"loopback port {address.Port}");
        return $"{Title}, {place}: {Load(options)}, {string.Join(", ", DescribeLoad(options))}";
    }

    /// <summary>What was asked for, under the names of run.json.</summary>
    public IReadOnlyDictionary<string, JsonElement> DescribeInputs(ScenarioOptions options)
    {
        Dictionary<string, object?> inputs = new()
        {
            ["rate"] = options.Rate,
            ["latencyRate"] = options.EffectiveLatencyRate is { All: false } some ? some.PerSecond : "all",
            ["stamp"] = options.StampsDue ? StampWords.Due : StampWords.Sent,
            ["seconds"] = options.Seconds,
            ["pack"] = options.Pack,
            ["connection"] = options.Connection.ToString().ToLowerInvariant(),
            ["compression"] = options.Compression.ToString().ToLowerInvariant(),
            ["arguments"] = RolesOf(options).ToDictionary(role => role.Name,
                role => RoleArguments.HideSecrets(options.ArgumentsOf(role.Name))),
            ["external"] = options.External.ToDictionary(role => role.Key, role => role.Value.ToString()),
        };
        foreach ((string name, Func<ScenarioOptions, object?> read) in OwnInputs)
            inputs[name] = read(options);
        if (options.Editions.Described is { Count: > 0 } tools)
            inputs["tools"] = tools;
        if (options.Roundtrip.Size is { } size)
            inputs["size"] = size;
        if (options.Transport.Connections > 1)
            inputs["connections"] = options.Transport.Connections;
        if (options.BindsWorkers)
            inputs["bind"] = ScenarioRows.BindAuto;
        if (options.IsSmooth)
            inputs["smooth"] = true;
        if (options.Course is { } course)
            inputs["rateProfile"] = course.Profile;
        return InputJson.Of(inputs);
    }

    /// <summary>Warns of a run that will be too short for p99; null when it will not be.</summary>
    public string? FindSampleShortage(ScenarioOptions options)
    {
        (string option, LatencyRate rate) = FindSamples(options);
        return options.External.ContainsKey(Links[0].From)
            ? null : SampleShortage.Find(rate, option, options.Seconds,
                Figures.Measured.MeasuredBy.Sum(role => RoleArgumentRules.CountConnections(role, options)));
    }

    /// <summary>The first contradiction in options, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem(ScenarioOptions options) =>
        options.FindProblem() ?? RoleRows.FindProblem(options, Roles) ?? FindCourseProblem(options)
            ?? WorkerBinding.FindProblem(this, options) ?? FindOwnProblem(options);

    /// <summary>The same options with other values for what is not given.</summary>
    public OptionTable<ScenarioOptions> OptionsFrom(ScenarioOptions defaults)
    {
        OptionTable<ScenarioOptions> table = new($"perftools run {Name}", defaults, FindProblem) { HasLongNames = true };
        foreach (Action<OptionTable<ScenarioOptions>> add in OwnOptions)
            add(table);
        AddCommon(table);
        RoleRows.Add(table, Roles);
        return table;
    }

    private string? FindCourseProblem(ScenarioOptions options) =>
        options.Course is not null && ElsewhereWait.Of(this, options) is not null
        ? $"--{(options.Steps is null ? "ramp" : "steps")}: who measures is external and tells nothing"
        : options.Course is not null && options.External.ContainsKey(Links[0].From)
        ? $"--{(options.Steps is null ? "ramp" : "steps")}: the {Links[0].From} is external and accepts no options from here" : null;

    // Rates, way of connecting, length. Nobody tells a rate to a sender that is not ours.
    private IEnumerable<string> DescribeLoad(ScenarioOptions options)
    {
        bool isRateKnown = options.HasUpdates && !options.External.ContainsKey(Links[0].From);
        if (isRateKnown)
        {
            yield return $"{options.Course?.Shown ?? Format($"{options.Rate:N0}")} {Links[0].What}/s";
            yield return options.EffectiveLatencyRate is { All: false } some
                ? Format($"{some.PerSecond:N0} latency samples/s") : "each with a time stamp";
            if (options.StampsDue)
                yield return "stamped as due";
        }

        if (isRateKnown && options.Pack > 1)
            yield return Format($"up to {options.Pack:N0} in a pack");
        if (options.Connection != ConnectionKind.Socket)
            yield return options.Connection == ConnectionKind.Encrypted ? "encrypted" : "WebSocket";
        if (options.Compression != CompressionType.None)
            yield return options.Compression.ToString().ToLowerInvariant();
        yield return Format($"{options.Seconds:N0} s");
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
