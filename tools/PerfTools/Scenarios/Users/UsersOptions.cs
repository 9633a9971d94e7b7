using System.Collections.Immutable;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Screen;

namespace PerfTools.Scenarios.Users;

/// <summary>The options of one run of the users suite. Immutable; vary it with <c>with</c>.</summary>
internal sealed record UsersOptions
{
    /// <summary>The roles that may be external.</summary>
    public const string HubRole = "hub";
    public const string SourceRole = "source";

    /// <summary>The role of the processes with users.</summary>
    public const string UsersRole = "users";

    /// <summary>The default condition that ends a ramp of the full size.</summary>
    public const string UsualUntil = "avg<100ms,rate>99%";
    private const int MaxProcesses = 1_000;

    /// <summary>The roles of a ramp; of sources and users there may be several processes.</summary>
    public static readonly IReadOnlyList<string> Roles = [HubRole, SourceRole, UsersRole];

    /// <summary>The figures of a ramp that thresholds may name.</summary>
    private static readonly IReadOnlyList<string> Asserted =
        [.. Threshold.AllBut(Threshold.Images, Threshold.Images + Threshold.Share, Threshold.SendLag, "p99.99"), Threshold.Users];

    /// <summary>True for every step up to the expected capacity of a hub, instead of some seconds. <c>--size</c></summary>
    public bool IsFull { get; init; }

    /// <summary>The steps of every variant; null for those of the load. <c>--steps</c></summary>
    public StepList? Steps { get; init; }

    /// <summary>The times of each step that are given.</summary>
    public UsersTimes Times { get; init; } = new();

    /// <summary>Parameters of every variant. <c>--set</c></summary>
    public ImmutableList<string> Settings { get; init; } = [];

    /// <summary>Parameters, each with several values: a ramp for every combination. <c>--sweep</c></summary>
    public ImmutableList<string> Sweeps { get; init; } = [];

    /// <summary>True for the load's own variants in addition to the base. <c>--variants</c></summary>
    public bool HasAllVariants { get; init; }

    /// <summary>The condition that ends a ramp; null for that of the size. <c>--until</c></summary>
    public string? Until { get; init; }

    /// <summary>The thresholds for the result. <c>--assert</c></summary>
    public IReadOnlyList<Threshold> Thresholds { get; init; } = [];

    /// <summary>
    /// The number of processes that simulate users on each machine with users; null for the number that the load needs. <c>--users-processes</c>
    /// </summary>
    public int? UsersProcesses { get; init; }

    /// <summary>True to pin each worker to a separate processor. <c>--bind</c></summary>
    public bool BindsWorkers { get; init; }

    /// <summary>The addresses of the roles that are not started, by their names. <c>--external</c></summary>
    public ImmutableDictionary<string, HostAddress> External { get; init; } = ImmutableDictionary<string, HostAddress>.Empty;

    /// <summary>Further arguments of the roles, by their names. <c>--args</c></summary>
    public FurtherArguments Arguments { get; init; } = new();

    /// <summary>The port on which an external hub listens for publishers. <c>--ni-port</c></summary>
    public int PublishersPort { get; init; } = 14_003;

    /// <summary>The service of the sources. <c>--service</c></summary>
    public string Service { get; init; } = "BENCH";

    /// <summary>The number of ramps of each variant. <c>--repeat</c></summary>
    public int Repeat { get; init; } = 1;

    /// <summary>The machines. <c>--rank</c> and others</summary>
    public RankOptions Ranks { get; init; } = new();

    public string? Out { get; init; }

    /// <summary>The further outputs of results, during the run and after it.</summary>
    public ResultOutputs Outputs { get; init; } = new();

    /// <summary>The condition that ends a ramp; null for none.</summary>
    public string? EffectiveUntil => Until ?? (IsFull ? UsualUntil : null);

    public int Warmup => Times.WarmupSeconds ?? (IsFull ? 10 : 3);
    public int Settle => Times.SettleSeconds ?? (IsFull ? 10 : 1);
    public int Period => Times.PeriodSeconds ?? (IsFull ? 30 : 4);
    public int Logins => Times.LoginRate ?? (IsFull ? 500 : 1_000);

