using System.Globalization;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results;

namespace PerfTools.Scenarios.Users;

/// <summary>What a ramp came to by what its roles have written, on one machine or on many: steps, links, capacity, verdict.</summary>
internal sealed class RampResult
{
    private const string Hub = "hub";

    private readonly string? _until;

    private RampResult(IReadOnlyList<MergedStep> merged, IReadOnlyList<LinkResult> links, string? until)
    {
        (Merged, Steps, Links, _until) = (merged, [.. merged.Select(step => step.Row)], links, until);
        Capacity = Steps.TakeWhile(step => step.IsOk && FindMiss(step) is null).LastOrDefault();
    }

    /// <summary>The steps with their samples.</summary>
    public IReadOnlyList<MergedStep> Merged { get; }

    /// <summary>The steps.</summary>
    public IReadOnlyList<StepRow> Steps { get; }

    public IReadOnlyList<LinkResult> Links { get; }

    /// <summary>The last step ahead of the first that is not well; null for none.</summary>
    public StepRow? Capacity { get; }

    /// <summary>Reads it.</summary>
    /// <param name="variant">Which ramp.</param>
    /// <param name="until">What ended it; null for nothing.</param>
    /// <param name="roles">Its roles, all that is to be read of them read.</param>
    /// <param name="isWhole">False when roles are missing.</param>
    public static RampResult Read(UsersVariant variant, string? until, IReadOnlyList<UsersRole> roles, bool isWhole = true) =>
        new(ReadSteps(variant, roles, withSamples: true), [.. ReadLinks(roles, isWhole)], until);

    /// <summary>Its steps alone; with the samples left out they have no percentiles.</summary>
    public static IReadOnlyList<MergedStep> ReadSteps(UsersVariant variant, IReadOnlyList<UsersRole> roles, bool withSamples) => new StepReader(variant).Read(
        [.. Select(roles, UsersRole.UsersTool).Select(role => role.ReadPart(withSamples))],
        Select(roles, UsersRole.HubTool).FirstOrDefault()?.Intervals ?? [],
        [.. Select(roles, UsersRole.SourceTool).Select(role => role.Intervals)]);

    /// <summary>The figures of the last step; null without one.</summary>
    public RunFigures? ReadFigures()
    {
        if (Steps.Count == 0)
            return null;
        StepRow last = Steps[^1];
        return new RunFigures
        {
            RateAsked = last.Expected / last.Seconds,
            RateReached = last.Received / last.Seconds,
            SteadySeconds = last.Seconds,
            LatencyMicros = last.Samples == 0 ? null : new RunLatency
            {
                Count = last.Samples,
                Average = last.MeanMicros ?? 0,
                Deviation = null, // of several processes it is not kept
                Min = last.MinMicros,
                Max = last.MaxMicros,
                P50 = last.P50,
                P90 = last.P90,
                P99 = last.P99,
                P999 = last.P999,
                P9999 = null,
            },
            SendLagMicros = null,
            Images = null,
        };
    }

    /// <summary>Judges it.</summary>
    /// <param name="failure">The first thing that went wrong; null when nothing did.</param>
    public Verdict Judge(RunFailure? failure)
    {
        if (failure is not null)
            return new(failure.Code.IsOfSignal() ? Verdict.Interrupted : Verdict.Failed, failure.Code, failure.Reason);
        if (Steps.Count == 0)
            return new(Verdict.Failed, ExitCode.Incomplete, "no step was measured");
        if (Links.FirstOrDefault(link => link.Balanced == false) is { } uneven)
            return new(Verdict.Failed, ExitCode.Incomplete, Say($"{uneven.NameAmong(Links)} do not add up: {uneven.Sent:N0} sent, {uneven.Received:N0} received, {uneven.Lost:N0} counted as lost"));
        if (_until is not null && Capacity is not null)
            return new(Verdict.Ok, ExitCode.Success, null);
        return Steps.FirstOrDefault(step => !step.IsOk) is { } first
            ? new(Verdict.Slow, ExitCode.AssertionMissed, Say($"step {first.Step} with {first.UsersAsked:N0} users: {first.Fault}"))
                : new(Verdict.Ok, ExitCode.Success, null);
    }

    private static UsersRole[] Select(IEnumerable<UsersRole> roles, string tool) => [.. roles.Where(role => role.Tool == tool)];

    // A link to a role that is not there, or not ours, has no counts on its side.
    private static IEnumerable<LinkResult> ReadLinks(IReadOnlyList<UsersRole> roles, bool isWhole)
    {
        UsersRole[] sources = Select(roles, UsersRole.SourceTool), users = Select(roles, UsersRole.UsersTool);
        JsonView hub = new(Select(roles, UsersRole.HubTool).FirstOrDefault()?.Final);
        long? sent = Sum(sources, "updatesSent"), received = Sum(users, "updatesReceived");
        bool isComparable = isWhole && roles.All(role => role.Final is { } final && !new JsonView(final).IsFalse("comparable"));
        long? Of(params string[] counters) => hub.Exists ? counters.Sum(counter => hub.Count("overall.counts." + counter)) : null;
        LinkResult Link(string from, string to, string what, long? sent, long? received, long? lost, long? notSent) => new()
        {
            From = from,
            To = to,
            What = what,
            Sent = sent,
            Received = received,
            Lost = lost,
            NotSent = notSent,
            Comparable = isComparable && sent is not null && received is not null,
        };
        yield return Link("sources", Hub, "updates", sent, Of("updatesReceived"), 0, Sum(sources, "updatesNotSent"));
        yield return Link(Hub, Hub, "copies due", Of("copiesDue"), Of("updatesSent"),
            Of("updatesConflated", "updatesDropped", "updatesNotSent"), 0);
        yield return Link(Hub, "users", "updates", Of("updatesSent"), received, 0, Of("updatesConflated", "updatesDropped"));
        yield return Link(Hub, "users", "images", Of("imagesSent"), Sum(users, "refreshesReceived"), 0, Of("imagesNotSent"));
    }

    private static long? Sum(UsersRole[] roles, string counter) =>
        roles.Length > 0 && Array.TrueForAll(roles, role => role.Final is not null)
        ? roles.Sum(role => new JsonView(role.Final).Count("overall.counts." + counter)) : null;

    // Whether a step keeps what ends the ramp, as far as the figures of the row tell.
    private string? FindMiss(StepRow step) => _until is null ? null
        : Threshold.TryParseList(_until, Threshold.Metrics)!
            .Where(limit =>
                FigureOf(step, limit.Metric) is { } figure && !limit.IsKeptBy(figure)).Select(limit => limit.Text).FirstOrDefault();

    private static double? FigureOf(StepRow step, string metric) => metric switch
    {
        "avg" => step.MeanMicros,
        "max" => step.MaxMicros,
        "p50" => step.P50,
        "p90" => step.P90,
        "p99" => step.P99,
        "p99.9" => step.P999,
        "rate%" => step.ReceivedPercent,
        "rate" => step.Received / step.Seconds,
        "lost" => step.Lost,
        _ => null,
    };

    private static string Say(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}
