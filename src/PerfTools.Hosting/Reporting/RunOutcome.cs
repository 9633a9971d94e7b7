namespace PerfTools.Hosting.Reporting;

/// <summary>How a run ended, for the summary and the last JSON line.</summary>
/// <param name="Code">The exit code.</param>
/// <param name="Reason">Why it ended, one sentence fit to print.</param>
/// <param name="NotComparableReason">Why the counts of both sides cannot be compared (a kill, a reset); null when they can.</param>
internal sealed record RunOutcome(ExitCode Code, string Reason, string? NotComparableReason = null)
{
    /// <summary>A run that did what was asked.</summary>
    public static RunOutcome Success { get; } = new(ExitCode.Success, "completed");
}
