using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Verdicts;

namespace PerfTools.Verbs;

/// <summary>Carries out one rank of the runs of a scenario over several machines: the roles placed on it; rank 0 judges the whole.</summary>
internal sealed class RankedScenarioRun
{
    private readonly Scenario _scenario;
    private readonly ScenarioOptions _options;
    private readonly RankIdentity _rank;
    private readonly RankPlacement _place;

    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options, with a rank.</param>
    /// <exception cref="SetupException">The rank is not known, or the placement of the roles is invalid (exit code 2).</exception>
    public RankedScenarioRun(Scenario scenario, ScenarioOptions options)
    {
        _rank = Launcher.Find(options.Ranks.Rank!, options.Ranks.RunId, Environment.GetEnvironmentVariable);
        RankPlacement place = FindPlace(scenario, options, _rank.Count);
        _options = RepeatedRoles.Of(options with { Ranks = options.Ranks with { Place = place } });
        (_scenario, _place) = (RepeatedRoles.Of(scenario, place), place.NameEach());
    }

    /// <summary>True for the rank that judges the runs.</summary>
    public bool IsFirst => _rank.Rank == 0;

    // Rank 0 removes the files of an earlier run when all are present; where they share no folder, each does so itself.
    private bool OwnsFolder => _options.Ranks.Meet is not null;

    /// <summary>Opens the folder of several runs.</summary>
    public RunFolder OpenRepeats()
    {
        RunFolder all = IsFirst || OwnsFolder ? ScenarioRunner.OpenFolder(_scenario, _options.Out) : OpenShared(_options.Out!);
        if (IsFirst || OwnsFolder)
            ScenarioRunner.RemoveRepeats(all);
        return all;
    }

    /// <summary>Carries out a run.</summary>
    /// <param name="maker">Carries out the part of this rank.</param>
    /// <param name="path">The folder of the run.</param>
    /// <param name="number">The number of the run among those that follow each other.</param>
    /// <param name="console">Receives messages for people.</param>
    /// <param name="stop">Cancels the wait for rank 0.</param>
    /// <returns>The run, and whether the ranks begin the next one.</returns>
    /// <exception cref="SetupException">Another process has this rank (exit code 4), or the files cannot be written (7).</exception>
    public (FinishedRun Run, bool GoesOn) Run(ScenarioRunner maker, string path, RunNumber number, RunConsole console, CancellationToken stop)
    {
        string[] roles = [.. _place.RolesOf(_rank.Rank)];
        console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"rank {_rank.Rank} of {_rank.Count} by {_rank.Source}, run {_rank.RunId}: {string.Join(", ", roles.DefaultIfEmpty("no role"))}"));
        RunFolder folder = OwnsFolder && !IsFirst ? ScenarioRunner.OpenFolder(_scenario, path) : OpenShared(path);
        using RankStore store = RankStore.Open(_scenario, _options, _rank, number, folder, stop);
        Rendezvous meeting = Rendezvous.Join(store.Files, _rank.RunId, ThisRank.Describe(_rank.Rank, _rank.Count, roles, _options.Ranks.Address));
        Role[] own = [.. _scenario.RolesOf(_options).Where(role => roles.Contains(role.Name))];
        ScenarioOptions options = _scenario.Complete(_options);
        using ScenarioRanks ranks = new(_scenario, options, meeting, new OtherPrograms(_scenario, _options, folder).Probe(own));
        try
        {
            FinishedRun run = maker.Make(_scenario, options, folder, ranks);
            return number.IsLast ? (run, false) : GoOn(run, ranks);
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

    private RunFolder OpenShared(string path) => RunFolder.Open(path, _scenario.Name, DateTime.UtcNow, []);

    private (FinishedRun, bool) GoOn(FinishedRun run, ScenarioRanks ranks)
    {
        RunFailure? own = run.Document.Verdict is RunVerdict.Failed or RunVerdict.Interrupted
            ? new((ExitCode)run.Document.ExitCode, run.Document.Reason ?? run.Document.Verdict) : null;
        return (own, ranks.AgreeOnNext(own)) switch
        {
            (null, { } other) =>
                (run with { Outcome = new(other.Code, FormattableString.Invariant($"run {_scenario.Name}: rank {_rank.Rank}: {other.Reason}")) }, false),
            (_, var failure) => (run, failure is null),
        };
    }

    private static RankPlacement FindPlace(Scenario scenario, ScenarioOptions options, int count)
    {
        string[] roles = [.. scenario.RolesOf(options).Select(role => role.Name)];
        RankPlacement place = options.Ranks.Place ?? RankPlacement.InTurn(roles.Except(options.External.Keys), count);
        return (place.FindProblem(count, roles, options.External.Keys) ?? place.FindSeveral(RepeatedRoles.Find(scenario))
            ?? RepeatedRoles.FindIdle(scenario, place)) is { } problem
            ? throw new SetupException(SetupProblem.CommandLine, problem) : place;
    }
}
