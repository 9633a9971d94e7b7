using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Scenarios;

/// <summary>One program of a scenario: what it is told, when it is ready, how it ends.</summary>
internal sealed record Role
{
    /// <summary>What the tools print in front of their port.</summary>
    public const string ListeningLine = "Listening on port ";

    /// <summary>Its name in <c>--args</c>, <c>--external</c>, run.json and the closing block.</summary>
    public required string Name { get; init; }

    /// <summary>The program, without its extension.</summary>
    public required string Tool { get; init; }

    /// <summary>What messages call it; the program's name where nothing else is said.</summary>
    public string Title { get => field ?? Tool; init; }

    /// <summary>The first part of the names of its log and JSON lines; the program's name where nothing else is said.</summary>
    public string FileStem { get => field ?? Tool; init; }

    /// <summary>The guide's first part of its other files' names, as <c>Cons</c> in <c>ConsStats</c>; else that of its log.</summary>
    public string ReportStem { get => field ?? FileStem; init; }

    /// <summary>What stands in front of the port in the line that says it is ready; null when no other role connects to it.</summary>
    public string? ReadyLine { get; init; }

    /// <summary>True of one that is met by its host alone, on whatever ports the scenario has.</summary>
    public bool IsMetByHost { get; init; }

    /// <summary>True when it may be one that runs elsewhere.</summary>
    public bool MayBeExternal => ReadyLine is not null || IsMetByHost || ConnectsItself;

    /// <summary>True of one that only connects to others: whoever runs it elsewhere lets it do so.</summary>
    public bool ConnectsItself => ReadyLine is null && !IsMetByHost && !HasOwnFiles && ConnectsTo.Count > 0;

    /// <summary>The names of the roles it connects to.</summary>
    public IReadOnlyList<string> ConnectsTo { get; init; } = [];

    /// <summary>Its worker threads.</summary>
    public Func<ScenarioOptions, int> CountWorkers { get; init; } = static options => options.Threads;

    public required RoleEnding Ending { get; init; }

    /// <summary>True of options with which the run goes without it.</summary>
    public Func<ScenarioOptions, bool> IsLeftOut { get; init; } = static _ => false;

    /// <summary>True of the latest figures of the roles before it when it is time to start it; null starts it at once.</summary>
    public Func<ScenarioOptions, Func<string, JsonView>, bool>? StartsWhen { get; init; }

    /// <summary>The short form of <c>--args name="..."</c>, with one dash; null for none.</summary>
    public string? ShortOption { get; init; }

    /// <summary>Adds what this scenario tells it beside what every role is told.</summary>
    public required Func<RoleArguments, RoleContext, RoleArguments> Tell { get; init; }

    /// <summary>
    /// True of a program that writes JSON lines and is told itself of its other files: it knows no statistics, and connects in its own way.
    /// </summary>
    public bool HasOwnFiles { get; init; }

    /// <summary>Its stdout and stderr.</summary>
    public string LogFile => FileStem + ".log";

    /// <summary>Its figures, one JSON object a line.</summary>
    public string JsonFile => FileStem + ".jsonl";

    /// <summary>The names of its files, as run.json has them.</summary>
    public RoleFiles Files => new(LogFile, JsonFile, ReportStem);
}

/// <summary>What the arguments of a role may depend on.</summary>
/// <param name="Options">What was asked for.</param>
/// <param name="Folder">The run's folder.</param>
/// <param name="Addresses">Where the roles listen that are ready, by their names.</param>
/// <param name="RunTimeSeconds">Longer than the run can last: a role that nobody ends must end by itself.</param>
internal sealed record RoleContext(
    ScenarioOptions Options, RunFolder Folder, IReadOnlyDictionary<string, HostAddress> Addresses, int RunTimeSeconds)
{
    /// <summary>The processors of the role's workers; none when they are not bound.</summary>
    public IReadOnlyList<int> Processors { get; init; } = [];
}
