using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Scenarios;

/// <summary>One program of a scenario: its arguments, when it is ready, how it ends.</summary>
internal sealed record Role
{
    /// <summary>The text that the tools print before their port.</summary>
    public const string ListeningLine = "Listening on port ";

    /// <summary>Its name in <c>--args</c>, <c>--external</c>, run.json and the closing block.</summary>
    public required string Name { get; init; }

    /// <summary>The program, without its extension.</summary>
    public required string Tool { get; init; }

    /// <summary>Its name in messages; by default the program's name.</summary>
    public string Title { get => field ?? Tool; init; }

    /// <summary>The first part of the names of its log and JSON lines; by default the program's name.</summary>
    public string FileStem { get => field ?? Tool; init; }

    /// <summary>The guide's first part of its other files' names, as <c>Cons</c> in <c>ConsStats</c>; else that of its log.</summary>
    public string ReportStem { get => field ?? FileStem; init; }

    /// <summary>The text before the port in the line that says it is ready; null when no other role connects to it.</summary>
    public string? ReadyLine { get; init; }

    /// <summary>True for a role that needs only its host, and listens on the ports of the scenario.</summary>
    public bool IsMetByHost { get; init; }

    /// <summary>True when it may run elsewhere.</summary>
    public bool MayBeExternal => ReadyLine is not null || IsMetByHost || ConnectsItself;

    /// <summary>True for a role that only connects to others: an instance elsewhere is started by hand and connects by itself.</summary>
    public bool ConnectsItself => ReadyLine is null && !IsMetByHost && !HasOwnFiles && ConnectsTo.Count > 0;

    /// <summary>True when a run may have several processes of it, on one rank or several.</summary>
    public bool IsRepeatable { get; init; }

    /// <summary>True for a program that measures latency by the clock of another host.</summary>
    public bool CorrectsClock { get; init; }

    /// <summary>The names of the roles it connects to.</summary>
    public IReadOnlyList<string> ConnectsTo { get; init; } = [];

    /// <summary>True where it connects to every process of a role that has several; otherwise to one of them.</summary>
    public bool ConnectsToAll { get; init; }

    /// <summary>
    /// The role whose messages it receives through another one, where each of several processes has a service: a process receives those of one. Null for
    /// those of all.
    /// </summary>
    public string? Source { get; init; }

    /// <summary>Counts its worker threads.</summary>
    public Func<ScenarioOptions, int> CountWorkers { get; init; } = static options => options.Threads;

    public required RoleEnding Ending { get; init; }

    /// <summary>True for options with which the run omits it.</summary>
    public Func<ScenarioOptions, bool> IsLeftOut { get; init; } = static _ => false;

    /// <summary>True when the latest figures of the roles before it permit its start; null starts it at once.</summary>
    public Func<ScenarioOptions, Func<string, JsonView>, bool>? StartsWhen { get; init; }

    /// <summary>The short form of <c>--args name="..."</c>, with one dash; null for none.</summary>
    public string? ShortOption { get; init; }

    /// <summary>Adds the arguments of this scenario to those that every role gets.</summary>
    public required Func<RoleArguments, RoleContext, RoleArguments> AddArguments { get; init; }

    /// <summary>
    /// True for a program that writes JSON lines and has separate options for its other files: it has no statistics, and connects in its own way.
    /// </summary>
    public bool HasOwnFiles { get; init; }

    /// <summary>The file with its stdout and stderr.</summary>
    public string LogFile => FileStem + ".log";

    /// <summary>The file with its figures, one JSON object per line.</summary>
    public string JsonFile => FileStem + ".jsonl";

    /// <summary>The names of its files, as run.json has them.</summary>
    public RoleFiles Files => new(LogFile, JsonFile, ReportStem);

    /// <summary>True for the name of a file that it writes into the folder of the run.</summary>
    public bool HasFile(string name) => ((string[])[FileStem, ReportStem]).Any(stem =>
        name.StartsWith(stem, StringComparison.Ordinal) && name.Length > stem.Length && !char.IsAsciiDigit(name[stem.Length]));

    /// <summary>The same as one of several processes, with a name and files that tell it from the others.</summary>
    /// <param name="number">Its number, from 1.</param>
    public Role Number(int number) => this with
    {
        Name = RoleNames.OneOf(Name, number),
        Title = FormattableString.Invariant($"{Title} {number}"),
        FileStem = FormattableString.Invariant($"{FileStem}-{number}"),
        ReportStem = FormattableString.Invariant($"{ReportStem}-{number}"),
    };
}

/// <summary>The inputs from which the arguments of a role are created.</summary>
/// <param name="Options">The options.</param>
/// <param name="Folder">The run's folder.</param>
/// <param name="Addresses">The addresses of the roles that are ready, by their names.</param>
/// <param name="RunTimeSeconds">Longer than the run can last: a role that is not ended must end by itself.</param>
internal sealed record RoleContext(
    ScenarioOptions Options, RunFolder Folder, IReadOnlyDictionary<string, HostAddress> Addresses, int RunTimeSeconds)
{
    /// <summary>The processors of the role's workers; empty when they are not pinned.</summary>
    public IReadOnlyList<int> Processors { get; init; } = [];

    /// <summary>The ranks of the run; null for a run of this machine alone.</summary>
    public ScenarioRanks? Ranks { get; init; }

    /// <summary>Which of the processes of its role it is, from 1, and how many there are; null for the only one.</summary>
    public (int Number, int Count)? Share { get; init; }

    /// <summary>The number of the process whose messages it receives, from 1; null where that role has one.</summary>
    public int? SourceNumber { get; init; }
}
