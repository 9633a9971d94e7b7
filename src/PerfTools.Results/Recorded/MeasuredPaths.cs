using PerfTools.Results.Documents;

namespace PerfTools.Results.Recorded;

/// <summary>The roles that measure a scenario, and the places of the measured figures in the lines of intervals (docs/json-lines.md).</summary>
internal sealed record MeasuredPaths
{
    private const string Server = "server";
    private const string Client = "client";

    /// <summary>A provider and a consumer.</summary>
    public static MeasuredPaths Direct { get; } = new()
    {
        Scenario = "direct",
        MeasuredBy = [RoleNames.Consumer],
        Sender = RoleNames.Provider,
        IntervalRate = "overall.updateRate",
        IntervalLatency = "overall.updateLatency",
    };

    /// <summary>The same through a hub.</summary>
    public static MeasuredPaths HubDirect { get; } = Direct with { Scenario = "hub-direct" };

    /// <summary>A publisher, a hub and a consumer.</summary>
    public static MeasuredPaths Published { get; } = Direct with { Scenario = "ni-hub", Sender = RoleNames.Publisher };

    /// <summary>Posts that a hub reflects.</summary>
    public static MeasuredPaths Posting { get; } = Published with { Scenario = "posting", IntervalLatency = "overall.postLatency" };

    /// <summary>Opaque messages, one way.</summary>
    public static MeasuredPaths Transport { get; } = new()
    {
        Scenario = "transport",
        MeasuredBy = [Client],
        Sender = Server,
        IntervalRate = "overall.receiveRate",
        IntervalLatency = "overall.latency",
    };

    /// <summary>Opaque messages that are reflected.</summary>
    public static MeasuredPaths Reflect { get; } = Transport with { Scenario = "reflect", Sender = Client };

    /// <summary>Round trips.</summary>
    public static MeasuredPaths RoundTrip { get; } = new()
    {
        Scenario = "roundtrip",
        MeasuredBy = [RoleNames.Publisher],
        Sender = RoleNames.Publisher,
        IntervalRate = "overall.roundTripRate",
        IntervalLatency = "overall.latency",
    };

    private static readonly MeasuredPaths[] All = [Direct, HubDirect, Published, Posting, Transport, Reflect, RoundTrip];

    /// <summary>The scenario's name in run.json.</summary>
    public required string Scenario { get; init; }

    /// <summary>The roles that measure: their rates are added, their histograms are added cell by cell.</summary>
    public required IReadOnlyList<string> MeasuredBy { get; init; }

    /// <summary>The role that sends the measured messages.</summary>
    public required string Sender { get; init; }

    /// <summary>Messages per second, in the line of an interval.</summary>
    public required string IntervalRate { get; init; }

    /// <summary>Latency, in the line of an interval.</summary>
    public required string IntervalLatency { get; init; }

    /// <summary>Lag of the ticks of the sending role, in every line.</summary>
    public string SendLag { get; init; } = "overall.sendLag";

    /// <summary>True for the role that sends the measured messages, or one of its processes.</summary>
    public bool IsSentBy(string role) => role == Sender || RoleNames.IsOneOf(role, RoleNames.Several(Sender));

    /// <summary>Returns the paths of a run, whose roles may have several processes; null for a scenario that is not known here.</summary>
    public static MeasuredPaths? Of(RunDocument run)
    {
        MeasuredPaths? paths = Array.Find(All, paths => paths.Scenario == run.Scenario);
        return paths is null ? null : paths with { MeasuredBy = [.. paths.MeasuredBy.SelectMany(role => FindProcesses(role, run))] };
    }

    private static string[] FindProcesses(string role, RunDocument run)
    {
        string[] found = [.. run.Roles.Select(result => result.Name).Where(name => RoleNames.IsOneOf(name, RoleNames.Several(role)))];
        return found is [] ? [role] : found;
    }
}
