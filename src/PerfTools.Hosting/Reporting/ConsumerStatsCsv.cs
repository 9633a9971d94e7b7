using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>ConsPerf's statistics file: the guide's columns, then the percentiles of the update latency.</summary>
internal static class ConsumerStatsCsv
{
    private const string GuideColumns =
        "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec), "
        + "Images, Update rate, Posting Latency updates, Posting Latency avg (usec), Posting Latency std dev (usec), "
        + "Posting Latency max (usec), Posting Latency min (usec), GenMsgs sent, GenMsg Latencies sent, GenMsgs received, "
        + "GenMsg Latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec), "
        + "GenMsg Latency min (usec), CPU usage (%), Memory(MB)";

    /// <summary>Writes the header line.</summary>
    public static void WriteHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Line($"{GuideColumns}, {LatencyText.PercentileColumns}");
    }

    /// <summary>Writes the row of one worker and interval.</summary>
    public static void WriteRow(TextWriter writer, ConsumerInterval interval)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(interval);
        ConsumerCounts counts = interval.Counts;
        (LatencyFigures updates, LatencyFigures posts) = (interval.UpdateLatency, interval.PostLatency);
        FormattableString received = $"{updates.Count}, {LatencyText.Columns(updates)}, {counts.RefreshesReceived}, {interval.UpdateRate}";
        FormattableString posted = $"{posts.Count}, {LatencyText.Columns(posts)}";
        FormattableString generic =
            $"{counts.GenericSent}, {counts.GenericLatenciesSent}, {counts.GenericReceived}, {counts.GenericLatenciesReceived}";
        FormattableString process = $"{interval.Process.CpuPercent:F2}, {interval.Process.MemoryMegabytes:F2}";
        writer.Line($"{InvariantText.Time(interval.Info.Utc)}, {received}, {posted}, {generic}, {LatencyText.Columns(interval.GenericLatency)}, {process}, {LatencyText.PercentileValues(updates)}");
    }
}
