using System.Runtime.CompilerServices;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Has what a run will need compiled on a second processor, while the program reads its command line and its files.</summary>
/// <remarks>Methods are compiled once, as they are first called: whoever calls one that is being compiled waits for it.</remarks>
internal static class CompileAhead
{
    /// <summary>
    /// Starts a warm-up beside the program's start; without effect on a machine of one processor, and natively, where nothing is compiled.
    /// </summary>
    /// <param name="warmUp">Runs over inputs of its own. What fails in it is left to the run, which meets the same and says so.</param>
    /// <param name="createReport">Makes the report of a run with default options.</param>
    public static void Start(Action warmUp, Func<Report> createReport)
    {
        if (Environment.ProcessorCount > 1 && RuntimeFeature.IsDynamicCodeCompiled)
            new Thread(() => Run(warmUp, createReport)) { IsBackground = true, Name = "compile ahead" }.Start();
    }

    private static void Run(Action warmUp, Func<Report> createReport)
    {
        try
        {
            warmUp();
            IntervalRehearsal.Run(createReport());
        }
#pragma warning disable CA1031 // nothing was asked for yet: the run itself warms up the same way, and its failure is told
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}
