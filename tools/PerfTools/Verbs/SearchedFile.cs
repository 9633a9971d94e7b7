using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools search my.json</c>: the single run of a scenario file, whose thresholds a value has to keep.</summary>
/// <param name="Name">The name of the file, for the names of folders.</param>
/// <param name="SearchTable">The search options; the thresholds of the file are used where the command line has none.</param>
internal abstract record SearchedFile(string Name, OptionTable<SearchOptions> SearchTable)
{
    /// <summary>The placeholder for the file's name on the command line.</summary>
    public const string Word = "file";

    /// <summary>True for arguments that name a file to search.</summary>
    public static bool IsMeantBy(string[] args) => args is [SearchVerb.Name, var file, ..]
        && !file.StartsWith('-') && file.EndsWith(ScenarioFile.Extension, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads the file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="error">Receives every mistake of the file but the last, which is thrown.</param>
    /// <exception cref="SetupException">The file cannot be read, has mistakes or several runs.</exception>
    public static SearchedFile Read(string path, TextWriter error)
    {
        (ScenarioPlan? plan, IReadOnlyList<string> problems) = ScenarioFile.Read(path, [], SearchVerb.DefaultsOf);
        if (plan is null)
            throw ScenarioFileVerb.Refuse(problems, error);
        if (plan.Runs is not [var run])
        {
            throw new SetupException(SetupProblem.CommandLine, string.Create(CultureInfo.InvariantCulture,
                $"{path}: {plan.Runs.Count} runs; a search takes a file with one run and no matrix"));
        }

        if (run is PlannedRamps ramps)
            return SearchedRamps.Of(plan.Name, path, ramps);
        PlannedScenario planned = (PlannedScenario)run;
        return new SearchedScenario(plan.Name, TableOf(SearchOptions.DefaultsOf(planned.Arrangement), run.Thresholds), planned.Arrangement,
            planned.Arrangement.OptionsFrom(planned.Given with { Thresholds = [] }));
    }

    /// <summary>The search options with the thresholds of a file, where it has some.</summary>
    protected static OptionTable<SearchOptions> TableOf(SearchOptions usual, IReadOnlyList<Threshold> given, IReadOnlyList<string>? metrics = null) =>
        SearchOptions.CreateTable(given.Count > 0 ? usual with { Until = given } : usual, metrics);
}

/// <summary>A file with a run of one arrangement of roles.</summary>
/// <param name="Name">The name of the file.</param>
/// <param name="SearchTable">The search options.</param>
/// <param name="Scenario">Its scenario.</param>
/// <param name="Options">The options of the runs, with those of the file.</param>
internal sealed record SearchedScenario(
    string Name, OptionTable<SearchOptions> SearchTable, Scenario Scenario, OptionTable<ScenarioOptions> Options) : SearchedFile(Name, SearchTable);

/// <summary>A file with a load of users.</summary>
/// <param name="Name">The name of the file.</param>
/// <param name="SearchTable">The search options.</param>
/// <param name="Users">The search of its load, with its options.</param>
internal sealed record SearchedRamps(string Name, OptionTable<SearchOptions> SearchTable, UsersSearch Users) : SearchedFile(Name, SearchTable)
{
    /// <exception cref="SetupException">The file has several loads or ramps, or a threshold that no search takes.</exception>
    public static SearchedRamps Of(string name, string path, PlannedRamps ramps)
    {
        UsersOptions given = ramps.Given;
        string? problem = ramps.Suite.Loads is not [_] ? $"{ramps.Scenario} has several loads; name one: {UsersLoad.AllNames}"
            : given.Steps is not null ? "steps: a search sets the users itself"
            : given.Sweeps.Count > 0 || given.HasAllVariants || given.Repeat > 1 ? "sweep, variants, repeat: a search takes one variant and repeats it itself"
            : ramps.Thresholds.FirstOrDefault(limit => limit.Role is not null || !UsersCandidateReader.Metrics.Contains(limit.Metric)) is { } unknown
            ? $"{FileNames.Assert}: '{unknown}' is not {Threshold.ListKind(UsersCandidateReader.Metrics)}" : null;
        if (problem is not null)
            throw new SetupException(SetupProblem.CommandLine, $"{path}: {problem}");
        return new(name, TableOf(SearchOptions.DefaultsOfUsers, ramps.Thresholds, UsersCandidateReader.Metrics),
            new UsersSearch(ramps.Suite.Loads[0], given with { Thresholds = [] }) { FolderName = name });
    }
}
