using System.Runtime.CompilerServices;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Compiles the methods that a run needs on a second processor, while the program reads its command line and its files.</summary>
/// <remarks>The runtime compiles a method when it is first called, and every other caller waits for it.</remarks>
internal static class StartupWarmUp
{
    /// <summary>
    /// Starts a warm-up in parallel with the program's start; without effect on a machine of one processor, and in native builds, where nothing is
    /// compiled.
    /// </summary>
    /// <param name="warmUp">Runs over built-in inputs. Its failures are ignored: the run fails in the same way and reports it.</param>
    /// <param name="createReport">Creates the report of a run with default options.</param>
    public static void Start(Action warmUp, Func<Report> createReport)
    {
        if (Environment.ProcessorCount > 1 && RuntimeFeature.IsDynamicCodeCompiled)
            new Thread(() => Run(warmUp, createReport)) { IsBackground = true, Name = "warm-up" }.Start();
    }

    private static void Run(Action warmUp, Func<Report> createReport)
    {
        try
        {
            warmUp();
            IntervalWarmUp.Run(createReport());
        }
#pragma warning disable CA1031 // nothing was requested yet: the run itself warms up in the same way, and its failure is reported
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}
