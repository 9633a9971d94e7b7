namespace PerfTools.Hosting.Reporting;

/// <summary>ProvPerf's console lines of one interval.</summary>
internal static class ProviderConsole
{
    /// <summary>Writes the lines of one worker.</summary>
    public static void Write(TextWriter writer, ProviderInterval interval)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(interval);
        CollectionInfo info = interval.Info;
        bool several = info.Threads > 1;
        string indent = several ? "    " : "  ";
        string start = FormattableString.Invariant($"{info.Second:D3}: ");
        if (several)
        {
            writer.Line($"{start}Thread {info.Thread}");
            start = "  ";
        }

        writer.Line($"{start}UpdRate: {interval.UpdateRate}, CPU: {interval.Process.CpuPercent:F2}%, Mem: {interval.Process.MemoryMegabytes:F2}MB");
        WriteMessages(writer, indent, interval, interval.Counts);
        WriteSending(writer, indent, interval, interval.Counts);
    }

    private static void WriteMessages(TextWriter writer, string indent, ProviderInterval interval, ProviderCounts counts)
    {
        ProviderCounts totals = interval.Totals;
        if (counts.RequestsReceived > 0 || counts.ImagesSent > 0)
            writer.Line($"{indent}- Received {counts.RequestsReceived} item requests (total: {totals.RequestsReceived}), sent {counts.ImagesSent} images (total: {totals.ImagesSent})");
        if (counts.PostsReceived > 0)
            writer.Line($"{indent}Posting: received {counts.PostsReceived}, reflected {counts.PostsReflected}");
        GenericText.Write(writer, indent, counts.GenericSent, counts.GenericReceived, counts.GenericLatenciesSent, counts.GenericLatenciesReceived);
        if (interval.GenericLatency.Count > 0)
            LatencyText.ConsoleLine(writer, indent, "GenMsgLat(usec)", interval.GenericLatency);
        if (interval.RoundTrips.Count > 0)
            LatencyText.ConsoleLine(writer, indent, "RTT(usec)", interval.RoundTrips);
        if (counts.ClosesReceived > 0)
            writer.Line($"{indent}- Received {counts.ClosesReceived} closes.");
    }

    private static void WriteSending(TextWriter writer, string indent, ProviderInterval interval, ProviderCounts counts)
    {
        if (counts.UpdatesStopped > 0)
            writer.Line($"{indent}- Stopped {counts.UpdatesStopped} updates due to lack of output buffers.");
        if (counts.UpdatesNotSent > 0)
            writer.Line($"{indent}- Updates not sent: {counts.UpdatesNotSent}");
        if (counts.GenericNotSent > 0)
            writer.Line($"{indent}- {counts.GenericNotSent} GenMsgs not sent due to lack of output buffers.");
        if (counts.PackBuffers > 0)
            writer.Line($"{indent}- Approx. avg msgs per pack: {(double)counts.PackedMessages / counts.PackBuffers:F0}");
        LatencyText.SendLagLine(writer, indent, interval.SendLag);
    }
}
