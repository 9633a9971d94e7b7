using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Scenarios;

/// <summary>The option rows of the scenarios, each written once.</summary>
internal static class ScenarioRows
{
    /// <summary>The value that pins workers.</summary>
    public const string BindAuto = "auto";

    private const int MaxRepeats = 1_000;
    private const string ClockName = "-clock";
    private const string ClockKeyName = "-clock-key";
    private const string ClockStampsName = "-clock-stamps";
    private const string ClockRateName = "-clock-rate";

    /// <summary>The entries in the inputs of run.json for the options here.</summary>
    public static (string Name, Func<ScenarioOptions, object?> Read) Items { get; } = ("items", o => o.Items);

    public static (string Name, Func<ScenarioOptions, object?> Read) Posting { get; } = ("posting", o => o.Posting);

    public static IReadOnlyList<(string Name, Func<ScenarioOptions, object?> Read)> Conversations { get; } =
        [Posting, ("generic", o => o.Generic), ("rtt", o => o.RoundTrips)];

    public static void AddItems(OptionTable<ScenarioOptions> table) =>
        table.Number("-items", "n", "items that the consumer opens", o => o.Items, (o, v) => o with { Items = v }).AtLeast(1);

    /// <summary>Adds messages per second, and the number of them with a time stamp.</summary>
    public static void AddRates(OptionTable<ScenarioOptions> table, string what)
    {
        table.Number("-rate", "n", $"{what} a second, for each connection", o => o.Rate, (o, v) => o with { Rate = v }).AtLeast(0);
        table.Custom("-latency-rate", "n", "a whole number or all",
            $"{what} a second that carry a time stamp, or all (default 1000, at most one a tick)", o => o.LatencyRate?.ToString(),
            (o, s) => LatencyRate.TryParse(s, out LatencyRate v) ? o with { LatencyRate = v } : null);
        table.Choice("-stamp", "time", "timestamp source: sent (when encoded) or due (when scheduled)",
            StampWords.All,
            o => o.StampsDue, (o, v) => o with { StampsDue = v });
    }

    /// <summary>Adds changing rates, for scenarios whose updates are sent by a role with a rate profile.</summary>
    public static void AddRateSchedule(OptionTable<ScenarioOptions> table)
    {
        table.Custom("-steps", "rates:s", RateSchedule.StepsKind,
            "rates one after the other, each for the seconds after the colon, instead of --rate and --seconds: 100000,200000,400000:10",
            o => o.Steps?.ToString(), (o, s) => RateSchedule.TryParseSteps(s) is { } v ? o with { Schedules = o.Schedules with { Steps = v } } : null);
        table.Custom("-ramp", "from:to:s", RateSchedule.RampKind,
            "rate that grows from a first to a last value within seconds, instead of --rate and --seconds: 100000:1000000:60",
            o => o.Ramp?.ToString(), (o, s) => RateSchedule.TryParseRamp(s) is { } v ? o with { Schedules = o.Schedules with { Ramp = v } } : null);
    }

    public static void AddUpdateRates(OptionTable<ScenarioOptions> table) => AddRates(table, "updates");

    public static void AddPosting(OptionTable<ScenarioOptions> table) =>
        table.Number("-posting", "n", "posts a second of each connection, which come back as updates", o => o.Posting,
            (o, v) => o with { Posting = v })
            .AtLeast(0);

    /// <summary>Adds the messages in addition to updates.</summary>
    public static void AddConversations(OptionTable<ScenarioOptions> table)
    {
        AddPosting(table);
        table.Number("-generic", "n", "generic messages a second of each connection, both ways", o => o.Generic,
            (o, v) => o with { Generic = v }).AtLeast(0);
        table.Switch("-rtt", "measure round trips on the login stream", o => o.RoundTrips, (o, v) => o with { RoundTrips = v });
    }

    public static void AddSize(OptionTable<ScenarioOptions> table) =>
        Transport(table).Number("-size", "bytes", "bytes of one message", o => o.MessageBytes, (o, v) => o with { MessageBytes = v }).AtLeast(16);

    public static void AddConnections(OptionTable<ScenarioOptions> table) =>
        Transport(table).Number("-connections", "n", "connections of the client, served by one worker thread of each role", o => o.Connections,
            (o, v) => o with { Connections = v }).Within(1, TransportLoad.MaxConnections);

    public static void AddPacking(OptionTable<ScenarioOptions> table) =>
        table.Number("-pack", "n", "most messages in one buffer, 1 for no packing", o => o.Pack, (o, v) => o with { Pack = v }).AtLeast(1);

