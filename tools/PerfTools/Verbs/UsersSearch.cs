using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools search users-low</c> and similar: finds the maximum number of users of a hub at which all thresholds are kept.</summary>
/// <param name="load">The load.</param>
/// <param name="defaults">The values of options that are not given; null for the usual ones.</param>
internal sealed class UsersSearch(UsersLoad load, UsersOptions? defaults = null)
{
    /// <summary>The name for the folder; null for that of the load.</summary>
    public string? FolderName { get; init; }

    /// <summary>Carries out a ramp in a folder; null for one with processes. Only tests set it.</summary>
    public Func<UsersVariant, UsersOptions, RunFolder, RunDocument>? MakeRun { get; init; }

    /// <summary>Starts roles that stay up; null for processes. Only tests set it.</summary>
    public Func<UsersVariant, UsersOptions, int, RunFolder, IStandingUsers>? MakeStanding { get; init; }

    /// <summary>The word for all loads, which have no number of users in common.</summary>
    public const string AllLoads = "users";

    /// <summary>A search for each load.</summary>
    public static IReadOnlyList<UsersSearch> All { get; } = [.. UsersLoad.All.Select(load => new UsersSearch(load))];

    /// <summary>The options of the search: the same for all loads.</summary>
    public static OptionTable<SearchOptions> SearchTable { get; } = SearchOptions.CreateTable(SearchOptions.DefaultsOfUsers, UsersCandidateReader.Metrics);

    public string Name => load.Name;

    public string Summary => string.Create(CultureInfo.InvariantCulture,
        $"NIProvPerf, HubPerf and UsersPerf: the greatest number of users with {load.Base.UserRate:0.###} "
            + $"{(load.Base.UserRate == 1 ? "update" : "updates")} a second each");

    /// <summary>The options of the ramps.</summary>
    public OptionTable<UsersOptions> Options { get; } = UsersOptions.CreateSearchTable(load, defaults ?? new());

    /// <param name="options">The options of the ramps.</param>
    /// <param name="search">The options of the search.</param>
    /// <param name="host">The host of the runs.</param>
    /// <param name="verb">Searches.</param>
    public RunOutcome Run(UsersOptions options, SearchOptions search, RunHost host, SearchVerb verb)
    {
        ShownOnce shown = new(verb.PeopleOf(options.Outputs, host));
        UsersVariant Announce(UsersVariant variant)
        {
            if (UsersBinding.FindShortage(variant, options, RampShare.OfOneMachine(variant, options), UsableProcessors.Find()) is { } few)
                shown.Show(few);
            return variant;
        }

        Func<UsersVariant, UsersOptions, RunFolder, RunDocument> makeRun = MakeRun
            ?? ((variant, asked, place) => Make(variant, asked, place, StopRequest.By(host.Signals), host));
        Func<UsersVariant, UsersOptions, int, RunFolder, IStandingUsers> makeStanding = MakeStanding
            ?? ((variant, asked, seconds, place) => new StandingUsers(RampShare.OfOneMachine(variant, asked), asked, place, StopRequest.By(host.Signals),
                stop => Make(variant, asked, place, stop, host, seconds)));
        return verb.Run(SearchSubject.Of(load, options, search) with { FolderName = FolderName }, search, host, (_, folder) => new UsersSearchRuns(
            load, options, search, folder, verb.Clock, new(
                (variant, asked, place) => makeRun(Announce(variant), asked, place),
                (variant, asked, seconds, place) => makeStanding(Announce(variant), asked, seconds, place))));
    }

    // The run prints nothing: a search has a line for each number of users.
    private static RunDocument Make(UsersVariant variant, UsersOptions options, RunFolder folder, StopRequest stop, RunHost host, int? staySeconds = null)
    {
        UsersRun run = new(variant, options, RampShare.OfOneMachine(variant, options), folder) { StaySeconds = staySeconds };
        (RunDocument document, string? unwritten) = UsersFiles.Make(run, folder, stop);
        if (unwritten is not null)
            host.Console.WriteLine(unwritten);
        return document;
    }
}
