using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools search users-low</c> and similar: finds the maximum number of users of a hub at which all thresholds are kept.</summary>
/// <param name="load">The load.</param>
internal sealed class UsersSearch(UsersLoad load)
{
    /// <summary>Carries out a ramp in a folder; null for one with processes. Only tests set it.</summary>
    public Func<UsersVariant, UsersOptions, RunFolder, RunDocument>? MakeRun { get; init; }

    /// <summary>The word for all loads, which have no number of users in common.</summary>
    public const string AllLoads = "users";

    /// <summary>A search for each load.</summary>
    public static IReadOnlyList<UsersSearch> All { get; } = [.. UsersLoad.All.Select(load => new UsersSearch(load))];

    /// <summary>The options of the search: the same for all loads.</summary>
    public static OptionTable<SearchOptions> SearchTable { get; } = SearchOptions.CreateTable(SearchOptions.DefaultsOfUsers, UsersCandidateReader.Metrics);

    public string Name => load.Name;

    public string Summary => string.Create(CultureInfo.InvariantCulture,
        $"NIProvPerf, HubPerf and UsersPerf: the greatest number of users with {load.Base.UserRate:0.###} {(load.Base.UserRate == 1 ? "update" : "updates")} a second each");

    /// <summary>The options of the ramps.</summary>
    public OptionTable<UsersOptions> Options { get; } = UsersOptions.CreateSearchTable(load);

    /// <param name="options">The options of the ramps.</param>
    /// <param name="search">The options of the search.</param>
    /// <param name="host">The host of the runs.</param>
    /// <param name="verb">Searches.</param>
    public RunOutcome Run(UsersOptions options, SearchOptions search, RunHost host, SearchVerb verb) =>
        verb.Run(SearchSubject.Of(load, options, search), search, host, (_, folder) => new UsersSearchRuns(load, options, search, folder, verb.Clock,
            MakeRun ?? ((variant, asked, place) => Make(variant, asked, place, host))));

    // The run prints nothing: a search has a line for each number of users.
    private static RunDocument Make(UsersVariant variant, UsersOptions options, RunFolder folder, RunHost host)
    {
        RampShare share = RampShare.Of(variant.Parameters, RankPlacement.Usual(1).Without(options.External.Keys), 0);
        UsersRun run = new(variant, options, share, folder);
        RunDocument document = run.Run(StopRequest.By(host.Signals), static _ => { });
        if (UsersFiles.TryWriteRamp(folder, document, run.Steps) is { } unwritten)
            host.Console.WriteLine(unwritten);
        return document;
    }
}

/// <summary>Measures the values of a search over users: a ramp of one step with a fresh hub for each number.</summary>
internal sealed class UsersSearchRuns(UsersLoad load, UsersOptions options, SearchOptions search, RunFolder folder, TimeProvider clock,
    Func<UsersVariant, UsersOptions, RunFolder, RunDocument> make) : IMeasuredRuns
{
    private readonly UsersCandidateReader _reader = new(search.Until);
    private readonly Dictionary<int, RunDocument> _runs = [];

    public RunOutcome? Failure { get; private set; }

    public SearchSample? Measure(SearchStep step)
    {
        long start = clock.GetTimestamp();
        string users = step.Value.ToString(CultureInfo.InvariantCulture), name = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-{users}");
        UsersOptions asked = options with { Steps = StepList.TryParse(users) };
        if (step.Stage == SearchStage.Curve)
            asked = asked with { PeriodSeconds = Math.Max(asked.Period, LoadCurve.MinSeconds) };
        UsersVariant variant = UsersVariant.Plan(load, asked, out _)[0].WithProcesses(isFull: true, machines: 1);
        RunFolder place = RunFolder.Open($"{folder}{name}", name, clock.GetUtcNow().UtcDateTime, UsersFiles.OfRamp);
        RunDocument run = make(variant, asked, place);
        RunOutcome outcome = run.Reason is { } reason ? new((ExitCode)run.ExitCode, $"run {load.Name}: {reason}") : RunOutcome.Success;
        if (SearchRuns.IsNoMeasurement(new(place, run, outcome), step))
        {
            Failure = outcome;
            return null;
        }

        _runs[step.Number] = run;
        return _reader.Read(step.Value, run, name, clock.GetElapsedTime(start).TotalSeconds);
    }

    public RunDocument Find(SearchSample sample) => _runs[sample.Number];

    /// <summary>Does nothing: each ramp has ended.</summary>
    public void End()
    {
    }

    public void Dispose()
    {
    }
}
