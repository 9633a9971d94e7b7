using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Screen;

namespace PerfTools.ScenarioFiles;

/// <summary>The runs that a scenario file requests.</summary>
/// <param name="Name">The name of the file, for the names of folders.</param>
/// <param name="Summary">Its description in a line; null where the file has none.</param>
/// <param name="Runs">The runs, at least one, in their order.</param>
internal sealed record ScenarioPlan(string Name, string? Summary, IReadOnlyList<PlannedRun> Runs);

/// <summary>What a file says of a role.</summary>
/// <param name="Name">The role.</param>
/// <param name="External">The address of a running instance; null for none.</param>
internal sealed record PlannedRole(string Name, HostAddress? External)
{
    /// <summary>Its further arguments; null for none.</summary>
    public IReadOnlyList<string>? Arguments { get; init; }

    /// <summary>The program that plays it; null for ours.</summary>
    public ToolCommand? Tool { get; init; }

    /// <summary>The edition of the program; null where it is not given.</summary>
    public Edition? Edition { get; init; }
}

/// <summary>One run of a scenario file: a scenario with its options.</summary>
/// <param name="Name">The name of its entry among the runs of the file; null where it is the only one.</param>
internal abstract record PlannedRun(string? Name)
{
    private const int MaxFolderName = 120;

    /// <summary>The options that the matrix of the file varies, with their values in this run.</summary>
    public IReadOnlyList<(string Name, string Value)> Varied { get; init; } = [];

    /// <summary>The text that distinguishes it from the others of the file; empty for the only one.</summary>
    public string Title => string.Join(", ", new[] { Name }.OfType<string>().Concat(Varied.Select(one => $"{one.Name} {one.Value}")));

    /// <summary>The name of its folder within that of all runs.</summary>
    public string Folder
    {
        get
        {
            string name = string.Join('_', new[] { Name }.OfType<string>().Concat(Varied.Select(one => $"{one.Name}-{one.Value}")));
            string safe = string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || "-_.".Contains(c, StringComparison.Ordinal) ? c : '-')).TrimStart('.');
            return safe.Length == 0 ? "run" : safe[..Math.Min(safe.Length, MaxFolderName)];
        }
    }

    /// <summary>The name of its scenario.</summary>
    public abstract string Scenario { get; }

    /// <summary>The folder for its results; null for a new one.</summary>
    public abstract string? Out { get; }

    /// <summary>The further outputs of its results.</summary>
    public abstract ResultOutputs Outputs { get; }

    /// <summary>Its machines.</summary>
    public abstract RankOptions Ranks { get; }

    /// <summary>The thresholds for its result.</summary>
    public abstract IReadOnlyList<Threshold> Thresholds { get; }

    /// <summary>The roles that a file may describe.</summary>
    public abstract IReadOnlyList<string> RoleNames { get; }

    /// <summary>The members that a file may have for a role.</summary>
    public abstract IReadOnlyList<string> RoleMembers { get; }

    /// <summary>The roles of which something is said.</summary>
    public abstract IReadOnlyList<PlannedRole> Roles { get; }

    /// <summary>The options that a file sets, those that are left out where they are as usual excepted.</summary>
    public abstract IEnumerable<PlannedOption> Options { get; }

    /// <summary>Sets one more option; null, and a mistake is recorded, where that is impossible.</summary>
    public abstract PlannedRun? WithOption(FileProblems problems, string name, int line, JsonNode value);

    /// <summary>Sets what a file says of a role; null, and a mistake is recorded, where that is impossible.</summary>
    public abstract PlannedRun? WithRole(FileProblems problems, string role, JsonMember member);

    /// <summary>Adds the thresholds of a list.</summary>
    public abstract PlannedRun WithAssertions(FileProblems problems, JsonNode? list);

    /// <summary>Applies a command line, then checks what depends on all options together; null where something is wrong.</summary>
    public abstract PlannedRun? Complete(IReadOnlyList<string> overrides, out string? problem);
}

/// <summary>An option of a run.</summary>
/// <param name="Name">Its name without the dash.</param>
/// <param name="Values">Its values as they would be typed: one, but of an option that may be given several times.</param>
/// <param name="Kind">How a file writes it.</param>
internal sealed record PlannedOption(string Name, IReadOnlyList<string> Values, PlannedOptionKind Kind);

/// <summary>How a file writes an option.</summary>
internal enum PlannedOptionKind
{
    /// <summary>A text, or a number where it is one.</summary>
    Value,

    /// <summary>True; a switch that is off is left out.</summary>
    Switch,

    /// <summary>A list of texts.</summary>
    List,
}

/// <summary>The same with the options of its kind of scenario.</summary>
/// <typeparam name="T">The options.</typeparam>
/// <param name="Name">The name of its entry.</param>
/// <param name="Table">The options, which define names and values in a file.</param>
/// <param name="Given">The options so far.</param>
internal abstract record PlannedRun<T>(string? Name, OptionTable<T> Table, T Given) : PlannedRun(Name)
    where T : class
{
    /// <inheritdoc/>
    public override IEnumerable<PlannedOption> Options => OptionMembers.Read(Table, Given, ShortForms);

    /// <summary>The options for which a file has the member of a role.</summary>
    protected virtual IReadOnlyList<string?> ShortForms => [];

    /// <inheritdoc/>
    public override PlannedRun? WithOption(FileProblems problems, string name, int line, JsonNode value) =>
        new OptionMembers<T>(problems, Scenario, Table, ShortForms).Apply(Given, name, line, value) is { } options ? this with { Given = options } : null;

    /// <inheritdoc/>
    public override PlannedRun WithAssertions(FileProblems problems, JsonNode? list) =>
        this with { Given = new OptionMembers<T>(problems, Scenario, Table, ShortForms).ApplyAssertions(Given, list) };

    /// <inheritdoc/>
    public override PlannedRun? Complete(IReadOnlyList<string> overrides, out string? problem)
    {
        ParsedCommandLine<T> parsed = Table.Parse(overrides, beginning: Given);
        problem = parsed.Options is null ? parsed.Problem ?? "help is no option of a run" : null;
        return parsed.Options is { } options ? this with { Given = options } : null;
    }
}
