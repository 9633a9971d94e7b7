using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>ProvPerf's statistics file: the guide's columns, then send lag and what was not sent.</summary>
internal static class ProviderStatsCsv
{
    private const string GuideColumns =
        "UTC, Requests received, Images sent, Updates sent, Posts reflected, GenMsgs sent, GenMsg Latencies sent, "
        + "GenMsgs received, GenMsg Latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec), "
        + "GenMsg Latency max (usec), GenMsg Latency min (usec), CPU usage (%), Memory (MB)";

    /// <summary>Writes the header line.</summary>
    public static void WriteHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Line($"{GuideColumns}, {LatencyText.SendLagColumns}, Updates not sent");
    }

    /// <summary>Writes the row of one worker and interval.</summary>
    public static void WriteRow(TextWriter writer, ProviderInterval interval)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(interval);
        ProviderCounts counts = interval.Counts;
        LatencyFigures latency = interval.GenericLatency;
        FormattableString sent = $"{counts.RequestsReceived}, {counts.ImagesSent}, {counts.UpdatesSent}, {counts.PostsReflected}";
        FormattableString generic =
            $"{counts.GenericSent}, {counts.GenericLatenciesSent}, {counts.GenericReceived}, {counts.GenericLatenciesReceived}";
        FormattableString process = $"{interval.Process.CpuPercent:F2}, {interval.Process.MemoryMegabytes:F2}";
        writer.Line($"{InvariantText.Time(interval.Info.Utc)}, {sent}, {generic}, {LatencyText.Columns(latency)}, {process}, {LatencyText.SendLagValues(interval.SendLag)}, {counts.UpdatesNotSent}");
    }
}
