using System.Globalization;
using System.Text.Json;
using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Ranks;

namespace PerfTools.Scenarios;

/// <summary>One arrangement of roles, as data: the roles, the links between them, the paths of their figures.</summary>
internal sealed record Scenario
{
    private OptionTable<ScenarioOptions>? _options;

    /// <summary>The word after <c>perftools run</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Its description, in one line of the help.</summary>
    public required string Summary { get; init; }

    /// <summary>Its title, at the start of the headline.</summary>
    public required string Title { get; init; }

    /// <summary>Describes the load other than rates, in the headline.</summary>
    public required Func<ScenarioOptions, string> Load { get; init; }

    /// <summary>The short form of messages per second.</summary>
    public required string RateUnit { get; init; }

    /// <summary>Its default options.</summary>
    public ScenarioOptions Defaults { get; init; } = new();

    /// <summary>The roles, in the order in which they are started.</summary>
    public required IReadOnlyList<Role> Roles { get; init; }

    /// <summary>The links between the roles, the measured one first.</summary>
    public required IReadOnlyList<Link> Links { get; init; }

    /// <summary>The links of each of several providers with its consumers; none where consumers have one provider.</summary>
    public IReadOnlyList<Link> Pairs { get; init; } = [];

    public required FigurePaths Figures { get; init; }

    /// <summary>Finds the latency samples per second on each measuring connection, and the option that sets them.</summary>
    public Func<ScenarioOptions, (string Option, LatencyRate Rate)> FindSamples { get; init; } = o =>
        ("--latency-rate", o.EffectiveLatencyRate);

    /// <summary>Adds the options that not every scenario has, in the order of the help.</summary>
    public required IReadOnlyList<Action<OptionTable<ScenarioOptions>>> OwnOptions { get; init; }

    /// <summary>Adds the options that every run has.</summary>
    public Action<OptionTable<ScenarioOptions>> AddCommon { get; init; } = ScenarioRows.AddCommon;

    /// <summary>Creates the whole headline of a scenario whose roles name no ports; null for the default headline.</summary>
    public Func<ScenarioOptions, string>? Headline { get; init; }

    /// <summary>Runs it once or several times, as its options ask for; null runs it once.</summary>
    public RunSeries? Series { get; init; }

    /// <summary>Chooses for each run the values that its user left open.</summary>
    public Func<ScenarioOptions, ScenarioOptions> Complete { get; init; } = static options => options;

    /// <summary>
    /// Finds a contradiction in the options that only this scenario has, as a sentence that names the flags; null when there is none.
    /// </summary>
    public Func<ScenarioOptions, string?> FindOwnProblem { get; init; } = static _ => null;

    /// <summary>The entries that it adds to the inputs of run.json, by name.</summary>
    public IReadOnlyList<(string Name, Func<ScenarioOptions, object?> Read)> OwnInputs { get; init; } = [];

    /// <summary>All its options: its own, those of every run, and those of its roles.</summary>
    public OptionTable<ScenarioOptions> Options => _options ??= OptionsFrom(Defaults);

    /// <summary>The number of runs for which options ask.</summary>
    public int CountRuns(ScenarioOptions options) => Series?.Count(options) ?? 1;

    /// <summary>Says why options need more than one run, which cannot be one side of a duel; null when they do not.</summary>
    public string? FindSeveralRuns(ScenarioOptions options) => CountRuns(options) > 1 ? Series!.HowOne : null;

    /// <summary>The roles of a run, in the order in which they are started.</summary>
    public IReadOnlyList<Role> RolesOf(ScenarioOptions options) => [.. Roles.Where(role => !role.IsLeftOut(options))];

    /// <summary>The links of a run, the measured one first.</summary>
    public IReadOnlyList<Link> LinksOf(ScenarioOptions options)
    {
        string[] names = [.. RolesOf(options).Select(role => role.Name)];
        return [.. Links.Where(link => !link.IsLeftOut(options) && names.Any(link.IsFrom) && names.Any(link.IsTo))];
    }

    /// <summary>The roles that send the measured messages.</summary>
    public IEnumerable<Role> Senders => Roles.Where(role => Links[0].IsFrom(role.Name));

    /// <summary>The roles whose time stamps another one measures: of several those that it knows, otherwise all.</summary>
    public IReadOnlyList<Role> SendersOf(Role measuring)
    {
        Role[] all = [.. Senders];
        Role[] known = [.. all.Where(sender => sender.Name == measuring.Name || sender.Name == measuring.Source || measuring.ConnectsTo.Contains(sender.Name))];
        return known is [] ? all : known;
    }

