using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ProvPerf;

internal static class Program
{
    internal static int Main(string[] args)
    {
        StartupWarmUp.Start(ProvPerfRole.RunWarmUp, () => ProvPerfReport.Create(new()));
        return Run(args, StandardStreams.Output, StandardStreams.Error);
    }

    /// <summary>Runs the whole program; tests call it with signals that they raise themselves.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null) =>
        ToolProgram.Run("ProvPerf", () => ProvPerfOptionTable.Instance, args, output, error,
            (options, host) => ToolRun.Run(PlanOf(options with { Connection = ServerFiles.Fit(options.Connection) }), host), signals);

    private static RunPlan PlanOf(ProvPerfOptions options) =>
        new(options.Run, ProvPerfOptionTable.Instance.DescribeInputs(options), InputBlock.WideLabels, _ => ProvPerfRole.Create(options))
        {
            LatencyFormat = LatencyFormat.Of(options.Session.StampUnit()),
            Notes = options.FindNotes(),
            Session = options.Session,
            Control = options.Control,
        };
}
