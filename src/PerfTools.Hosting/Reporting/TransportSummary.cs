using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>Everything a finished TransportPerf run has to say.</summary>
internal sealed record TransportSummary
{
    /// <summary>All workers together.</summary>
    public required TransportFigures Overall { get; init; }

    /// <summary>Each worker; sections of their own are written when there are several.</summary>
    public IReadOnlyList<TransportFigures> Threads { get; init; } = [];

    /// <summary>Processor and memory samples of the run.</summary>
    public ResourceStatistics Resources { get; init; } = new();

    /// <summary>How the run ended.</summary>
    public RunOutcome Outcome { get; init; } = RunOutcome.Success;

    /// <summary>The process id, which default file names carry.</summary>
    public int ProcessId { get; init; }

    /// <summary>Lines about the run that must stand in every summary.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
