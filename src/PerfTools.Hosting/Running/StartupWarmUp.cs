using System.Runtime.CompilerServices;
using PerfCommon.Measurement;
using PerfCommon.Workers;
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

    /// <summary>
    /// Collects and writes one interval without a run, and leaves no output: cold, the code of a run's first interval takes 0.1 s of a processor,
    /// which would be missing during the measurement.
    /// </summary>
    /// <param name="report">The report of the tool, with default options.</param>
    public static void RunInterval(Report report)
    {
        using NoRole role = new(report);
        using Collector collector = new(role, CpuClock.Current.Read(), intervalSeconds: 1);
        (Figures overall, IReadOnlyList<Figures> threads) = collector.Collect([true]);
        report.WriteCsvHeader(TextWriter.Null);
        report.WriteInterval(Stream.Null, overall, threads);
        foreach (Figures thread in threads)
        {
            report.WriteCsvRow(TextWriter.Null, thread);
            report.WriteConsole(TextWriter.Null, thread);
        }

        report.WriteOverallConsole(TextWriter.Null, overall);
    }

    private static void Run(Action warmUp, Func<Report> createReport)
    {
        try
        {
            warmUp();
            RunInterval(createReport());
        }
#pragma warning disable CA1031 // nothing was requested yet: the run itself warms up in the same way, and its failure is reported
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }

    // A role with one worker that never runs.
    private sealed class NoRole(Report report) : ToolRole([new Worker(new WorkerOptions(), new WorkerRecording(), network: null)], report)
    {
        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public override RunOutcome? FindEnd(long nowNanos) => null;
    }
}
