using System.Globalization;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

// docs/control.md
internal sealed partial class Report
{
    private const double MillisPerSecond = 1_000;

    // The words of the catalogue for the figures of a collection, and their units.
    private readonly Dictionary<string, (string Words, string? Unit)> _words = table.Rows.Where(row => row.IntervalName is not null)
        .ToDictionary(row => row.IntervalName!, row => (RowFacts.Title(row.IntervalName!, row), row.Facts?.Unit));

    /// <summary>Returns the metrics of the last collection: all threads together and, with several threads, each.</summary>
    /// <param name="version">Version of the program.</param>
    /// <param name="collected">The collection; null before the first.</param>
    /// <param name="threads">The figures of each thread; empty where threads are not distinguished.</param>
    public MetricSet CollectMetrics(string? version, Figures? collected, IReadOnlyList<Figures> threads)
    {
        MetricSet metrics = new() { Help = "the program" };
        metrics.Info("run", [("tool", table.Tool), ("version", version ?? "")]);
        if (collected is null)
            return metrics;
        AddCollection(metrics, collected.Info);
        AddMembers(metrics, collected);
        foreach (Figures thread in threads.Count > 1 ? threads : [])
        {
            metrics.Thread = thread.Info.Thread.ToString(CultureInfo.InvariantCulture);
            AddMembers(metrics, thread);
        }

        metrics.Thread = null;
        AddProcess(metrics, collected.Process, collected[Gauge.QueuedBytes]);
        return metrics;
    }

    private void AddMembers(MetricSet metrics, Figures figures)
    {
        foreach (Member member in _intervalMembers)
        {
            (metrics.Help, metrics.Unit) = _words.GetValueOrDefault(member.Parent is null ? member.Name : $"{member.Parent}.{member.Name}");
            member.Value.AddMetrics(metrics, NameOf(member), figures);
        }

        (metrics.Help, metrics.Unit) = (null, null);
    }

    private static string NameOf(Member member) =>
        member.Parent is null or ReportTable.Counts or ReportTable.Gauges ? member.Name : $"{member.Parent}.{member.Name}";

    private static void AddCollection(MetricSet metrics, CollectionInfo info)
    {
        metrics.Gauge("collectionTimestampSeconds", (info.Utc - DateTime.UnixEpoch).TotalSeconds, "when the collection was made");
        metrics.Gauge("intervalSeconds", info.Seconds, "length of the interval, s");
        metrics.Gauge("runSeconds", info.Second, "time since the start of the run, s");
        metrics.Gauge("threads", info.Threads, "worker threads");
    }

    private static void AddProcess(MetricSet metrics, in ProcessSample sample, long queuedBytes)
    {
        metrics.Gauge("processCpuPercent", sample.CpuPercent, "CPU in the interval, of the whole machine, %");
        metrics.Gauge("processCoreCpuPercent", sample.CoreCpuPercent, "CPU in the interval, of one core, %");
        metrics.Counter("processCpuSeconds", sample.CpuSeconds, "CPU time, s");
        metrics.Gauge("processPeakWorkingSetBytes", sample.PeakWorkingSetBytes, "memory, peak working set, bytes");
        metrics.Gauge("processWorkingSetBytes", sample.WorkingSetBytes, "memory, working set, bytes");
        metrics.Gauge("processManagedHeapBytes", sample.ManagedHeapBytes, "memory, managed heap, bytes");
        metrics.Counter("processGen0Collections", sample.Gen0Collections, "garbage collections, generation 0");
        metrics.Counter("processGen1Collections", sample.Gen1Collections, "garbage collections, generation 1");
        metrics.Counter("processGen2Collections", sample.Gen2Collections, "garbage collections, generation 2");
        metrics.Counter("processGcPauseSeconds", sample.GcPauseMillis / MillisPerSecond, "pauses for garbage collection, s");
        metrics.Gauge("processQueuedBytes", queuedBytes, "bytes that wait for the sockets");
    }
}
