using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary>One of the two sides of a duel.</summary>
/// <param name="Name">A or B.</param>
/// <param name="Text">The options on the command line for this side alone.</param>
/// <param name="ToolsFolder">The folder of its programs; null for that of this program.</param>
internal sealed record DuelSide(string Name, string Text = "", string? ToolsFolder = null)
{
    private static readonly char[] ValueMarks = ['=', ':'];

    /// <summary>The programs that play roles in its runs. <c>--a-tool</c></summary>
    public IReadOnlyList<string> Tools { get; init; } = [];

    /// <summary>The side as people read it.</summary>
    public string Shown => (Text.Length > 0 || Tools.Count > 0 ? string.Join(", ", new[] { Text }.Where(text => text.Length > 0).Concat(Tools)) : "no options")
        + (ToolsFolder is null ? "" : $", tools of {ToolsFolder}");

    /// <summary>
    /// Reads the options of its runs: its own are those of the run or, where the run has none of that name, arguments of the role that sends.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="common">The options of both sides.</param>
    /// <returns>The options, or the problem in one sentence.</returns>
    public (ScenarioOptions? Options, string? Problem) Read(Scenario scenario, ScenarioOptions common)
    {
        if (!ArgumentText.TrySplit(Text, out IReadOnlyList<string> words, out _))
            return (null, Unclosed);
        common = common with { Editions = Tools.Aggregate(common.Editions, (editions, tool) => editions.WithTool(tool)!) };
        OptionTable<ScenarioOptions> table = scenario.OptionsFrom(common);
        string[] known = [.. table.Rows.SelectMany(row => row.AllNames)];
        if (words.Count > 0 && !words.Any(word => known.Contains(word.Split(ValueMarks)[0])))
            return Check(scenario, common.WithArguments(scenario.Links[0].From, words));
        ParsedCommandLine<ScenarioOptions> parsed = table.Parse(words);
        return parsed.Options is { } options
            ? Check(scenario, options) : (null, Describe(parsed.Problem));
    }

    /// <summary>Reads the options of its ramps of users.</summary>
    /// <param name="load">The load.</param>
    /// <param name="common">The options of both sides.</param>
    /// <returns>The options, or the problem in one sentence.</returns>
    public (UsersOptions? Options, string? Problem) Read(UsersLoad load, UsersOptions common)
    {
        if (!ArgumentText.TrySplit(Text, out IReadOnlyList<string> words, out _))
            return (null, Unclosed);
        if (Tools.Count > 0)
            return (null, $"{Flag}-tool: a load of users has no roles of other editions");
        ParsedCommandLine<UsersOptions> parsed = UsersOptions.CreateDuelTable(load, common).Parse(words);
        return parsed.Options is not { } options ? (null, Describe(parsed.Problem))
            : FindMissingProgram([ToolNames.Hub, ToolNames.Source, ToolNames.Users]) is { } missing ? (null, missing) : (options, null);
    }

    private string Flag => $"--{Name.ToLowerInvariant()}";

    private string Unclosed => $"{Flag}: '{Text}' is not a list of options with every quote closed";

    private string Describe(string? problem) => $"{Flag}: {problem ?? "help is no option of a run"}";

    private (ScenarioOptions?, string?) Check(Scenario scenario, ScenarioOptions options) =>
        scenario.FindProblem(options) is { } problem ? (null, Describe(problem))
        : FindMissingProgram(scenario.RolesOf(options).Select(role => role.Tool)) is { } missing ? (null, missing) : (options, null);

    private string? FindMissingProgram(IEnumerable<string> tools) => ToolsFolder is null ? null
        : tools.Select(tool => ToolFolder.Find(ToolsFolder, tool).File).FirstOrDefault(path => !File.Exists(path)) is { } path
            ? $"{Flag}-tools: {path}: no such file" : null;
}

/// <summary>The two configurations to compare, and the number of runs. Vary it with <c>with</c>.</summary>
internal sealed record DuelOptions
{
    private const int MaxPairs = 1_000;

    /// <summary>The reference. <c>--a</c>, <c>--a-tools</c></summary>
    public DuelSide A { get; init; } = new("A");

    /// <summary>The candidate. <c>--b</c>, <c>--b-tools</c></summary>
    public DuelSide B { get; init; } = new("B");

    /// <summary>The number of runs of each, after one that does not count. <c>--pairs</c></summary>
    public int Pairs { get; init; } = 5;

    /// <summary>The changes with which it fails. <c>--fail</c></summary>
    public IReadOnlyList<ChangeLimit> Limits { get; init; } = [];

    public static OptionTable<DuelOptions> CreateTable()
    {
        OptionTable<DuelOptions> table = new("perftools duel", new DuelOptions(), _ => null) { HasLongNames = true };
        AddSide(table, "a", "A, which is measured against", o => o.A, (o, v) => o with { A = v });
        AddSide(table, "b", "B, which is in question", o => o.B, (o, v) => o with { B = v });
        table.Number("-pairs", "n", "runs of each, in the order A B B A, after one of each that does not count", o => o.Pairs,
            (o, v) => o with { Pairs = v }).Within(1, MaxPairs);
        table.AddFail(o => o.Limits, (o, v) => o with { Limits = v });
        return table;
    }

    private static void AddSide(OptionTable<DuelOptions> table, string name, string what, Func<DuelOptions, DuelSide> get,
        Func<DuelOptions, DuelSide, DuelOptions> set)
    {
        table.Custom($"-{name}", "\"options\"", "a text", $"further options of {what}: of the run, or of the role that sends", _ => null,
            (o, s) => set(o, get(o) with { Text = s }));
        table.Custom($"-{name}-tools", "folder", "a folder", $"the folder with the programs of {what} (default: those of this program)",
            _ => null,
            (o, s) => s.Length > 0 ? set(o, get(o) with { ToolsFolder = Path.GetFullPath(s) }) : null);
        table.Custom($"-{name}-tool", "role=\"command\"", "role=\"command\" with every quote closed",
            $"program of any edition that plays a role in {what}; repeatable",
            _ => null, (o, s) => new EditionOptions().WithTool(s) is null ? null : set(o, get(o) with { Tools = [.. get(o).Tools, s] })).Repeatable();
    }
}