    /// <summary>Adds the clock of a provider on another host, for the consumer's arguments.</summary>
    public static void AddClock(OptionTable<ScenarioOptions> table)
    {
        table.Custom(ClockName, "host:port", "host:port",
            "correct latencies by the clock of an external provider's host, where perftools clock --listen answers",
            o => FindMissing(o, ClockOptions.PeerName), (o, s) => ClockOptions.TryParseAddress(s) is null ? null
                : o.WithArguments(RoleNames.Consumer, [ClockOptions.PeerName, s]));
        table.Text(ClockKeyName, "file", "file with the key for --clock", o => FindMissing(o, ClockOptions.KeyName),
            (o, s) => o.WithArguments(RoleNames.Consumer, [ClockOptions.KeyName, Path.GetFullPath(s)]));
    }

    /// <summary>Adds stamps and rate of the probes of clocks, for scenarios that correct latencies.</summary>
    public static void AddProbes(OptionTable<ScenarioOptions> table)
    {
        OptionRows<ScenarioOptions, RankOptions> rows = table.Part(o => o.Ranks, (o, v) => o with { Ranks = v });
        rows.Choice(ClockStampsName, "kind", ClockStampWords.Help, ClockStampWords.All, r => r.ClockStamps, (r, v) => r with { ClockStamps = v });
        rows.Number(ClockRateName, "n", ClockOptions.RateHelp, r => r.ClockRate, (r, v) => r with { ClockRate = v })
            .Within(ClockOptions.MinRate, ClockOptions.MaxRate);
    }

    /// <summary>Reports an option of probes that nothing sends; null for none.</summary>
    public static string? FindProbesProblem(ScenarioOptions options) => options.Ranks switch
    {
        { Rank: not null } => null,
        _ when FindMissing(options, ClockOptions.PeerName) is not null => null,
        { ClockStamps: ClockStamps.Kernel } => $"-{ClockStampsName} {ClockStampWords.Kernel} needs --rank, or -{ClockName} of direct",
        { ClockRate: not ClockOptions.UsualRate } => $"-{ClockRateName} needs --rank, or -{ClockName} of direct",
        _ => null,
    };

    /// <summary>Reports that one of the options of the clock is missing; null when both are given, or none.</summary>
    public static string? FindClockProblem(ScenarioOptions options) =>
        (FindMissing(options, ClockOptions.PeerName), FindMissing(options, ClockOptions.KeyName)) switch
        {
            (not null, null) => $"-{ClockName} needs -{ClockKeyName}",
            (null, not null) => $"-{ClockKeyName} needs -{ClockName}",
            _ => null,
        };

    private static string? FindMissing(ScenarioOptions options, string option) =>
        options.ArgumentsOf(RoleNames.Consumer).SkipWhile(word => word != option).Skip(1).FirstOrDefault();

    /// <summary>Adds the options of every run.</summary>
    public static void AddCommon(OptionTable<ScenarioOptions> table)
    {
        table.Number("-seconds", "s", "seconds of measuring", o => o.Seconds, (o, v) => o with { Seconds = v }).AtLeast(1);
        table.Choice("-connection", "kind", "socket, encrypted or websocket", ConnectionWords.Kinds, o => o.Connection,
            (o, v) => o with { Connection = v });
        table.Choice("-compression", "kind", "none, zlib or lz4", ConnectionWords.Compressions, o => o.Compression,
            (o, v) => o with { Compression = v });
        AddBinding(table);
        table.Switch("-smooth", "up to 10000 bursts a second instead of 1000, each a tenth as large", o => o.IsSmooth,
            (o, v) => o with { IsSmooth = v });
        AddJudging(table);
    }

    /// <summary>Adds the pinning of each worker to a separate processor.</summary>
    public static void AddBinding(OptionTable<ScenarioOptions> table) =>
        AddBinding(table, o => o.BindsWorkers, (o, v) => o with { BindsWorkers = v });

    /// <summary>Adds the same to other options.</summary>
    public static void AddBinding<T>(OptionTable<T> table, Func<T, bool> get, Func<T, bool, T> set)
        where T : class =>
        table.Choice("-bind", "how", "auto: pin each worker thread to its own processor; none: the system places them",
            [new("none", false), new(BindAuto, true)], get, set);

