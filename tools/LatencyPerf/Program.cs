using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

internal static class Program
{
    internal static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    /// <summary>The whole program, for tests as well.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error)
    {
        try
        {
            args = OptionsFile.Expand(args, LatencyPerfOptionTable.Instance);
        }
        catch (SetupException problem)
        {
            using RunSignals signals = new();
            return ToolProgram.Run(LatencyPerfOptionTable.Tool, new RunConsole(output), error, _ => throw problem, signals);
        }

        return ToolProgram.Run(LatencyPerfOptionTable.Tool, () => LatencyPerfOptionTable.Instance, args, output, error, Run);
    }

    private static RunOutcome Run(LatencyPerfOptions options, RunHost host) =>
        options.Publish ? PublisherRun.Run(options, host) : SubscriberRun.Run(options, host);
}