    /// <summary>Creates the table of one load, or of the whole suite.</summary>
    public static OptionTable<UsersOptions> CreateTable(string name, IReadOnlyList<UsersLoad> loads)
    {
        OptionTable<UsersOptions> table = new($"perftools run {name}", new(), o => FindProblem(o, loads)) { HasLongNames = true };
        AddSteps(table);
        AddTimes(table);
        AddSetting(table);
        table.Custom("-sweep", "name=v1,v2", "name=v1,v2", "a ramp for each value of a parameter; repeatable: for each combination",
            _ => null, (o, text) => o with { Sweeps = o.Sweeps.Add(text) }).Repeatable(o => o.Sweeps);
        table.Choice("-variants", "which", "base, or all: the load's own sweeps too (High and Very High: burstMax; High: size)",
            [new("base", false), new("all", true)], o => o.HasAllVariants, (o, v) => o with { HasAllVariants = v });
        AddUntil(table);
        AddAssert(table);
        ScenarioRows.AddRepeat(table, "ramps of each variant", o => o.Repeat, (o, v) => o with { Repeat = v });
        AddPlace(table);
        AddRanks(table);
        AddOutputs(table);
        AddOut(table);
        return table;
    }

    /// <summary>Creates the table of a duel: one ramp of a load, without variants and ranks.</summary>
    /// <param name="load">The load.</param>
    /// <param name="defaults">The values of options that are not given.</param>
    public static OptionTable<UsersOptions> CreateDuelTable(UsersLoad load, UsersOptions defaults)
    {
        OptionTable<UsersOptions> table = new($"perftools duel {load.Name}", defaults, o => FindProblem(o, [load])) { HasLongNames = true };
        AddSteps(table);
        AddTimes(table);
        AddSetting(table);
        AddUntil(table);
        AddPlace(table);
        ResultOutputs.AddRows(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }));
        AddOut(table);
        return table;
    }

    /// <summary>Creates the table of a search for the maximum number of users: a load and its times, without steps, variants and ranks.</summary>
    /// <param name="load">The load.</param>
    /// <param name="defaults">The values of options that are not given.</param>
    public static OptionTable<UsersOptions> CreateSearchTable(UsersLoad load, UsersOptions defaults)
    {
        OptionTable<UsersOptions> table = new($"perftools search {load.Name}", defaults, o => FindProblem(o, [load])) { HasLongNames = true };
        AddTimes(table);
        AddSetting(table);
        AddPlace(table);
        ResultOutputs.AddRows(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }));
        AddOut(table);
        return table;
    }

    private static void AddSteps(OptionTable<UsersOptions> table)
    {
        table.Choice("-size", "size", "quick, some seconds; full, steps to the end of what a hub may hold",
            [new("quick", false), new("full", true)], o => o.IsFull, (o, v) => o with { IsFull = v });
        table.Custom("-steps", "list", "a rising list such as 250,500 or 250..5500/250",
            "users step after step (default: those of load and size)",
            o => o.Steps?.ToString(), (o, text) => StepList.TryParse(text) is { } v ? o with { Steps = v } : null);
    }

    private static void AddUntil(OptionTable<UsersOptions> table) =>
        table.Custom("-until", "list", "a list such as avg<100ms,rate>99%",
            "end a ramp with the first step that misses one of these, or is not whole (default: none, full avg<100ms,rate>99%)",
            o => o.Until, (o, text) => Threshold.TryParseList(text, Threshold.Metrics) is null ? null : o with { Until = text });

    private static void AddTimes(OptionTable<UsersOptions> table)
    {
        OptionRows<UsersOptions, UsersTimes> times = table.Part(o => o.Times, (o, v) => o with { Times = v });
        times.OptionalNumber("-warmup", "s", "time before the first period (default: 3, full 10)", o => o.WarmupSeconds,
            (o, v) => o with { WarmupSeconds = v }).Within(0, 3_600);
        times.OptionalNumber("-settle", "s", "time from the last log-in of a step to its period (default: 1, full 10)",
            o => o.SettleSeconds, (o, v) => o with { SettleSeconds = v }).Within(0, 3_600);
        times.OptionalNumber("-period", "s", "time that is measured in each step (default: 4, full 30)", o => o.PeriodSeconds,
            (o, v) => o with { PeriodSeconds = v }).Within(1, 3_600);
        times.OptionalNumber("-login-rate", "n", "log-ins a second (default: 1000, full 500)", o => o.LoginRate,
            (o, v) => o with { LoginRate = v }).Within(1, StepList.MaxUsers);
    }

    private static void AddSetting(OptionTable<UsersOptions> table)
    {
        string names = string.Join(", ", UsersParameters.Names);
        table.Custom("-set", "name=value", "name=value", $"a parameter of every variant: {names}; repeatable", _ => null,
            (o, text) => o with { Settings = o.Settings.Add(text) }).Repeatable(o => o.Settings);
    }

    private static void AddPlace(OptionTable<UsersOptions> table)
    {
        table.OptionalNumber("-users-processes", "n",
            "processes with users, per machine that has users (default: one per 5000 users; quick 1)",
            o => o.UsersProcesses, (o, v) => o with { UsersProcesses = v }).Within(1, MaxProcesses);
        ScenarioRows.AddBinding(table, o => o.BindsWorkers, (o, v) => o with { BindsWorkers = v });
        FurtherArguments.AddRow(table, string.Join(", ", Roles), o => o.Arguments, (o, v) => o with { Arguments = v });
        table.Custom("-external", "role=host:port", "role=host:port",
            "use a running instance of this role instead of starting one: hub, or source (a provider for the hub); repeatable",
            _ => null, AddExternal).Repeatable();
        table.Number("-ni-port", "port", "where an external hub listens for publishers", o => o.PublishersPort,
            (o, v) => o with { PublishersPort = v }).Within(1, ushort.MaxValue);
        table.Text("-service", "name", "service of the sources", o => o.Service, (o, v) => o with { Service = v });
    }

    private static void AddRanks(OptionTable<UsersOptions> table)
    {
        RankRows.Add(table, o => o.Ranks, (o, v) => o with { Ranks = v }, UsersPlace.TryParse, UsersPlace.Kind,
            "which ranks have the hub, the sources, users (default: hub=0,source=1 and users on all but 0)");
        RankRows.AddStart(table, o => o.Ranks, (o, v) => o with { Ranks = v });
    }

    // The outputs in addition to the folder.
    private static void AddOutputs(OptionTable<UsersOptions> table)
    {
        OptionRows<UsersOptions, ResultOutputs> outputs = table.Part(o => o.Outputs, (o, v) => o with { Outputs = v });
        ResultOutputs.AddRows(outputs);
        ResultOutputs.AddTelemetryRows(outputs);
        ResultOutputs.AddLive(outputs, o => o.LivePort, (o, v) => o with { LivePort = v });
        ResultOutputs.AddSave(outputs);
    }

    private static void AddAssert(OptionTable<UsersOptions> table) => table.Custom("-assert", "list", Threshold.ListKind(Asserted),
        $"thresholds that the last step must keep, and users for the capacity, such as users>=1000,p99<100ms; names: {string.Join(", ", Asserted)}, and "
            + "role.figure of its JSON lines: hub.counts.updatesDropped<1", _ => null,
        (o, s) => Threshold.TryParseList(s, Asserted, namesRoles: true) is { } v ? o with { Thresholds = v } : null);

    private static void AddOut(OptionTable<UsersOptions> table) =>
        table.Text("-out", "folder", "folder for all results (default runs/<UTC time>-<scenario>)", o => o.Out,
            (o, v) => o with { Out = v });

    private static bool IsRole(string name) => name == HubRole || (name.Split('-', 2) is [SourceRole or UsersRole, var number]
        && int.TryParse(number, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out int part) && part > 0);

    private static UsersOptions? AddExternal(UsersOptions options, string text) =>
        text.Split('=', 2) is [HubRole or SourceRole, var rest] && HostAddress.TryParse(rest) is { } address
            ? options with { External = options.External.SetItem(text.Split('=')[0], address) } : null;

    private static string? FindArgumentProblem(UsersOptions options) =>
        RoleRows.FindUnknown("--args", options.Arguments.Roles, Roles) ?? options.Arguments.FindExternal(options.External.Keys)
            ?? Roles.Select(role => options.Arguments.FindReserved([role], UsersArguments.ReservedOf(role))).FirstOrDefault(problem => problem is not null);

    private static string? FindProblem(UsersOptions options, IReadOnlyList<UsersLoad> loads)
    {
        if (options.Ranks.FindProblem(options.Out) is { } problemOfRanks)
            return problemOfRanks;
        if (options is { Outputs.LivePort: not null, Ranks.Rank: not null })
            return "--serve cannot be combined with --rank";
        if (options.Thresholds.FirstOrDefault(threshold => threshold.Role is { } role && !IsRole(role)) is { } unknown)
            return $"--assert: {unknown.Role}: unknown role; the roles are {HubRole}, source-1, source-2, ... and users-1, users-2, ...";
        if (options.External.Count == 2)
            return "--external: where hub and source are both external, run usersperf by itself";
        if (FindArgumentProblem(options) is { } problemOfArguments)
            return problemOfArguments;
        foreach (UsersLoad load in loads)
        {
            if (UsersVariant.Plan(load, options, out string? problem).Count == 0)
                return problem;
        }

        return options.Outputs.FindProblem();
    }
}

/// <summary>The times of each step; null for those of the size.</summary>
internal sealed record UsersTimes
{
    /// <summary>Seconds before the first period. <c>--warmup</c></summary>
    public int? WarmupSeconds { get; init; }

    /// <summary>Seconds from the last log-in of a step to its period. <c>--settle</c></summary>
    public int? SettleSeconds { get; init; }

    /// <summary>Seconds that are measured in each step. <c>--period</c></summary>
    public int? PeriodSeconds { get; init; }

    /// <summary>Log-ins a second. <c>--login-rate</c></summary>
    public int? LoginRate { get; init; }
}
