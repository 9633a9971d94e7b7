using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>The verdict of a run: OK, SLOW, MISSED, INTERRUPTED or FAILED, and why it is not OK; null when it is OK.</summary>
internal sealed record Verdict(string Result, ExitCode Code, string? Reason)
{
    /// <summary>Judges a run by its known facts.</summary>
    /// <remarks>Links to a role that is not ours, and a run without a requested rate, are not judged.</remarks>
    /// <param name="failure">The first failure; null without one.</param>
    /// <param name="figures">The figures of the roles; null when one of them left no final figures.</param>
    /// <param name="links">The balance of each link, the measured one first.</param>
    /// <param name="cause">The evidence for why it was slow, if it was slow.</param>
    /// <param name="pairs">The balance of each of several providers with its consumers; null for none.</param>
    public static Verdict Of(
        RunFailure? failure, RunFigures? figures, IReadOnlyList<LinkResult> links, SlowCause cause, IReadOnlyList<LinkResult>? pairs = null)
    {
        if (failure is not null && failure.Code.IsOfSignal())
            return new(RunVerdict.Interrupted, failure.Code, failure.Reason + DescribeUneven(links));
        if (failure is not null)
            return new(RunVerdict.Failed, failure.Code, failure.Reason);
        if (figures is null)
            return Incomplete("the roles left no final figures");
        if (links.FirstOrDefault(link => link.Balanced == false) is { } uneven)
            return Incomplete(Describe(uneven, links));
        if (pairs?.FirstOrDefault(pair => pair.Balanced == false) is { } unevenPair)
            return Incomplete(Describe(unevenPair, pairs));
        if (figures.RateAsked > 0 && links[0].Received == 0)
            return Incomplete($"no {links[0].What} were received");
        if (RoundTripLosses.AreTooMany(figures, links))
            return new(RunVerdict.Slow, ExitCode.AssertionMissed, $"more than one percent lost: {RoundTripLosses.Describe(figures, links)}");
        if (DescribeMissedStep(figures) is { } missed)
            return new(RunVerdict.Slow, ExitCode.AssertionMissed, missed + (cause.Find() is { } why ? ": " + why : ""));
        bool isTooFast = figures.RateReached > figures.RateAsked * (1 + RateStep.RateTolerance);
        bool isTooSlow = figures.RateReached < figures.RateAsked * (1 - RateStep.RateTolerance) || links.Any(link => link.NotSent > 0);
        if (!isTooFast && !isTooSlow)
            return new(RunVerdict.Ok, ExitCode.Success, null);
        string? limit = isTooSlow ? cause.Find() : null;
        return new(RunVerdict.Slow, ExitCode.AssertionMissed, Describe(figures, links, isTooSlow) + (limit is null ? "" : ": " + limit));
    }

    /// <summary>Judges one rank of a run: only that its roles did what they were asked.</summary>
    public static Verdict OfPart(RunFailure? failure) => failure is null ? new(RunVerdict.Ok, ExitCode.Success, null)
        : new(failure.Code.IsOfSignal() ? RunVerdict.Interrupted : RunVerdict.Failed, failure.Code, failure.Reason);

    /// <summary>The same with the thresholds of <c>--assert</c>; the first missed one is added to an earlier reason.</summary>
    public Verdict With(IEnumerable<ThresholdResult> assertions)
    {
        if (assertions.FirstOrDefault(assertion => !assertion.IsKept) is not { } missed)
            return this;
        return Reason is null ? new(RunVerdict.Missed, ExitCode.AssertionMissed, missed.Reason) : this with { Reason = $"{Reason}; {missed.Reason}" };
    }

    private static string? DescribeMissedStep(RunFigures figures)
    {
        IReadOnlyList<RateStep> steps = figures.RateSteps ?? [];
        int missed = steps.ToList().FindIndex(step => !step.IsKept);
        return missed < 0
            ? null : Format($"step {missed + 1}: {steps[missed].RateReached:N0}/s reached, {steps[missed].RateAsked:N0}/s asked");
    }

    private static Verdict Incomplete(string reason) => new(RunVerdict.Failed, ExitCode.Incomplete, reason);

    private static string Describe(LinkResult uneven, IReadOnlyList<LinkResult> links) => string.Create(CultureInfo.InvariantCulture,
        $"{uneven.NameAmong(links)} do not add up: {uneven.Sent:N0} sent, {uneven.Received:N0} received, {uneven.Lost:N0} counted as lost");

    private static string DescribeUneven(IReadOnlyList<LinkResult> links) =>
        links.Any(link => link is { Sent: not null, Received: not null } && link.AreCountsOpen()) ? "; counts are not comparable"
        : links.FirstOrDefault(link => link.Balanced == false) is { } uneven ? "; " + Describe(uneven, links) : "";

    // Where more than the rate was reached, that nothing was left unsent explains nothing.
    private static string Describe(RunFigures figures, IReadOnlyList<LinkResult> links, bool isTooSlow)
    {
        string rate = figures.RateAsked is { } asked
            ? Format($"{figures.RateReached:N0}/s reached, {asked:N0}/s asked") : Format($"{figures.RateReached:N0}/s reached");
        IEnumerable<LinkResult> shown = links.Where((link, i) => link.NotSent > 0 || (i == 0 && isTooSlow && link.NotSent is not null));
        return string.Join(", ", shown.Select(link => Format($"{link.NotSent:N0} {link.NameAmong(links)} not sent")).Prepend(rate));
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>Why a run is worthless: the exit code, and one sentence.</summary>
internal sealed record RunFailure(ExitCode Code, string Reason);
