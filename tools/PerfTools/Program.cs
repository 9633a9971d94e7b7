using PerfTools.Hosting.Running;
using PerfTools.Verbs;

namespace PerfTools;

internal static class Program
{
    private static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    internal static int Run(string[] args, TextWriter output, TextWriter error)
    {
        try
        {
            return new CommandTree(output, error, FindScreenColumns(output)).Run(args);
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            error.Write($"perftools: standard output: cannot be written: {problem.Message}\n");
            return (int)ExitCode.OutputFile;
        }
    }

    private static int? FindScreenColumns(TextWriter output)
    {
        bool isScreen = ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected
            && Environment.GetEnvironmentVariable("TERM") != "dumb";
        return !isScreen ? null : Console.WindowWidth > 0 ? Console.WindowWidth : 80;
    }
}
