using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>Judges a ramp by its steps and links.</summary>
internal static class RampVerdict
{
    /// <summary>Judges the ramp.</summary>
    /// <param name="failure">The first failure; null without one.</param>
    /// <param name="steps">The steps that were measured.</param>
    /// <param name="links">The links between the roles.</param>
    /// <param name="ended">The end of a ramp that a step may end; null for a ramp that continues to its last step.</param>
    public static Verdict Of(RunFailure? failure, IReadOnlyList<StepRow> steps, IReadOnlyList<LinkResult> links, RampEnd? ended)
    {
        if (failure is not null)
        {
            return failure.Code.IsOfSignal() ? new(RunVerdict.Interrupted, failure.Code, failure.Reason)
                : new(RunVerdict.Failed, failure.Code, Join(failure.Reason, steps.MaxBy(step => step.ForeignPercent)?.MachineBusy));
        }

        if (steps.Count == 0)
            return new(RunVerdict.Failed, ExitCode.Incomplete, "no step was measured");
        if (FindUneven(links) is { } uneven)
            return uneven;
        if (ended is not null)
            return JudgeEnded(steps, ended);
        return steps.FirstOrDefault(step => !step.IsOk) is { } first ? Slow(first, first.Fault!) : new(RunVerdict.Ok, ExitCode.Success, null);
    }

    /// <summary>Judges roles that stayed up, whose steps were judged while they ran.</summary>
    /// <param name="failure">The first thing that went wrong; null when nothing did.</param>
    /// <param name="links">What the roles sent each other.</param>
    public static Verdict OfStanding(RunFailure? failure, IReadOnlyList<LinkResult> links) =>
        failure is not null ? Of(failure, [], links, null) : FindUneven(links) ?? new(RunVerdict.Ok, ExitCode.Success, null);

    private static Verdict? FindUneven(IReadOnlyList<LinkResult> links) => links.FirstOrDefault(link => link.Balanced == false) is not { } uneven ? null
        : new(RunVerdict.Failed, ExitCode.Incomplete,
            Invariant($"{uneven.NameAmong(links)} do not add up: {uneven.Sent:N0} sent, {uneven.Received:N0} received, {uneven.Lost:N0} counted as lost"));

    // The hub's limit was found, unless others kept the machine busy in that very step, or it was the first.
    private static Verdict JudgeEnded(IReadOnlyList<StepRow> steps, RampEnd ended) =>
        ended.Step is { } last && (last == steps[0] || last.MachineBusy is not null)
            ? Slow(last, last.Fault ?? ended.Missed!) : new(RunVerdict.Ok, ExitCode.Success, null);

    private static Verdict Slow(StepRow step, string why) => new(RunVerdict.Slow, ExitCode.AssertionMissed, Join(
        Invariant($"step {step.Step} with {step.UsersAsked:N0} users: {why}"),
        step.Disturbance is { } disturbance ? disturbance + ", so this says nothing of the hub" : null));

    private static string Join(string reason, string? more) => more is null ? reason : $"{reason}; {more}";

    private static string Invariant(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The step that ended a ramp.</summary>
/// <param name="Step">The first step that is faulty or misses a threshold; null when there is none.</param>
/// <param name="Missed">The threshold; null for none.</param>
internal sealed record RampEnd(StepRow? Step, string? Missed);
