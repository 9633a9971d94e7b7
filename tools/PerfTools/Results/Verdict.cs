using System.Globalization;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Results;

/// <summary>What a run came to: OK, SLOW or FAILED, and why it is not OK; null when it is.</summary>
internal sealed record Verdict(string Result, ExitCode Code, string? Reason)
{
    /// <summary>Complete, conserved, and as fast as asked.</summary>
    public const string Ok = "OK";

    /// <summary>Complete and conserved, and the asked rate missed by more than one percent.</summary>
    public const string Slow = "SLOW";

    /// <summary>Not complete, or not conserved.</summary>
    public const string Failed = "FAILED";

    private const double RateTolerance = 0.01;

    /// <summary>Judges a run by what can be known of it.</summary>
    /// <remarks>Links to a role that is not ours, and a rate that nobody asked for, are not judged.</remarks>
    /// <param name="failure">The first thing that went wrong; null when nothing did.</param>
    /// <param name="figures">What the roles counted; null when one of them left no final figures.</param>
    /// <param name="links">The account of each link, the measured one first.</param>
    public static Verdict Of(RunFailure? failure, RunFigures? figures, IReadOnlyList<LinkResult> links)
    {
        if (failure is not null)
            return new(Failed, failure.Code, failure.Reason);
        if (figures is null)
            return Incomplete("the roles left no final figures");
        if (links.FirstOrDefault(link => link.Balanced == false) is { } uneven)
            return Incomplete(Describe(uneven, links));
        if (figures.RateAsked > 0 && links[0].Received == 0)
            return Incomplete($"no {links[0].What} were received");
        if (figures.RateReached < figures.RateAsked * (1 - RateTolerance))
            return new(Slow, ExitCode.AssertionMissed, Describe(figures, links[0]));
        return new(Ok, ExitCode.Success, null);
    }

    private static Verdict Incomplete(string reason) => new(Failed, ExitCode.Incomplete, reason);

    private static string Describe(LinkResult uneven, IReadOnlyList<LinkResult> links) => string.Create(CultureInfo.InvariantCulture,
        $"{uneven.NameAmong(links)} do not add up: {uneven.Sent:N0} sent, {uneven.Received:N0} received, {uneven.Lost:N0} counted as lost");

    private static string Describe(RunFigures figures, LinkResult main) => string.Create(CultureInfo.InvariantCulture,
        $"{figures.RateReached:N0}/s reached, {figures.RateAsked:N0}/s asked, {main.NotSent:N0} {main.What} not sent");
}

/// <summary>Why a run is worth nothing: what to exit with, and one sentence.</summary>
internal sealed record RunFailure(ExitCode Code, string Reason);
