using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Collects and writes one interval without a run, so that the code of a run's first interval is compiled: 0.1 s of a processor, which would be
/// missing during the measurement.
/// </summary>
internal static class IntervalWarmUp
{
    /// <summary>Runs the interval, and leaves no output.</summary>
    /// <param name="report">The report of the tool, with default options.</param>
    public static void Run(Report report)
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

    // A role with one worker that never runs.
    private sealed class NoRole(Report report) : ToolRole([new Worker(new WorkerOptions(), new WorkerRecording())], report)
    {
        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public override RunOutcome? FindEnd(long nowNanos) => null;
    }
}
