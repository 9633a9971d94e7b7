using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary><c>perftools duel scenario</c>: runs two configurations, or two builds, alternately and compares them.</summary>
internal sealed class DuelVerb(TextWriter error)
{
    public const string Name = "duel";
    public const string Summary = "Runs two configurations or two builds in turn and compares them";

    public static OptionTable<DuelOptions> Options { get; } = DuelOptions.CreateTable();

    /// <summary>Finds what is wrong with the options of both, as a sentence that names them; null when nothing is.</summary>
    public static string? FindProblem(Scenario scenario, ScenarioOptions common, DuelOptions duel) =>
        common.Repeat != 1 ? "--repeat: --pairs says how many runs a duel has"
        : FindProblem(duel.A, scenario, common) ?? FindProblem(duel.B, scenario, common);

    private static string? FindProblem(DuelSide side, Scenario scenario, ScenarioOptions common) => side.Read(scenario, common) switch
    {
        (_, { } problem) => problem,
        ({ } options, _) when scenario.FindSeveralRuns(options) is { } several => $"--{side.Name.ToLowerInvariant()}: {several}",
        _ => null,
    };

    /// <inheritdoc cref="ScenarioRun.CreateCommand"/>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    public RunOutcome Run(Scenario scenario, ScenarioOptions common, DuelOptions duel, RunHost host)
    {
        RankedSeries? ranks = RankedSeries.Of(scenario, [duel.A.Read(scenario, common).Options!, duel.B.Read(scenario, common).Options!], duel.Pairs + 1);
        RunFolder folder = Duel.OpenFolder(common.Out, scenario.Name, ranks?.IsFirst != false);
        RunConsole people = Duel.PeopleOf(common.Outputs, host, error);
        ShownOnce shown = new(people);
        Func<string, FinishedRun> MakerOf(DuelSide side)
        {
            ScenarioOptions options = side.Read(scenario, common).Options!;
            ScenarioRunner maker = CreateMaker(side, host, shown);
            return place => ranks?.RunNext(maker, scenario, options, place, people, host.Signals.StopRequested)
                ?? maker.Make(scenario, options, ScenarioRunner.OpenFolder(scenario, place));
        }

        return new Duel(scenario.Name, duel, common.Outputs, folder, error) { Ranks = ranks }.Run(MakerOf, host);
    }

    /// <summary>The same for ramps of users.</summary>
    public RunOutcome Run(UsersDuel users, UsersOptions common, DuelOptions duel, RunHost host)
    {
        ShownOnce shown = new(Duel.PeopleOf(common.Outputs, host, error));
        return new Duel(users.Name, duel, common.Outputs, Duel.OpenFolder(common.Out, users.Name), error)
            .Run(side => users.MakerOf(side, common, host, shown), host);
    }

    // The output of a single run is not shown.
    private ScenarioRunner CreateMaker(DuelSide side, RunHost host, ShownOnce people) => new(new RunConsole(TextWriter.Null), null, host.Signals)
    {
        ToolsFolder = side.ToolsFolder,
        People = people,
        CreateCommand = CreateCommand,
    };
}
