namespace PerfTools.Hosting.Reporting;

/// <summary>ConsPerf's console lines of one interval.</summary>
internal static class ConsumerConsole
{
    /// <summary>Writes the lines of one worker.</summary>
    public static void Write(TextWriter writer, ConsumerInterval interval)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(interval);
        ConsumerCounts counts = interval.Counts;
        bool several = interval.Info.Threads > 1;
        string indent = several ? "    " : "  ";
        if (several)
            writer.Line($"{interval.Info.Second}: Client {interval.Info.Thread}:");
        string start = several ? "  " : InvariantSecond(interval.Info.Second);
        writer.Line($"{start}Images: {counts.RefreshesReceived}, Posts: {counts.PostsSent}, UpdRate: {interval.UpdateRate}, CPU: {interval.Process.CpuPercent:F2}, Mem: {interval.Process.MemoryMegabytes:F2}MB");

        WriteLatencies(writer, indent, interval, counts);
        if (counts.StatusesReceived > 0)
            writer.Line($"{indent}- Received {counts.StatusesReceived} status messages.");
        if (interval.Images is { } images)
            writer.Line($"{indent}- Image retrieval time for {images.Items} images: {images.Seconds:F3}s ({images.PerSecond:F1} images/s)");
    }

    /// <summary>Writes the line that follows when the last of several workers has all its images.</summary>
    public static void WriteOverallImages(TextWriter writer, ImageRetrieval images)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Line($"Overall image retrieval time for {images.Items} images: {images.Seconds:F3}s ({images.PerSecond:F1} images/s)");
    }

    private static string InvariantSecond(int second) => FormattableString.Invariant($"{second}: ");

    private static void WriteLatencies(TextWriter writer, string indent, ConsumerInterval interval, ConsumerCounts counts)
    {
        if (interval.UpdateLatency.Count > 0)
        {
            LatencyText.ConsoleLine(writer, indent, "Latency(usec)", interval.UpdateLatency);
            LatencyText.PercentileLine(writer, indent, "Latency percentiles(usec)", interval.UpdateLatency);
        }

        if (counts.PostsNotSent > 0)
            writer.Line($"{indent}- {counts.PostsNotSent} posts not sent due to lack of output buffers.");
        if (interval.PostLatency.Count > 0)
            LatencyText.ConsoleLine(writer, indent, "PostLat(usec)", interval.PostLatency);
        GenericText.Write(writer, indent, counts.GenericSent, counts.GenericReceived, counts.GenericLatenciesSent, counts.GenericLatenciesReceived);
        if (counts.GenericNotSent > 0)
            writer.Line($"{indent}- {counts.GenericNotSent} GenMsgs not sent due to lack of output buffers.");
        if (interval.GenericLatency.Count > 0)
            LatencyText.ConsoleLine(writer, indent, "GenMsgLat(usec)", interval.GenericLatency);
        if (interval.RoundTrips.Count > 0)
            LatencyText.ConsoleLine(writer, indent, "RTT(usec)", interval.RoundTrips);
    }
}
