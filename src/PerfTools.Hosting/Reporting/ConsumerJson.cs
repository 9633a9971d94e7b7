using System.Text.Json;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>ConsPerf's JSON lines: one object per collection, the last one final with every figure.</summary>
/// <remarks>
/// Every line: <c>tool</c>, <c>final</c>. A collection: <c>second</c>, <c>utc</c>, <c>intervalSeconds</c>, <c>overall</c>,
/// <c>threads</c> (same members, in order), <c>process</c>. Members of an interval: <c>counts</c>, <c>updateRate</c>,
/// <c>updateLatency</c>, <c>postLatency</c>, <c>genericLatency</c>, <c>roundTrips</c>, <c>sendLag</c>, and in one of them
/// <c>imageRetrieval</c> (<c>items</c>, <c>seconds</c>, <c>perSecond</c>).
/// The final line: <c>overall</c> and <c>threads</c> with <c>steadyReached</c>, <c>imageRetrieval</c>, <c>startup</c>, <c>steady</c>,
/// <c>whole</c> (each <c>seconds</c>, <c>updates</c>, <c>updateRate</c>, <c>latency</c>), <c>postLatency</c>, <c>genericLatency</c>,
/// <c>roundTrips</c>, <c>sendLag</c>, <c>counts</c>; then <c>exitCode</c>, <c>exitReason</c>, <c>comparable</c>, <c>resources</c>, <c>process</c>.
/// Latencies: <c>count</c>, and with samples <c>avgMicros</c>, <c>stdDevMicros</c>, <c>maxMicros</c>, <c>minMicros</c>, <c>p50Micros</c>,
/// <c>p90Micros</c>, <c>p99Micros</c>, <c>p999Micros</c>, <c>p9999Micros</c>, <c>negative</c>, <c>overflow</c>.
/// </remarks>
internal static class ConsumerJson
{
    private const string Tool = "ConsPerf";

    /// <summary>Writes the line of one collection.</summary>
    /// <param name="stream">The file.</param>
    /// <param name="overall">All workers together; with one worker, that one.</param>
    /// <param name="threads">Each worker.</param>
    public static void WriteInterval(Stream stream, ConsumerInterval overall, IReadOnlyList<ConsumerInterval> threads) =>
        JsonFigures.WriteLine(stream, Tool, final: false, json =>
        {
            JsonFigures.WriteCollection(json, overall.Info);
            JsonFigures.WriteSections(json, overall, threads, WriteInterval);
            JsonFigures.WriteProcess(json, overall.Process);
        });

    /// <summary>Writes the last line.</summary>
    public static void WriteFinal(Stream stream, ConsumerSummary summary) =>
        JsonFigures.WriteLine(stream, Tool, final: true, json =>
        {
            JsonFigures.WriteSections(json, summary.Overall, summary.Threads, WriteFigures);
            JsonFigures.WriteEnd(json, summary.Outcome, summary.Resources);
        });

    private static void WriteInterval(Utf8JsonWriter json, ConsumerInterval interval)
    {
        WriteCounts(json, interval.Counts);
        json.WriteNumber("updateRate", interval.UpdateRate);
        JsonFigures.WriteLatency(json, "updateLatency", interval.UpdateLatency);
        JsonFigures.WriteLatency(json, "postLatency", interval.PostLatency);
        JsonFigures.WriteLatency(json, "genericLatency", interval.GenericLatency);
        JsonFigures.WriteLatency(json, "roundTrips", interval.RoundTrips);
        JsonFigures.WriteLatency(json, "sendLag", interval.SendLag);
        WriteImages(json, interval.Images);
    }

    private static void WriteFigures(Utf8JsonWriter json, ConsumerFigures figures)
    {
        json.WriteBoolean("steadyReached", figures.SteadyReached);
        WriteImages(json, figures.Images);
        ConsumerCounts counts = figures.Counts;
        WritePhase(json, "startup", figures.StartupSeconds, counts.StartupUpdates, figures.StartupUpdateRate, figures.StartupLatency);
        WritePhase(json, "steady", figures.SteadySeconds, counts.SteadyUpdates, figures.SteadyUpdateRate, figures.SteadyLatency);
        WritePhase(json, "whole", figures.OverallSeconds, counts.UpdatesReceived, figures.UpdateRate, figures.OverallLatency);
        JsonFigures.WriteLatency(json, "postLatency", figures.PostLatency);
        JsonFigures.WriteLatency(json, "genericLatency", figures.GenericLatency);
        JsonFigures.WriteLatency(json, "roundTrips", figures.RoundTrips);
        JsonFigures.WriteLatency(json, "sendLag", figures.SendLag);
        WriteCounts(json, counts);
    }

    private static void WritePhase(
        Utf8JsonWriter json, string name, double seconds, long updates, double updateRate, LatencyFigures latency)
    {
        json.WriteStartObject(name);
        JsonFigures.WriteDouble(json, "seconds", seconds);
        json.WriteNumber("updates", updates);
        JsonFigures.WriteDouble(json, "updateRate", updateRate);
        JsonFigures.WriteLatency(json, "latency", latency);
        json.WriteEndObject();
    }

    private static void WriteImages(Utf8JsonWriter json, ImageRetrieval? images)
    {
        if (images is not { } found)
            return;
        json.WriteStartObject("imageRetrieval");
        json.WriteNumber("items", found.Items);
        JsonFigures.WriteDouble(json, "seconds", found.Seconds);
        JsonFigures.WriteDouble(json, "perSecond", found.PerSecond);
        json.WriteEndObject();
    }

    private static void WriteCounts(Utf8JsonWriter json, in ConsumerCounts counts)
    {
        json.WriteStartObject("counts");
        json.WriteNumber("requestsSent", counts.RequestsSent);
        json.WriteNumber("refreshesReceived", counts.RefreshesReceived);
        json.WriteNumber("updatesReceived", counts.UpdatesReceived);
        json.WriteNumber("drainedUpdates", counts.DrainedUpdates);
        json.WriteNumber("postsSent", counts.PostsSent);
        json.WriteNumber("postsNotSent", counts.PostsNotSent);
        json.WriteNumber("genericSent", counts.GenericSent);
        json.WriteNumber("genericLatenciesSent", counts.GenericLatenciesSent);
        json.WriteNumber("genericNotSent", counts.GenericNotSent);
        json.WriteNumber("genericReceived", counts.GenericReceived);
        json.WriteNumber("genericLatenciesReceived", counts.GenericLatenciesReceived);
        json.WriteNumber("statusesReceived", counts.StatusesReceived);
        json.WriteNumber("messagesDropped", counts.MessagesDropped);
        json.WriteNumber("fieldsSkipped", counts.FieldsSkipped);
        json.WriteNumber("latencyRecordsDropped", counts.LatencyRecordsDropped);
        json.WriteEndObject();
    }
}
