using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

internal static class Program
{
    internal static int Main(string[] args) => Run(args, Console.Out, Console.Error);

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

    private static RunOutcome Run(LatencyPerfOptions options, RunHost host) =>
        options.Publish ? PublisherRun.Run(options, host) : SubscriberRun.Run(options, host);
}
