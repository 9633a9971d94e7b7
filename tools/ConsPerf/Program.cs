using PerfTools.Hosting.Running;

namespace ConsPerf;

internal static class Program
{
    private static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    /// <summary>The whole program, for tests as well.</summary>
    internal static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("ConsPerf", ConsPerfOptionTable.Instance, args, output, error, (options, host) => new ConsumerRun(options, host).Run());
}
