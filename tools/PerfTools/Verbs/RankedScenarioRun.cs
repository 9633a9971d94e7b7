using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Running;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;

namespace PerfTools.Verbs;

/// <summary>Carries out one rank of a run of a scenario over several machines: the roles placed on it; rank 0 judges the whole.</summary>
internal static class RankedScenarioRun
{
    /// <param name="maker">Carries out the run.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options, with a rank.</param>
    /// <param name="console">Receives messages for people.</param>
    /// <param name="stop">Cancels the wait for rank 0.</param>
    /// <exception cref="SetupException">
    /// The placement of the roles is invalid (exit code 2), or another process has this rank (4).
    /// </exception>
    public static FinishedRun Run(ScenarioRunner maker, Scenario scenario, ScenarioOptions options, RunConsole console, CancellationToken stop)
    {
        RankIdentity rank = Launcher.Find(options.Ranks.Rank!, options.Ranks.RunId, Environment.GetEnvironmentVariable);
        RankPlacement place = FindPlace(scenario, options, rank.Count);
        options = RepeatedRoles.Of(options with { Ranks = options.Ranks with { Place = place } });
        scenario = RepeatedRoles.Of(scenario, place);
        place = place.NameEach();
        console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"rank {rank.Rank} of {rank.Count} by {rank.Source}, run {rank.RunId}: {string.Join(", ", place.RolesOf(rank.Rank).DefaultIfEmpty("no role"))}"));
        RunFolder folder = OpenFolder(scenario, options, rank);
        using RankStore store = RankStore.Open(scenario, options, rank, folder, stop);
        Rendezvous meeting = Rendezvous.Join(store.Files, rank.RunId,
            ThisRank.Describe(rank.Rank, rank.Count, place.RolesOf(rank.Rank), options.Ranks.Address));
        using ScenarioRanks ranks = new(scenario, options, meeting);
        try
        {
            return maker.Make(scenario, options, folder, ranks);
        }
        catch (SetupException problem)
        {
            ranks.PublishError(problem.Message);
            throw;
        }
        finally
        {
            if (store.DescribeRefused() is { } refused)
                console.WriteLine(refused);
        }
    }

    // Rank 0 removes the files of an earlier run when all are present; where they share no folder, each does so itself.
    private static RunFolder OpenFolder(Scenario scenario, ScenarioOptions options, RankIdentity rank) => options.Ranks.Meet is null || rank.Rank == 0
        ? RunFolder.Open(options.Out, scenario.Name, DateTime.UtcNow, []) : ScenarioRunner.OpenFolder(scenario, options.Out);

    private static RankPlacement FindPlace(Scenario scenario, ScenarioOptions options, int count)
    {
        string[] roles = [.. scenario.RolesOf(options).Select(role => role.Name)];
        RankPlacement place = options.Ranks.Place ?? RankPlacement.InTurn(roles.Except(options.External.Keys), count);
        return (place.FindProblem(count, roles, options.External.Keys) ?? place.FindSeveral(RepeatedRoles.Find(scenario))) is { } problem
            ? throw new SetupException(SetupProblem.CommandLine, problem) : place;
    }
}
