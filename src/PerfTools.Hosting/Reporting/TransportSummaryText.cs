using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>TransportPerf's summary, on the console and in the summary file.</summary>
internal static class TransportSummaryText
{
    /// <summary>Writes a section per worker when there are several, then the overall one.</summary>
    public static void Write(TextWriter writer, TransportSummary summary)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(summary);
        writer.EmptyLine();
        if (summary.Threads.Count > 1)
        {
            for (int i = 0; i < summary.Threads.Count; i++)
            {
                writer.Line($"--- THREAD {i + 1} SUMMARY ---");
                WriteFigures(writer, summary.Threads[i]);
                WriteLosses(writer, summary.Threads[i]);
                writer.EmptyLine();
            }
        }

        writer.Line($"--- OVERALL SUMMARY ---");
        WriteFigures(writer, summary.Overall);
        ResourceText.Write(writer, summary.Resources);
        writer.Line($"  Process ID: {summary.ProcessId}");
        WriteLosses(writer, summary.Overall);
        summary.Outcome.WriteComparability(writer);
        foreach (string note in summary.Notes)
            writer.Line($"  {note}");
        writer.EmptyLine();
    }

    private static void WriteFigures(TextWriter writer, TransportFigures figures)
    {
        TransportCounts counts = figures.Counts;
        writer.EmptyLine();
        writer.Line($"Statistics:");
        WriteLatency(writer, figures.Latency);
        writer.Line($"  Sampling duration(sec): {figures.ConnectedSeconds:F2}");
        writer.Line($"  Msgs Sent: {counts.MessagesSent}");
        writer.Line($"  Msgs Received: {counts.MessagesReceived}");
        writer.Line($"  Data Sent (MB): {InvariantText.Megabytes(counts.BytesSent):F2}");
        writer.Line($"  Data Received (MB): {InvariantText.Megabytes(counts.BytesReceived):F2}");
        writer.Line($"  Avg. Msg Sent Rate: {figures.SendRate:F0}");
        writer.Line($"  Avg. Msg Recv Rate: {figures.ReceiveRate:F0}");
        writer.Line($"  Avg. Data Sent Rate (MB): {figures.SendMegabytesPerSecond:F2}");
        writer.Line($"  Avg. Data Recv Rate (MB): {figures.ReceiveMegabytesPerSecond:F2}");
    }

    private static void WriteLatency(TextWriter writer, LatencyFigures latency)
    {
        if (latency.Count == 0)
        {
            writer.Line($"  No latency information was received.");
            return;
        }

        writer.Line($"  Latency avg (usec): {latency.Average:F3}");
        writer.Line($"  Latency std dev (usec): {latency.Deviation:F3}");
        writer.Line($"  Latency max (usec): {latency.Max:F3}");
        writer.Line($"  Latency min (usec): {latency.Min:F3}");
        writer.Line($"  Latency p50 (usec): {latency.P50:F3}");
        writer.Line($"  Latency p90 (usec): {latency.P90:F3}");
        writer.Line($"  Latency p99 (usec): {latency.P99:F3}");
        writer.Line($"  Latency p99.9 (usec): {latency.P999:F3}");
        writer.Line($"  Latency p99.99 (usec): {latency.P9999:F3}");
    }

    // lines of ours, below the guide's
    private static void WriteLosses(TextWriter writer, TransportFigures figures)
    {
        TransportCounts counts = figures.Counts;
        LatencyText.SendLagSummary(writer, figures.SendLag);
        writer.Line($"  Messages not sent: {counts.MessagesNotSent}");
        if (counts.DrainedMessages > 0)
            writer.Line($"  Messages received after the end: {counts.DrainedMessages}");
        if (counts.LatencyRecordsDropped > 0)
            writer.Line($"  Latency file records dropped: {counts.LatencyRecordsDropped}");
        LatencyText.NegativeSummary(writer, figures.Latency.NegativeCount);
    }
}
