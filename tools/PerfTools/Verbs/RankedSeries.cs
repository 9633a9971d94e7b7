using PerfCommon;
using PerfTools.Hosting.Running;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios;

namespace PerfTools.Verbs;

/// <summary>The runs that ranks carry out one after another: each has its own rendezvous, and one that fails on any rank is the last on all.</summary>
internal sealed class RankedSeries
{
    private readonly int _count;
    private int _begun;

    private RankedSeries(int count, bool isFirst) => (_count, IsFirst) = (count, isFirst);

    /// <summary>True for the rank that judges the runs.</summary>
    public bool IsFirst { get; }

    /// <summary>True when no further run begins.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Creates the series of several configurations, each run some times; null where they take one machine.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="all">The options of each.</param>
    /// <param name="times">The number of runs of each.</param>
    /// <exception cref="SetupException">Their ranks differ, are not known, or a placement of roles is invalid (exit code 2).</exception>
    public static RankedSeries? Of(Scenario scenario, IEnumerable<ScenarioOptions> all, int times) =>
        Of([.. all.Select(options => new PlannedScenario(null, scenario, options with { Repeat = times }))]);

    /// <summary>Creates the series of some runs; null where they take one machine.</summary>
    /// <exception cref="SetupException">Their ranks differ, are not known, or a placement of roles is invalid (exit code 2).</exception>
    public static RankedSeries? Of(IReadOnlyList<PlannedRun> runs)
    {
        if (runs.Select(run => (run.Ranks.Rank, run.Ranks.RunId, Meet: run.Ranks.Meet?.ToString())).Distinct()
            .ToArray() is not [var of])
        {
            throw new SetupException(SetupProblem.CommandLine, "--rank, --run-id, --meet: all runs take the same");
        }

        if (of.Rank is null)
            return null;
        if (runs.FirstOrDefault(run => run is not PlannedScenario) is { } users)
            throw new SetupException(SetupProblem.CommandLine, $"--rank: {users.Scenario} takes several machines where it is the only run of a file");
        PlannedScenario[] all = [.. runs.Cast<PlannedScenario>()];
        RankedScenarioRun[] ranked = [.. all.Select(run => new RankedScenarioRun(run.Arrangement, run.Given))];
        return new(all.Sum(run => run.Given.Repeat * run.Arrangement.CountRuns(run.Given)), ranked[0].IsFirst);
    }

    /// <summary>Carries out the part of this rank in one further run.</summary>
    /// <param name="maker">Carries out a run.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options, with a rank.</param>
    /// <param name="path">The folder of the run.</param>
    /// <param name="console">Receives messages for people.</param>
    /// <param name="stop">Cancels the wait for rank 0.</param>
    public FinishedRun RunNext(
        ScenarioRunner maker, Scenario scenario, ScenarioOptions options, string path, RunConsole console, CancellationToken stop) =>
        Run(maker, scenario, options with { Out = path, Repeat = 1 }, console, stop)[0];

    /// <summary>True when no further run begins although some were planned.</summary>
    public bool HasEndedEarly => IsOver && _begun < _count;

    /// <summary>Carries out the part of this rank in one configuration, once or several times.</summary>
    /// <param name="maker">Carries out a run.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options, with a rank.</param>
    /// <param name="console">Receives messages for people.</param>
    /// <param name="stop">Cancels the wait for rank 0.</param>
    /// <returns>The runs, at least one.</returns>
    public FinishedRun[] Run(ScenarioRunner maker, Scenario scenario, ScenarioOptions options, RunConsole console, CancellationToken stop)
    {
        RankedScenarioRun run = new(scenario, options);
        List<FinishedRun> done = [];
        RunFolder? all = options.Repeat > 1 ? run.OpenRepeats() : null;
        while (done.Count < options.Repeat && !IsOver)
        {
            string path = all is null ? options.Out! : FormattableString.Invariant($"{all}{RunSet.RepeatPrefix}{done.Count + 1}");
            (FinishedRun one, bool goesOn) = run.Run(maker, path, new(++_begun, _count), console, stop);
            done.Add(one);
            IsOver = !goesOn;
        }

        return [.. done];
    }
}
