using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>What a tool hands to the hall for one run.</summary>
/// <remarks>Creating the role loads inputs, binds what must be bound, and makes the workers.</remarks>
internal sealed record RunPlan(
    RunOptions Run, IReadOnlyList<(string Label, string Value)> Inputs, int LabelWidth, Func<RunHost, ToolRole> CreateRole)
{
    /// <summary>Names of the files; null for those of the options.</summary>
    public RunFileNames? FileNames { get; init; }

    /// <summary>Form of the latency files.</summary>
    public required LatencyFormat LatencyFormat { get; init; }

    /// <summary>Lines about options that have no effect, printed below the inputs.</summary>
    public IEnumerable<string> Notes { get; init; } = [];

    /// <summary>What is asked of threads beside the workers'.</summary>
    public SessionOptions Session { get; init; } = new();

    /// <summary>Who may look at the run and change it while it goes on.</summary>
    public ControlOptions Control { get; init; } = new();

    /// <summary>True to print how the run ended before its summary.</summary>
    public bool SaysHowItEnded { get; init; }

    /// <summary>
    /// From the end of the run to that of its threads: a worker drains twice at most, for 3 s each; one that is not back 3 s later is
    /// stuck.
    /// </summary>
    public int EndMillis { get; init; } = 9_000;
}
