using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>Finds a figure of the summary by the name that <c>-assert</c> gives it.</summary>
internal static class SummaryFigure
{
    /// <summary>The figure; null when nothing was measured. Latencies in microseconds, rates a second.</summary>
    public static double? Of(TransportSummary summary, string name)
    {
        TransportFigures overall = summary.Overall;
        bool hasLatency = overall.Latency.Count > 0;
        return name switch
        {
            "rate" => overall.ReceiveRate > 0 ? overall.ReceiveRate : overall.SendRate,
            "notsent" => overall.Counts.MessagesNotSent,
            "cpu" => summary.Resources.CpuPercent.Mean,
            "memory" => summary.Resources.MemoryMegabytes.Max,
            _ when !hasLatency => null,
            "avg" => overall.Latency.Average,
            "max" => overall.Latency.Max,
            "p50" => overall.Latency.P50,
            "p90" => overall.Latency.P90,
            "p99" => overall.Latency.P99,
            "p99.9" => overall.Latency.P999,
            "p99.99" => overall.Latency.P9999,
            _ => null,
        };
    }
}
