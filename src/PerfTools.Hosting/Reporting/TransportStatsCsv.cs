using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>TransportPerf's statistics file: the guide's columns, then percentiles, send lag and what was not sent.</summary>
internal static class TransportStatsCsv
{
    private const string GuideColumns =
        "UTC, Msgs sent, Bytes sent, Msgs received, Bytes received, Latency msgs received, Latency avg (usec), "
        + "Latency std dev (usec), Latency max (usec), Latency min (usec), CPU usage (%), Memory (MB)";

    /// <summary>Writes the header line.</summary>
    public static void WriteHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Line($"{GuideColumns}, {LatencyText.PercentileColumns}, {LatencyText.SendLagColumns}, Msgs not sent");
    }

    /// <summary>Writes the row of one worker and interval.</summary>
    public static void WriteRow(TextWriter writer, TransportInterval interval)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(interval);
        TransportCounts c = interval.Counts;
        LatencyFigures f = interval.Latency;
        FormattableString counts = $"{c.MessagesSent}, {c.BytesSent}, {c.MessagesReceived}, {c.BytesReceived}, {f.Count}";
        FormattableString latency = $"{f.Average:F3}, {f.Deviation:F3}, {f.Max:F3}, {f.Min:F3}";
        FormattableString process = $"{interval.Process.CpuPercent:F2}, {interval.Process.MemoryMegabytes:F2}";
        FormattableString percentiles = $"{f.P50:F3}, {f.P90:F3}, {f.P99:F3}, {f.P999:F3}, {f.P9999:F3}";
        writer.Line($"{InvariantText.Time(interval.Info.Utc)}, {counts}, {latency}, {process}, {percentiles}, {LatencyText.SendLagValues(interval.SendLag)}, {c.MessagesNotSent}");
    }
}
