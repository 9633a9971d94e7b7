using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>The plan of one run, from the tool to the code that all tools share.</summary>
/// <remarks>Creating the role loads inputs, binds ports and sockets, and creates the workers.</remarks>
internal sealed record RunPlan(
    RunOptions Run, IReadOnlyList<(string Label, string Value)> Inputs, int LabelWidth, Func<RunHost, ToolRole> CreateRole)
{
    /// <summary>Names of the files; null for those of the options.</summary>
    public RunFileNames? FileNames { get; init; }

    /// <summary>The lines at the start, in place of the block of inputs; null for that block.</summary>
    public string? Heading { get; init; }

    /// <summary>True for a summary file that is a copy of the console.</summary>
    public bool CopiesConsole { get; init; }

    /// <summary>Format of the latency files.</summary>
    public required LatencyFormat LatencyFormat { get; init; }

    /// <summary>Lines about options that have no effect, printed below the inputs.</summary>
    public IEnumerable<string> Notes { get; init; } = [];

    /// <summary>Options of the threads in addition to the workers'.</summary>
    public SessionOptions Session { get; init; } = new();

    /// <summary>The options by which the run is watched and changed.</summary>
    public ControlOptions Control { get; init; } = new();

    /// <summary>True to print how the run ended before its summary.</summary>
    public bool SaysHowItEnded { get; init; }

    /// <summary>
    /// The maximum time from the end of the run to the end of its threads: a worker drains twice at most, for 3 s each; one that has not stopped 3 s
    /// later is stuck.
    /// </summary>
    public int EndMillis { get; init; } = 9_000;

    /// <summary>Writes the lines at the start.</summary>
    public void WriteStart(TextWriter writer)
    {
        if (Heading is not null)
            writer.Write(Heading);
        else
            InputBlock.Write(writer, LabelWidth, Inputs);
    }
}
