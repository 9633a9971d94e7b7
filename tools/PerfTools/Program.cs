using PerfTools.Verbs;

namespace PerfTools;

internal static class Program
{
    private static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    internal static int Run(string[] args, TextWriter output, TextWriter error) =>
        new CommandTree(output, error, FindScreenColumns(output)).Run(args);

    private static int? FindScreenColumns(TextWriter output)
    {
        bool isScreen = ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected
            && Environment.GetEnvironmentVariable("TERM") != "dumb";
        return !isScreen ? null : Console.WindowWidth > 0 ? Console.WindowWidth : 80;
    }
}
