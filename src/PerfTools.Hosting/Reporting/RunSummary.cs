using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>Everything that a finished run has to say.</summary>
internal sealed record RunSummary
{
    /// <summary>All workers together.</summary>
    public required Figures Overall { get; init; }

    /// <summary>Each worker; sections of their own are written when there are several.</summary>
    public IReadOnlyList<Figures> Threads { get; init; } = [];

    public ResourceStatistics Resources { get; init; } = new();
    public RunOutcome Outcome { get; init; } = RunOutcome.Success;

    /// <summary>Lines about the run that must stand in every summary, for instance that certificates were not checked.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
