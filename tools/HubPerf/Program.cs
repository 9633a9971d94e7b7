using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace HubPerf;

internal static class Program
{
    internal static int Main(string[] args)
    {
        StartupWarmUp.Start(() => HubPerfRole.RunWarmUp(), () => HubPerfReport.Create(new()));
        return Run(args, StandardStreams.Output, StandardStreams.Error);
    }

    /// <summary>Runs the whole program; tests call it with signals that they raise themselves.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null) =>
        ToolProgram.Run("HubPerf", () => HubPerfOptionTable.Instance, args, output, error,
            (options, host) => ToolRun.Run(PlanOf(HubLimits.Apply(options, SystemLimits.MaxFiles)), host), signals);

    private static RunPlan PlanOf(HubPerfOptions options) => new(
        options.Run with { ListedThreads = options.Threads }, HubPerfOptionTable.Instance.DescribeInputs(options), InputBlock.WideLabels,
        _ => HubPerfRole.Create(options))
    {
        Control = options.Control,
        LatencyFormat = LatencyFormat.Of(options.Session.StampUnit()),
        FileNames = RunFileNames.Of(options.Run) with { Statistics = _ => options.Run.StatsFile + ".csv" },
    };
}
