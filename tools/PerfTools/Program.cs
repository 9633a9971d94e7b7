using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Verbs;

namespace PerfTools;

internal static class Program
{
    private static int Main(string[] args) =>
        RolePrograms.TryFind(args, out Func<int>? role) ? role() : Run(args, StandardStreams.Output, StandardStreams.Error);

    internal static int Run(string[] args, TextWriter output, TextWriter error)
    {
        using RunSignals signals = new();
        return Run(args, output, error, signals);
    }

    internal static int Run(string[] args, TextWriter output, TextWriter error, RunSignals signals) =>
        new CommandTree(output, error, Terminal.FindColumns(output), signals).Run(args);
}
