using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>ConsPerf's summary, on the console and in the summary file.</summary>
internal static class ConsumerSummaryText
{
    /// <summary>Writes a section per worker when there are several, then the overall one.</summary>
    public static void Write(TextWriter writer, ConsumerSummary summary)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(summary);
        if (summary.Threads.Count > 1)
        {
            for (int i = 0; i < summary.Threads.Count; i++)
            {
                writer.EmptyLine();
                writer.Line($"--- CLIENT {i + 1} SUMMARY ---");
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

    private static void WriteSection(TextWriter writer, ConsumerSummary summary, ConsumerFigures figures, bool overall)
    {
        writer.EmptyLine();
        WriteStartup(writer, figures);
        writer.EmptyLine();
        WriteSteady(writer, summary, figures);
        writer.EmptyLine();
        WriteOverall(writer, figures);
        if (overall)
            ResourceText.Write(writer, summary.Resources);
        writer.EmptyLine();
        writer.Line($"Test Statistics:");
        WriteCounts(writer, summary, figures.Counts);
        WriteRates(writer, summary, figures);
        WriteLosses(writer, summary, figures);
    }

    private static void WriteStartup(TextWriter writer, ConsumerFigures figures)
    {
        writer.Line($"Startup State Statistics:");
        writer.Line($"  Sampling duration (sec): {figures.StartupSeconds:F3}");
        WriteLatency(writer, "Latency", figures.StartupLatency, "No latency information received during startup time.");
        writer.Line($"  Avg update rate: {figures.StartupUpdateRate:F1}");
    }

    private static void WriteSteady(TextWriter writer, ConsumerSummary summary, ConsumerFigures figures)
    {
        writer.Line($"Steady State Statistics:");
        if (!figures.SteadyReached)
        {
            writer.Line($"  Steady state was not reached during this test.");
            return;
        }

        writer.Line($"  Sampling duration (sec): {figures.SteadySeconds:F3}");
        WriteLatency(writer, "Latency", figures.SteadyLatency, "No latency information was received during steady-state time.");
        if (summary.PostLatencies)
            WriteLatency(writer, "Posting latency", figures.PostLatency, "No posting latency information was received during steady-state time.");
        writer.Line($"  Avg update rate: {figures.SteadyUpdateRate:F1}");
    }

    private static void WriteOverall(TextWriter writer, ConsumerFigures figures)
    {
        writer.Line($"Overall Statistics:");
        writer.Line($"  Sampling duration (sec): {figures.OverallSeconds:F3}");
        WriteLatency(writer, "Latency", figures.OverallLatency, "No latency information was received.");
        WriteLatency(writer, "GenMsg latency", figures.GenericLatency, "No GenMsg latency information was received.");
    }

    private static void WriteCounts(TextWriter writer, ConsumerSummary summary, ConsumerCounts counts)
    {
        writer.Line($"  Requests sent: {counts.RequestsSent}");
        writer.Line($"  Refreshes received: {counts.RefreshesReceived}");
        writer.Line($"  Updates received: {counts.UpdatesReceived}");
        if (summary.Posts)
            writer.Line($"  Posts sent: {counts.PostsSent}");
        if (summary.Generic)
            writer.Line($"  GenMsgs sent: {counts.GenericSent}");
        if (counts.GenericReceived > 0)
            writer.Line($"  GenMsgs received: {counts.GenericReceived}");
        if (summary.GenericLatencies)
            writer.Line($"  GenMsg latencies sent: {counts.GenericLatenciesSent}");
        if (counts.GenericLatenciesReceived > 0)
            writer.Line($"  GenMsg latencies received: {counts.GenericLatenciesReceived}");
    }

    private static void WriteRates(TextWriter writer, ConsumerSummary summary, ConsumerFigures figures)
    {
        ConsumerCounts counts = figures.Counts;
        if (figures.Images is { } images)
        {
            writer.Line($"  Image retrieval time (sec): {images.Seconds:F3}");
            writer.Line($"  Avg image Rate: {images.PerSecond:F1}");
        }

        writer.Line($"  Avg update rate: {figures.UpdateRate:F1}");
        if (summary.Posts)
            writer.Line($"  Avg posting rate: {figures.PerSteadySecond(counts.PostsSent):F1}");
        if (summary.Generic)
            writer.Line($"  Avg GenMsg send rate: {figures.PerSteadySecond(counts.GenericSent):F1}");
        if (counts.GenericReceived > 0)
            writer.Line($"  Avg GenMsg receive rate: {figures.PerSteadySecond(counts.GenericReceived):F1}");
        if (summary.GenericLatencies)
            writer.Line($"  Avg GenMsg latency send rate: {figures.PerSteadySecond(counts.GenericLatenciesSent):F1}");
        if (counts.GenericLatenciesReceived > 0)
            writer.Line($"  Avg GenMsg latency receive rate: {figures.PerSteadySecond(counts.GenericLatenciesReceived):F1}");
    }

    // lines of ours, below the guide's
    private static void WriteLosses(TextWriter writer, ConsumerSummary summary, ConsumerFigures figures)
    {
        ConsumerCounts counts = figures.Counts;
        if (summary.Posts)
            writer.Line($"  Posts not sent: {counts.PostsNotSent}");
        if (summary.Generic)
            writer.Line($"  GenMsgs not sent: {counts.GenericNotSent}");
        LatencyText.SendLagSummary(writer, figures.SendLag);
        LatencyText.RoundTripSummary(writer, figures.RoundTrips);
        if (counts.StatusesReceived > 0)
            writer.Line($"  Status messages received: {counts.StatusesReceived}");
        if (counts.DrainedUpdates > 0)
            writer.Line($"  Updates received after the end: {counts.DrainedUpdates}");
        if (counts.MessagesDropped > 0)
            writer.Line($"  Messages dropped: {counts.MessagesDropped}");
        if (counts.FieldsSkipped > 0)
            writer.Line($"  Unknown fields skipped: {counts.FieldsSkipped}");
        if (counts.LatencyRecordsDropped > 0)
            writer.Line($"  Latency file records dropped: {counts.LatencyRecordsDropped}");
        LatencyText.NegativeSummary(
            writer, figures.OverallLatency.NegativeCount + figures.PostLatency.NegativeCount + figures.GenericLatency.NegativeCount);
    }

    private static void WriteLatency(TextWriter writer, string name, LatencyFigures figures, string none)
    {
        if (figures.Count > 0)
            LatencyText.SummaryLines(writer, name, figures);
        else
            writer.Line($"  {none}");
    }
}
