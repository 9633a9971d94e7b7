using PerfTools.Hosting.Running;

namespace TransportPerf;

internal static class Program
{
    private static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    internal static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("TransportPerf", TransportPerfOptionTable.Instance, args, output, error, TransportRun.Run);
}