    /// <summary>Adds the number of runs, each in a separate folder.</summary>
    public static void AddRepeat<T>(OptionTable<T> table, string what, Func<T, int> get, Func<T, int, T> set)
        where T : class => table.Number("-repeat", "n", $"number of {what}, in the folders run-1, run-2, ...", get, set).Within(1, MaxRepeats);

    /// <summary>Adds thresholds of round trips, which may name a size, and the folder of results.</summary>
    public static void AddSizedJudging(OptionTable<ScenarioOptions> table)
    {
        string[] others = [Threshold.Cpu, Threshold.Memory];
        table.Custom("-assert", "list", SizedThresholds.Kind(others), SizedThresholds.Help(others), _ => null,
            (o, s) => SizedThresholds.TryParse(s, others) is { } v ? o with { Thresholds = v } : null);
        AddResults(table);
    }

    /// <summary>Adds thresholds and the folder of results.</summary>
    private static void AddJudging(OptionTable<ScenarioOptions> table)
    {
        table.Custom("-assert", "list", Threshold.ListKind(Threshold.Metrics),
            $"thresholds that the result must keep, such as {Threshold.Example(Threshold.Metrics)}; names: {string.Join(", ", Threshold.Metrics)}, and "
                + "role.figure of its JSON lines: consumer.counts.itemsLost<1", _ => null,
            (o, s) => Threshold.TryParseList(s, Threshold.Metrics, namesRoles: true) is { } v ? o with { Thresholds = v } : null);
        AddResults(table);
    }

    private static OptionRows<ScenarioOptions, TransportLoad> Transport(OptionTable<ScenarioOptions> table) =>
        table.Part(o => o.Transport, (o, v) => o with { Transport = v });

    private static void AddResults(OptionTable<ScenarioOptions> table)
    {
        AddRepeat(table, "runs", o => o.Repeat, (o, v) => o with { Repeat = v });
        ResultOutputs.AddRows(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }));
        ResultOutputs.AddTelemetryRows(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }));
        ResultOutputs.AddLive(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }), o => o.LivePort, (o, v) => o with { LivePort = v });
        ResultOutputs.AddSave(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }));
        table.Text("-out", "folder", "folder for all results (default runs/<UTC time>-<scenario>)", o => o.Out,
            (o, v) => o with { Out = v });
    }
}

/// <summary>Adds the options for the roles of a scenario: further arguments of each, and the addresses of external ones.</summary>
internal static class RoleRows
{
    /// <summary>The options that connect the roles with the run.</summary>
    public static readonly IReadOnlyList<string> Reserved = ["-jsonFile", "-hlogFile", "-help", "-?", "-version"];

    /// <summary>Adds <c>--args</c>, its short forms and <c>--external</c>.</summary>
    public static void Add(OptionTable<ScenarioOptions> table, IReadOnlyList<Role> roles)
    {
        foreach (Role role in roles.Where(role => role.ShortOption is not null))
            AddShort(table, role);
        FurtherArguments.AddRow(table, Names(roles), o => o.Arguments, (o, v) => o with { Arguments = v });
        string waited = Names(roles.Where(role => role.ConnectsItself)) is { Length: > 0 } names ? $"; wait for one that connects: {names}" : "";
        table.Custom("-external", "role=host:port", "role=host:port, or the role alone where it connects itself",
            "use a running instance of this role instead of starting one: "
                + $"{Names(roles.Where(role => role.MayBeExternal && !role.ConnectsItself))}{waited}; repeatable",
            _ => null, AddExternal).Repeatable();
        if (roles.Any(role => !role.HasOwnFiles))
            AddEditions(table, roles);
    }

    /// <summary>Finds the first option that contradicts the roles, as a sentence that names it; null when there is none.</summary>
    public static string? FindProblem(ScenarioOptions options, IReadOnlyList<Role> roles) =>
        FindUnknown("--assert", options.Thresholds.Select(threshold => threshold.Role).OfType<string>(), roles)
        ?? FindUnknown("--args", options.Arguments.Roles, roles) ?? FindLeftOut(options, roles)
            ?? FindUnknown("--external", options.External.Keys, roles)
        ?? FindUnknown("--tool", options.Editions.Tools.Keys, roles) ?? FindBothGiven(options)
        ?? FindWrongExternal(options, roles) ?? options.Arguments.FindReserved(options.Arguments.Roles, Reserved);

