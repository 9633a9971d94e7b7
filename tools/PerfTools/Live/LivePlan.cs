using PerfTools.Results.Recorded;
using PerfTools.Scenarios;

namespace PerfTools.Live;

/// <summary>The facts of a run that are known before it has any figures.</summary>
internal sealed record LivePlan
{
    /// <summary>The word after <c>perftools run</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The description of the run, the heading of its page.</summary>
    public required string Title { get; init; }

    /// <summary>The folder of the results.</summary>
    public required string Folder { get; init; }

    /// <summary>The roles that measure, and the paths of their figures in the lines of intervals; null where no role measures.</summary>
    public MeasuredPaths? Paths { get; init; }

    /// <summary>The sender's counters whose sum is the number of messages sent.</summary>
    public IReadOnlyList<string> Sent { get; init; } = [];

    /// <summary>Follows the progress and the provisional verdict; null where the run is not judged before its end.</summary>
    public LiveStatus? Standing { get; init; }

    /// <summary>Creates the plan of a scenario.</summary>
    public static LivePlan Of(Scenario scenario, ScenarioOptions options, string folder) => new()
    {
        Name = scenario.Name,
        Title = scenario.Title,
        Folder = folder,
        Paths = scenario.Figures.Measured,
        Sent = scenario.LinksOf(options).FirstOrDefault(link =>
            scenario.Roles.Any(role => link.IsFrom(role.Name) && scenario.Figures.Measured.IsSentBy(role.Name)))?.Sent ?? [],
        Standing = new(scenario, options),
    };

    /// <summary>Creates the plan of a ramp of users.</summary>
    /// <param name="load">The load.</param>
    /// <param name="ramp">The name of the ramp.</param>
    /// <param name="folder">The folder of the results.</param>
    /// <param name="usersRoles">The roles with users, which measure.</param>
    public static LivePlan OfUsers(string load, string ramp, string folder, IReadOnlyList<string> usersRoles) => new()
    {
        Name = load,
        Title = $"Users of a hub: {ramp}",
        Folder = folder,
        Paths = new()
        {
            Scenario = load,
            MeasuredBy = usersRoles,
            Sender = FirstSource,
            IntervalRate = "overall.updateRate",
            IntervalLatency = "overall.updateLatency",
        },
        Sent = ["overall.counts.updatesSent"],
    };

    private const string FirstSource = "source-1";
}
