using PerfTools.Results.Recorded;
using PerfTools.Scenarios;

namespace PerfTools.Live;

/// <summary>What is known of a run before it has any figures.</summary>
internal sealed record LivePlan
{
    /// <summary>The word behind <c>perftools run</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What it is, the heading of its page.</summary>
    public required string Title { get; init; }

    /// <summary>Where its results will be.</summary>
    public required string Folder { get; init; }

    /// <summary>Who measures, and where the lines of intervals have it; null where nobody does.</summary>
    public MeasuredPaths? Paths { get; init; }

    /// <summary>Counters of the sender, added: what it sent.</summary>
    public IReadOnlyList<string> Sent { get; init; } = [];

    /// <summary>How far it is and what it comes to so far; null where that is not judged before its end.</summary>
    public LiveStanding? Standing { get; init; }

    /// <summary>That of a scenario.</summary>
    public static LivePlan Of(Scenario scenario, ScenarioOptions options, string folder) => new()
    {
        Name = scenario.Name,
        Title = scenario.Title,
        Folder = folder,
        Paths = scenario.Figures.Measured,
        Sent = scenario.LinksOf(options).FirstOrDefault(link => link.From == scenario.Figures.Measured.Sender)?.Sent ?? [],
        Standing = new(scenario, options),
    };

    /// <summary>That of a ramp of users.</summary>
    /// <param name="load">The load.</param>
    /// <param name="ramp">Which of its ramps.</param>
    /// <param name="folder">Where its results will be.</param>
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
