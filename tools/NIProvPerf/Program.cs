using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace NIProvPerf;

internal static class Program
{
    internal static int Main(string[] args)
    {
        StartupWarmUp.Start(NIProvPerfRole.RunWarmUp, () => NIProvPerfReport.Create(new()));
        return Run(args, StandardStreams.Output, StandardStreams.Error);
    }

    /// <summary>Runs the whole program; tests call it with signals that they raise themselves.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null) =>
        ToolProgram.Run("NIProvPerf", () => NIProvPerfOptionTable.Instance, args, output, error,
            (options, host) => ToolRun.Run(PlanOf(options), host), signals);

    private static RunPlan PlanOf(NIProvPerfOptions options) =>
        new(options.Run, NIProvPerfOptionTable.Instance.DescribeInputs(options), InputBlock.NarrowLabels,
            _ => NIProvPerfRole.Create(options))
        {
            LatencyFormat = LatencyFormat.Of(options.Session.StampUnit()), // nothing is received, so no latency file is written
            Notes = options.FindNotes(),
            Session = options.Session,
            Control = options.Control,
        };
}
