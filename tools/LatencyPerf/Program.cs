using LatencyPerf.Options;
using LatencyPerf.Results;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

internal static class Program
{
    internal static int Main(string[] args) => Run(args, StandardStreams.Output, StandardStreams.Error);

    /// <summary>Runs the whole program, for tests as well: those pass their signals.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null)
    {
        try
        {
            args = OptionsFile.Expand(args, LatencyPerfOptionTable.Instance);
        }
        catch (SetupException problem)
        {
            using RunSignals own = new();
            return ToolProgram.Run(LatencyPerfOptionTable.Tool, new RunConsole(output), error, _ => throw problem, signals ?? own);
        }

        return ToolProgram.Run(LatencyPerfOptionTable.Tool, () => LatencyPerfOptionTable.Instance, args, output, error, Run, signals);
    }

    private static RunOutcome Run(LatencyPerfOptions options, RunHost host)
    {
        Baseline? baseline = options.Baseline is { } path ? Baseline.Read(path, TestConditions.Of(options)) : null;
        return ToolRun.Run(PlanOf(options, baseline), host);
    }

    private static RunPlan PlanOf(LatencyPerfOptions options, Baseline? baseline) => new(
        options.Run, [], 0, host => LatencyRole.Create(options, host, baseline))
    {
        Heading = options.Publish ? GuideText.Publisher : GuideText.Subscriber,
        CopiesConsole = true,
        FileNames = new(options.SummaryFile, null, null, options.Run.JsonFile),
        LatencyFormat = LatencyFormat.Transport,
        Control = options.Control,
    };
}
