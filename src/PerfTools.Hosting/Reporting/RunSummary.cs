using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>The results of a finished run.</summary>
internal sealed record RunSummary
{
    /// <summary>All workers together.</summary>
    public required Figures Overall { get; init; }

    /// <summary>Each worker; with several, each gets a section.</summary>
    public IReadOnlyList<Figures> Threads { get; init; } = [];

    /// <summary>The sizes that the run measured one after the other.</summary>
    public IReadOnlyList<Figures> Sizes { get; init; } = [];

    /// <summary>The slowest connections, the worst first.</summary>
    public IReadOnlyList<ConnectionAccount> Connections { get; init; } = [];

    /// <summary>The network paths of all connections.</summary>
    public IReadOnlyList<NetworkPath> Network { get; init; } = [];

    public ResourceStatistics Resources { get; init; } = new();

    /// <summary>CPU use of the process from the start of the run to its last collection; null when nothing was collected.</summary>
    public CpuUse? WholeCpu { get; init; }

    /// <summary>CPU use in the steady state, start-up left out; null when that was not reached.</summary>
    public CpuUse? SteadyCpu { get; init; }

    /// <summary>The results of the thresholds of <c>-assert</c>, in their order.</summary>
    public IReadOnlyList<ThresholdResult> Assertions { get; init; } = [];

    public RunOutcome Outcome { get; init; } = RunOutcome.Success;

    /// <summary>Lines that every summary of the run must contain, for instance that certificates were not checked.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
