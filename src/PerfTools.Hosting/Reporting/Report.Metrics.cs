using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

// docs/control.md
internal sealed partial class Report
{
    private const double MillisPerSecond = 1_000;

    /// <summary>Writes the metrics of the last collection, all threads together.</summary>
    /// <param name="version">Of the program.</param>
    /// <param name="collected">The collection; null before the first.</param>
    public string WriteMetrics(string? version, Figures? collected)
    {
        MetricsText metrics = new();
        metrics.Info("run", [("tool", table.Tool), ("version", version ?? "")]);
        if (collected is not null)
        {
            AddCollection(metrics, collected.Info);
            foreach (Member member in _intervalMembers)
                member.Value.AddMetrics(metrics, NameOf(member), collected);
            AddProcess(metrics, collected.Process, collected[Gauge.QueuedBytes]);
        }

        return metrics.Complete();
    }

    private static string NameOf(Member member) =>
        member.Parent is null or ReportTable.Counts or ReportTable.Gauges ? member.Name : $"{member.Parent}.{member.Name}";

    private static void AddCollection(MetricsText metrics, CollectionInfo info)
    {
        metrics.Gauge("collectionTimestampSeconds", (info.Utc - DateTime.UnixEpoch).TotalSeconds);
        metrics.Gauge("intervalSeconds", info.Seconds);
        metrics.Gauge("runSeconds", info.Second);
        metrics.Gauge("threads", info.Threads);
    }

    private static void AddProcess(MetricsText metrics, in ProcessSample sample, long queuedBytes)
    {
        metrics.Gauge("processCpuPercent", sample.CpuPercent);
        metrics.Gauge("processCoreCpuPercent", sample.CoreCpuPercent);
        metrics.Counter("processCpuSeconds", sample.CpuSeconds);
        metrics.Gauge("processPeakWorkingSetBytes", sample.PeakWorkingSetBytes);
        metrics.Gauge("processWorkingSetBytes", sample.WorkingSetBytes);
        metrics.Gauge("processManagedHeapBytes", sample.ManagedHeapBytes);
        metrics.Counter("processGen0Collections", sample.Gen0Collections);
        metrics.Counter("processGen1Collections", sample.Gen1Collections);
        metrics.Counter("processGen2Collections", sample.Gen2Collections);
        metrics.Counter("processGcPauseSeconds", sample.GcPauseMillis / MillisPerSecond);
        metrics.Gauge("processQueuedBytes", queuedBytes);
    }
}
