using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools search my.json</c>: the single run of a scenario file, whose thresholds a value has to keep.</summary>
/// <param name="Name">The name of the file, for the names of folders.</param>
/// <param name="Scenario">Its scenario.</param>
/// <param name="SearchTable">The search options; the thresholds of the file are used where the command line has none.</param>
/// <param name="Options">The options of the runs, with those of the file.</param>
internal sealed record SearchedFile(string Name, Scenario Scenario, OptionTable<SearchOptions> SearchTable, OptionTable<ScenarioOptions> Options)
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

        SearchOptions usual = SearchOptions.DefaultsOf(run.Scenario);
        return new(plan.Name, run.Scenario,
            SearchOptions.CreateTable(run.Options.Thresholds.Count > 0 ? usual with { Until = run.Options.Thresholds } : usual),
            run.Scenario.OptionsFrom(run.Options with { Thresholds = [] }));
    }
}
