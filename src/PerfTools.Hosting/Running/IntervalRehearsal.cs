using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Collects and writes one interval of a run that is none: what the first interval of a run needs is compiled then, 0.1 s of a processor
/// that would be missing while the run is measured.
/// </summary>
internal static class IntervalRehearsal
{
    /// <summary>Goes through it, and leaves nothing behind.</summary>
    /// <param name="report">That of the tool, with default options.</param>
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

    // One worker that never runs.
    private sealed class NoRole(Report report) : ToolRole([new Worker(new WorkerOptions(), new WorkerRecording())], report)
    {
        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public override RunOutcome? FindEnd(long nowNanos) => null;
    }
}
