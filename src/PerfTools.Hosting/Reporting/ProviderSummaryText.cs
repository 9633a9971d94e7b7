namespace PerfTools.Hosting.Reporting;

/// <summary>ProvPerf's summary, on the console and in the summary file.</summary>
internal static class ProviderSummaryText
{
    /// <summary>Writes a section per worker when there are several, then the overall one.</summary>
    public static void Write(TextWriter writer, ProviderSummary summary)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(summary);
        if (summary.Threads.Count > 1)
        {
            for (int i = 0; i < summary.Threads.Count; i++)
            {
                writer.EmptyLine();
                writer.Line($"--- THREAD {i + 1} SUMMARY ---");
                WriteSection(writer, summary, summary.Threads[i], overall: false);
            }
        }

        writer.EmptyLine();
        writer.Line($"--- OVERALL SUMMARY ---");
        WriteSection(writer, summary, summary.Overall, overall: true);
        summary.Outcome.WriteComparability(writer);
        foreach (string note in summary.Notes)
            writer.Line($"  {note}");
        writer.EmptyLine();
    }

    private static void WriteSection(TextWriter writer, ProviderSummary summary, ProviderFigures figures, bool overall)
    {
        writer.EmptyLine();
        writer.Line($"Overall Statistics:");
        WriteGeneric(writer, summary, figures);
        ProviderCounts counts = figures.Counts;
        writer.Line($"  Image requests received: {counts.RequestsReceived}");
        if (summary.Updates)
            writer.Line($"  Updates sent: {counts.UpdatesSent}");
        if (counts.PostsReceived > 0)
        {
            writer.Line($"  Posts received: {counts.PostsReceived}");
            writer.Line($"  Posts reflected: {counts.PostsReflected}");
        }

        if (overall)
            ResourceText.Write(writer, summary.Resources);
        WriteLosses(writer, summary, figures);
    }

    private static void WriteGeneric(TextWriter writer, ProviderSummary summary, ProviderFigures figures)
    {
        ProviderCounts counts = figures.Counts;
        if (figures.GenericLatency.Count > 0)
            LatencyText.SummaryLines(writer, "GenMsg latency", figures.GenericLatency);
        else
            writer.Line($"  No GenMsg latency information was received.");
        if (summary.Generic)
            writer.Line($"  GenMsgs sent: {counts.GenericSent}");
        if (counts.GenericReceived > 0)
            writer.Line($"  GenMsgs received: {counts.GenericReceived}");
        if (summary.GenericLatencies)
            writer.Line($"  GenMsg latencies sent: {counts.GenericLatenciesSent}");
        if (counts.GenericLatenciesReceived > 0)
            writer.Line($"  GenMsg latencies received: {counts.GenericLatenciesReceived}");
        if (summary.Generic)
            writer.Line($"  Avg GenMsg send rate: {figures.PerSendingSecond(counts.GenericSent):F0}");
        if (counts.GenericReceived > 0)
            writer.Line($"  Avg GenMsg receive rate: {figures.PerReceivingSecond(counts.GenericReceived):F0}");
        if (summary.GenericLatencies)
            writer.Line($"  Avg GenMsg latency send rate: {figures.PerSendingSecond(counts.GenericLatenciesSent):F0}");
        if (counts.GenericLatenciesReceived > 0)
            writer.Line($"  Avg GenMsg latency receive rate: {figures.PerReceivingSecond(counts.GenericLatenciesReceived):F0}");
    }

    // lines of ours, below the guide's
    private static void WriteLosses(TextWriter writer, ProviderSummary summary, ProviderFigures figures)
    {
        ProviderCounts counts = figures.Counts;
        LatencyText.SendLagSummary(writer, figures.SendLag);
        if (summary.Updates)
            writer.Line($"  Updates not sent: {counts.UpdatesNotSent}");
        if (summary.Generic)
            writer.Line($"  GenMsgs not sent: {counts.GenericNotSent}");
        LatencyText.RoundTripSummary(writer, figures.RoundTrips);
        if (counts.MessagesDropped > 0)
            writer.Line($"  Messages dropped: {counts.MessagesDropped}");
        if (counts.LatencyRecordsDropped > 0)
            writer.Line($"  Latency file records dropped: {counts.LatencyRecordsDropped}");
        LatencyText.NegativeSummary(writer, figures.GenericLatency.NegativeCount);
    }
}