    /// <summary>Creates the line that describes the run, with the addresses on which its roles listen.</summary>
    /// <param name="options">The options.</param>
    /// <param name="addresses">The addresses.</param>
    /// <param name="ranks">The machines, instead of an address; null for a run of this one.</param>
    public string CreateHeadline(ScenarioOptions options, IReadOnlyDictionary<string, HostAddress> addresses, string? ranks = null)
    {
        if (Headline is not null)
            return Headline(options);
        if (ranks is not null)
            return CreateHeadline(options, ranks);
        Role first = Roles.First(role => addresses.ContainsKey(role.Name));
        HostAddress address = addresses[first.Name];
        string place = options.External.ContainsKey(first.Name) ? $"{first.Name} at {address}" : Format($"loopback port {address.Port}");
        return CreateHeadline(options, place);
    }

    private string CreateHeadline(ScenarioOptions options, string place) => $"{Title}, {place}: {Load(options)}, {string.Join(", ", DescribeLoad(options))}";

    /// <summary>Describes the options, under the names of run.json.</summary>
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
        if (options.Ranks.Place is { } place)
            inputs["place"] = place.ToString();
        if (options.Ranks.ClockStamps == ClockStamps.Kernel)
            inputs["clockStamps"] = ClockStampWords.Kernel;
        if (options.Ranks.ClockRate != ClockOptions.UsualRate)
            inputs["clockRate"] = options.Ranks.ClockRate;
        if (options.Schedule is { } course)
            inputs["rateProfile"] = course.Profile;
        return InputJson.Of(inputs);
    }

    /// <summary>Warns of a run that will be too short for p99; null when it is long enough.</summary>
    public string? FindSampleShortage(ScenarioOptions options)
    {
        (string option, LatencyRate rate) = FindSamples(options);
        return options.External.ContainsKey(Links[0].From)
            ? null : SampleShortage.Find(rate, option, options.Seconds,
                Figures.Measured.MeasuredBy.Sum(role => RoleArgumentRules.CountConnections(role, options)));
    }

    /// <summary>Finds the first contradiction in options, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem(ScenarioOptions options) =>
        options.FindProblem() ?? RoleRows.FindProblem(options, Roles) ?? FindScheduleProblem(options)
            ?? WorkerBinding.FindProblem(this, options) ?? ScenarioRows.FindProbesProblem(options) ?? FindOwnProblem(options);

    /// <summary>The same options with other default values.</summary>
    public OptionTable<ScenarioOptions> OptionsFrom(ScenarioOptions defaults)
    {
        OptionTable<ScenarioOptions> table = new($"perftools run {Name}", defaults, FindProblem) { HasLongNames = true };
        foreach (Action<OptionTable<ScenarioOptions>> add in OwnOptions)
            add(table);
        AddCommon(table);
        AddRanks(table);
        RoleRows.Add(table, Roles);
        return table;
    }

    private void AddRanks(OptionTable<ScenarioOptions> table)
    {
        string[] names = [.. Roles.Select(role => role.Name)], usual = [.. RolesOf(Defaults).Select(role => role.Name)];
        RankPlacement example = RankPlacement.InTurn(usual, usual.Length);
        string several = string.Concat(RepeatedRoles.Find(this).Select(role => $"; {role}=1x3: three on rank 1"));
        RankRows.Add(table, o => o.Ranks, (o, v) => o with { Ranks = v }, text => RankPlacement.TryParse(text, names),
            $"a list such as {example}", $"which rank has which role (default: {example}; the last rank has those that follow){several}");
        if (Roles.Any(role => role.CorrectsClock))
            ScenarioRows.AddProbes(table);
    }

    private string? FindScheduleProblem(ScenarioOptions options)
    {
        string name = options.Steps is null ? "--ramp" : "--steps";
        return options switch
        {
            { Schedule: null } => null,
            { NoProvider: true } => $"{name} cannot be combined with --no-provider",
            { NoUpdates: true } => $"{name} cannot be combined with --no-updates",
            _ when RemoteStartWait.Of(this, options) is not null => $"{name}: who measures is external and tells nothing",
            _ when options.External.ContainsKey(Links[0].From) => $"{name}: the {Links[0].From} is external and accepts no options from here",
            _ => null,
        };
    }

    // Rates, connection, duration. The rate of a sender that is not ours is not set by the run.
    private IEnumerable<string> DescribeLoad(ScenarioOptions options)
    {
        bool isRateKnown = options.HasUpdates && !options.External.ContainsKey(Links[0].From);
        if (isRateKnown)
        {
            yield return $"{options.Schedule?.Shown ?? Format($"{options.Rate:N0}")} {Links[0].What}/s";
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
