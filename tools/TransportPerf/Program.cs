using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

internal static class Program
{
    internal static int Main(string[] args)
    {
        StartupWarmUp.Start(() => TransportWarmUp.Run(), () => TransportPerfReport.Create(new(), Environment.ProcessId));
        return Run(args, StandardStreams.Output, StandardStreams.Error);
    }

    /// <summary>Runs the whole program; tests call it with signals that they raise themselves.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null) =>
        ToolProgram.Run("TransportPerf", () => TransportPerfOptionTable.Instance, args, output, error,
            (options, host) => ToolRun.Run(PlanOf(options with { Connection = ServerFiles.Fit(options.Connection) }), host), signals);

    private static RunPlan PlanOf(TransportPerfOptions options) => new(
        options.Run, TransportPerfOptionTable.Instance.DescribeInputs(options), InputBlock.NarrowLabels,
        host => new TransportPerfRole(options, host.Console, host.Signals))
    {
        FileNames = options.FileNames,
        Control = options.Control,
        LatencyFormat = LatencyFormat.Transport,
        Notes = options.FindNotes(),
    };
}
