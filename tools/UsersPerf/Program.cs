using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace UsersPerf;

internal static class Program
{
    internal static int Main(string[] args)
    {
        StartupWarmUp.Start(UserWarmUp.Run, () => UsersPerfReport.Create(new()));
        return Run(args, StandardStreams.Output, StandardStreams.Error);
    }

    /// <summary>Runs the whole program; tests call it with signals that they raise themselves.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null) =>
        ToolProgram.Run("UsersPerf", () => UsersPerfOptionTable.Instance, args, output, error,
            (options, host) => ToolRun.Run(PlanOf(options), host), signals);

    private static RunPlan PlanOf(UsersPerfOptions options) =>
        new(options.Run, UsersPerfOptionTable.Instance.DescribeInputs(options), InputBlock.WideLabels, _ => UsersPerfRole.Create(options))
        {
            Control = options.Control,
            LatencyFormat = LatencyFormat.Of(options.Session.StampUnit()), // no latency file is written
            SaysHowItEnded = true,
        };
}
