using System.Text.Json;

namespace PerfTools.Hosting.Reporting;

/// <summary>ProvPerf's JSON lines: one object per collection, the last one final with every figure.</summary>
/// <remarks>
/// Every line: <c>tool</c>, <c>final</c>. A collection: <c>second</c>, <c>utc</c>, <c>intervalSeconds</c>, <c>overall</c>,
/// <c>threads</c> (same members, in order), <c>process</c>; members: <c>updateRate</c>, <c>genericLatency</c>, <c>roundTrips</c>,
/// <c>sendLag</c>, <c>counts</c>. The final line: <c>overall</c> and <c>threads</c> with the same members but <c>updateRate</c>; then
/// <c>exitCode</c>, <c>exitReason</c>, <c>comparable</c>, <c>resources</c>, <c>process</c>. Latencies as in <see cref="ConsumerJson"/>.
/// </remarks>
internal static class ProviderJson
{
    private const string Tool = "ProvPerf";

    /// <summary>Writes the line of one collection.</summary>
    /// <param name="stream">The file.</param>
    /// <param name="overall">All workers together; with one worker, that one.</param>
    /// <param name="threads">Each worker.</param>
    public static void WriteInterval(Stream stream, ProviderInterval overall, IReadOnlyList<ProviderInterval> threads) =>
        JsonFigures.WriteLine(stream, Tool, final: false, json =>
        {
            JsonFigures.WriteCollection(json, overall.Info);
            JsonFigures.WriteSections(json, overall, threads, WriteInterval);
            JsonFigures.WriteProcess(json, overall.Process);
        });

    /// <summary>Writes the last line.</summary>
    public static void WriteFinal(Stream stream, ProviderSummary summary) =>
        JsonFigures.WriteLine(stream, Tool, final: true, json =>
        {
            JsonFigures.WriteSections(json, summary.Overall, summary.Threads, WriteFigures);
            JsonFigures.WriteEnd(json, summary.Outcome, summary.Resources);
        });

    private static void WriteInterval(Utf8JsonWriter json, ProviderInterval interval)
    {
        json.WriteNumber("updateRate", interval.UpdateRate);
        JsonFigures.WriteLatency(json, "genericLatency", interval.GenericLatency);
        JsonFigures.WriteLatency(json, "roundTrips", interval.RoundTrips);
        JsonFigures.WriteLatency(json, "sendLag", interval.SendLag);
        WriteCounts(json, interval.Counts);
    }

    private static void WriteFigures(Utf8JsonWriter json, ProviderFigures figures)
    {
        JsonFigures.WriteLatency(json, "genericLatency", figures.GenericLatency);
        JsonFigures.WriteLatency(json, "roundTrips", figures.RoundTrips);
        JsonFigures.WriteLatency(json, "sendLag", figures.SendLag);
        WriteCounts(json, figures.Counts);
    }

    private static void WriteCounts(Utf8JsonWriter json, in ProviderCounts counts)
    {
        json.WriteStartObject("counts");
        json.WriteNumber("requestsReceived", counts.RequestsReceived);
        json.WriteNumber("imagesSent", counts.ImagesSent);
        json.WriteNumber("updatesSent", counts.UpdatesSent);
        json.WriteNumber("updatesNotSent", counts.UpdatesNotSent);
        json.WriteNumber("updatesStopped", counts.UpdatesStopped);
        json.WriteNumber("updateLatenciesSent", counts.UpdateLatenciesSent);
        json.WriteNumber("postsReceived", counts.PostsReceived);
        json.WriteNumber("postsReflected", counts.PostsReflected);
        json.WriteNumber("genericSent", counts.GenericSent);
        json.WriteNumber("genericLatenciesSent", counts.GenericLatenciesSent);
        json.WriteNumber("genericNotSent", counts.GenericNotSent);
        json.WriteNumber("genericReceived", counts.GenericReceived);
        json.WriteNumber("genericLatenciesReceived", counts.GenericLatenciesReceived);
        json.WriteNumber("closesReceived", counts.ClosesReceived);
        json.WriteNumber("messagesDropped", counts.MessagesDropped);
        json.WriteNumber("packedMessages", counts.PackedMessages);
        json.WriteNumber("packBuffers", counts.PackBuffers);
        json.WriteNumber("latencyRecordsDropped", counts.LatencyRecordsDropped);
        json.WriteEndObject();
    }
}
