using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>Everything that a finished run has to say.</summary>
internal sealed record RunSummary
{
    /// <summary>All workers together.</summary>
    public required Figures Overall { get; init; }

    /// <summary>Each worker; sections of their own are written when there are several.</summary>
    public IReadOnlyList<Figures> Threads { get; init; } = [];

    /// <summary>The slowest connections, the worst first.</summary>
    public IReadOnlyList<ConnectionAccount> Connections { get; init; } = [];

    public ResourceStatistics Resources { get; init; } = new();

    /// <summary>Processor time of the process from the start of the run to its last collection; null when nothing was collected.</summary>
    public CpuUse? WholeCpu { get; init; }

    /// <summary>Its processor time in the steady state, start-up left out; null when that was not reached.</summary>
    public CpuUse? SteadyCpu { get; init; }

    /// <summary>How it stands to what <c>-assert</c> asked for, in that order.</summary>
    public IReadOnlyList<ThresholdResult> Assertions { get; init; } = [];

    public RunOutcome Outcome { get; init; } = RunOutcome.Success;

    /// <summary>Lines about the run that must stand in every summary, for instance that certificates were not checked.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
