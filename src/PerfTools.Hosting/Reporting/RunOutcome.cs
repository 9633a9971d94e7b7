namespace PerfTools.Hosting.Reporting;

/// <summary>The outcome of a run, for the summary and the last JSON line.</summary>
/// <param name="Code">The exit code.</param>
/// <param name="Reason">Why it ended, one sentence fit to print.</param>
/// <param name="NotComparableReason">Why the counts of both sides cannot be compared (a kill, a reset); null when they can.</param>
internal sealed record RunOutcome(ExitCode Code, string Reason, string? NotComparableReason = null)
{
    /// <summary>The outcome of a successful run.</summary>
    public static RunOutcome Success { get; } = new(ExitCode.Success, "completed");

    /// <summary>
    /// Returns the outcome with an output that could not be written: it overrides success and a signal, and is reported in any case.
    /// </summary>
    /// <param name="failure">The failure, as a sentence that names the output; null when all was written.</param>
    public RunOutcome WithUnwritten(string? failure)
    {
        if (failure is null || Reason.Contains(failure, StringComparison.Ordinal))
            return this;
        return Code == ExitCode.Success || Code.IsOfSignal()
            ? this with { Code = ExitCode.OutputFile, Reason = failure }
            : this with { Reason = $"{Reason}; {failure}" };
    }
}