    private static void AddEditions(OptionTable<ScenarioOptions> table, IReadOnlyList<Role> roles)
    {
        table.Custom("-tool", "role=\"command\"", $"role=\"command\" {FurtherArguments.ClosedQuotes}",
            $"program of any edition that plays a role: {Names(roles)}; repeatable", _ => null,
            (o, s) => o.Editions.WithTool(s) is { } v ? o with { Editions = v } : null).Repeatable();
        table.Custom("-edition", "role=edition", $"role=edition, one of {EditionOptions.Words}",
            $"whose program --tool names, where it does not say: {EditionOptions.Words}; repeatable", _ => null,
            (o, s) => o.Editions.WithEdition(s) is { } v ? o with { Editions = v } : null).Repeatable();
        table.Text("-data", "folder", "folder with input files for programs of --tool that come before those of perftools", o => o.Editions.Data,
            (o, v) => o with { Editions = o.Editions with { Data = v } });
    }

    /// <summary>Finds a name of which no role is known; as a sentence, null where there is none.</summary>
    public static string? FindUnknown(string option, IEnumerable<string> named, IReadOnlyList<string> known) =>
        named.FirstOrDefault(name => !known.Contains(name)) is { } unknown ? $"{option}: {ClosestName.Refuse(unknown, "role", known)}" : null;

    private static string? FindUnknown(string option, IEnumerable<string> named, IReadOnlyList<Role> roles) =>
        FindUnknown(option, named, [.. roles.Select(role => role.Name)]);

    private static string? FindLeftOut(ScenarioOptions options, IReadOnlyList<Role> roles) =>
        roles.FirstOrDefault(role => role.IsLeftOut(options) && options.Arguments.Has(role.Name)) is { } absent
            ? $"--args: the {absent.Name} takes no part in this run" : null;

    private static string? FindWrongExternal(ScenarioOptions options, IReadOnlyList<Role> roles)
    {
        if (roles.FirstOrDefault(role => options.External.ContainsKey(role.Name) && !role.MayBeExternal) is { } nobodys)
            return $"--external: no role connects to the {nobodys.Name}, so it must be started here";
        if (roles.FirstOrDefault(role => role.ConnectsItself && options.External.TryGetValue(role.Name, out HostAddress? at)
            && at != HostAddress.Elsewhere) is { } named)
        {
            return $"--external: the {named.Name} connects itself; give {named.Name} alone";
        }

        if (roles.FirstOrDefault(role => !role.ConnectsItself && options.External.TryGetValue(role.Name, out HostAddress? at)
            && ((at.Port == 0) != role.IsMetByHost || at == HostAddress.Elsewhere)) is { } other)
        {
            return other.IsMetByHost
                ? $"--external: give {other.Name}=host, its ports are those of the domain" : $"--external: give {other.Name}=host:port";
        }

        if (roles.FirstOrDefault(role => role.ConnectsItself && options.External.ContainsKey(role.Name)
            && role.ConnectsTo.Any(options.External.ContainsKey)) is { } far)
        {
            return $"--external: the {far.Name} and the {far.ConnectsTo[0]} to which it connects are both external: nothing is measured here";
        }

        return options.Arguments.FindExternal(options.External.Keys);
    }

    private static string? FindBothGiven(ScenarioOptions options) =>
        options.External.Keys.FirstOrDefault(options.Editions.Tools.ContainsKey) is { } both
            ? $"--tool: the {both} is external and is not started here" : null;

    private static void AddShort(OptionTable<ScenarioOptions> table, Role role) => table.Custom(
        role.ShortOption!, FurtherArguments.Quoted, $"a list of arguments {FurtherArguments.ClosedQuotes}",
        $"further arguments of {role.Title}, in quotes", _ => null,
        (o, s) => ArgumentText.TrySplit(s, out IReadOnlyList<string> more, out _) ? o.WithArguments(role.Name, more) : null);

    // Roles that differ only by a number are listed once.
    private static string Names(IEnumerable<Role> roles) => string.Join(", ", roles.GroupBy(role => role.Name.TrimEnd("0123456789".ToCharArray()))
        .Select(alike => alike.Count() > 2 ? $"{alike.First().Name} to {alike.Last().Name}" : string.Join(", ", alike.Select(role => role.Name))));

    private static ScenarioOptions? AddExternal(ScenarioOptions options, string text) =>
        text.Split('=', 2) switch
        {
            [{ Length: > 0 } role] => options with { External = options.External.SetItem(role, HostAddress.Elsewhere) },
            [{ Length: > 0 } role, var rest] when HostAddress.TryParseHost(rest) is { } address =>
                options with { External = options.External.SetItem(role, address) },
            _ => null,
        };
}
