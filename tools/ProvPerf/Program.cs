namespace ProvPerf;

internal static class Program
{
    private static int Main(string[] args) => Run(args, Console.Out, Console.Error);

    internal static int Run(string[] args, TextWriter output, TextWriter error)
    {
        error.WriteLine("ProvPerf: nothing to run yet");
        return 2;
    }
}
