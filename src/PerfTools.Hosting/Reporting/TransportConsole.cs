using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>TransportPerf's console lines of one interval.</summary>
internal static class TransportConsole
{
    /// <summary>Writes the lines of one worker.</summary>
    public static void Write(TextWriter writer, TransportInterval interval)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(interval);
        CollectionInfo info = interval.Info;
        if (info.Threads > 1)
            writer.Line($"{info.Second:D3}: Thread {info.Thread}:");
        else
            writer.Line($"{info.Second:D3}:");

        TransportCounts counts = interval.Counts;
        WriteRate(writer, "Sent", interval.SendRate, counts.BytesSent, info.Seconds);
        WriteRate(writer, "Recv", interval.ReceiveRate, counts.BytesReceived - counts.DrainedBytes, info.Seconds);
        if (counts.MessagesStopped > 0)
            writer.Line($"  {counts.MessagesStopped} messages not sent due to lack of output buffers.");
        if (counts.MessagesNotSent > 0)
            writer.Line($"  Messages not sent: {counts.MessagesNotSent}");
        WriteLatency(writer, interval.Latency);
        LatencyText.SendLagLine(writer, "  ", interval.SendLag);
        writer.Line($"  CPU: {interval.Process.CpuPercent,6:F2}% Mem: {interval.Process.MemoryMegabytes,8:F2}MB");
    }

    private static void WriteRate(TextWriter writer, string direction, double messageRate, long bytes, double seconds)
    {
        double megabytesPerSecond = InvariantText.PerSecond(InvariantText.Megabytes(bytes), seconds);
        writer.Line($"  {direction}: MsgRate: {messageRate,8:F0}, DataRate:{megabytesPerSecond,8:F3}MBps");
    }

    private static void WriteLatency(TextWriter writer, LatencyFigures latency)
    {
        if (latency.Count == 0)
            return;
        LatencyText.ThousandthsLine(writer, "  ", "Latency(usec)", latency);
        LatencyText.PercentileLine(writer, "  ", "Latency percentiles(usec)", latency);
    }
}
