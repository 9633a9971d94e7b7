using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ConsPerf;

internal static class Program
{
    internal static int Main(string[] args)
    {
        StartupWarmUp.Start(() => ConsPerfRole.RunWarmUp(new ConsPerfOptions()), () => ConsPerfReport.Create(new()));
        return Run(args, StandardStreams.Output, StandardStreams.Error);
    }

    /// <summary>Runs the whole program; tests call it with signals that they raise themselves.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals? signals = null) =>
        ToolProgram.Run("ConsPerf", () => ConsPerfOptionTable.Instance, args, output, error,
            (options, host) => ToolRun.Run(PlanOf(options), host), signals);

    private static RunPlan PlanOf(ConsPerfOptions options) =>
        new(options.Run, ConsPerfOptionTable.Instance.DescribeInputs(options), InputBlock.WideLabels, host => ConsPerfRole.Create(options, host.Signals))
        {
            LatencyFormat = LatencyFormat.Of(options.Session.StampUnit()),
            Notes = options.FindNotes(),
            Session = options.Session,
            Control = options.Control,
            SaysHowItEnded = true,
        };
}
