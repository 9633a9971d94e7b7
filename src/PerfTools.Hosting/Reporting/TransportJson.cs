using System.Text.Json;

namespace PerfTools.Hosting.Reporting;

/// <summary>TransportPerf's JSON lines: one object per collection, the last one final with every figure.</summary>
/// <remarks>
/// Every line: <c>tool</c>, <c>final</c>. A collection: <c>second</c>, <c>utc</c>, <c>intervalSeconds</c>, <c>overall</c>,
/// <c>threads</c> (same members, in order), <c>process</c>; members: <c>sendRate</c>, <c>receiveRate</c>, <c>latency</c>,
/// <c>sendLag</c>, <c>counts</c>. The final line: <c>overall</c> and <c>threads</c> with those and <c>connectedSeconds</c>; then
/// <c>processId</c>, <c>exitCode</c>, <c>exitReason</c>, <c>comparable</c>, <c>resources</c>, <c>process</c>.
/// Latencies as in <see cref="ConsumerJson"/>.
/// </remarks>
internal static class TransportJson
{
    private const string Tool = "TransportPerf";

    /// <summary>Writes the line of one collection.</summary>
    /// <param name="stream">The file.</param>
    /// <param name="overall">All workers together; with one worker, that one.</param>
    /// <param name="threads">Each worker.</param>
    public static void WriteInterval(Stream stream, TransportInterval overall, IReadOnlyList<TransportInterval> threads) =>
        JsonFigures.WriteLine(stream, Tool, final: false, json =>
        {
            JsonFigures.WriteCollection(json, overall.Info);
            JsonFigures.WriteSections(json, overall, threads, WriteInterval);
            JsonFigures.WriteProcess(json, overall.Process);
        });

    /// <summary>Writes the last line.</summary>
    public static void WriteFinal(Stream stream, TransportSummary summary) =>
        JsonFigures.WriteLine(stream, Tool, final: true, json =>
        {
            JsonFigures.WriteSections(json, summary.Overall, summary.Threads, WriteFigures);
            json.WriteNumber("processId", summary.ProcessId);
            JsonFigures.WriteEnd(json, summary.Outcome, summary.Resources);
        });

    private static void WriteInterval(Utf8JsonWriter json, TransportInterval interval)
    {
        JsonFigures.WriteDouble(json, "sendRate", interval.SendRate);
        JsonFigures.WriteDouble(json, "receiveRate", interval.ReceiveRate);
        JsonFigures.WriteLatency(json, "latency", interval.Latency);
        JsonFigures.WriteLatency(json, "sendLag", interval.SendLag);
        WriteCounts(json, interval.Counts);
    }

    private static void WriteFigures(Utf8JsonWriter json, TransportFigures figures)
    {
        JsonFigures.WriteDouble(json, "connectedSeconds", figures.ConnectedSeconds);
        JsonFigures.WriteDouble(json, "sendRate", figures.SendRate);
        JsonFigures.WriteDouble(json, "receiveRate", figures.ReceiveRate);
        JsonFigures.WriteLatency(json, "latency", figures.Latency);
        JsonFigures.WriteLatency(json, "sendLag", figures.SendLag);
        WriteCounts(json, figures.Counts);
    }

    private static void WriteCounts(Utf8JsonWriter json, in TransportCounts counts)
    {
        json.WriteStartObject("counts");
        json.WriteNumber("messagesSent", counts.MessagesSent);
        json.WriteNumber("bytesSent", counts.BytesSent);
        json.WriteNumber("messagesNotSent", counts.MessagesNotSent);
        json.WriteNumber("messagesStopped", counts.MessagesStopped);
        json.WriteNumber("messagesReceived", counts.MessagesReceived);
        json.WriteNumber("bytesReceived", counts.BytesReceived);
        json.WriteNumber("latencyMessagesReceived", counts.LatencyMessagesReceived);
        json.WriteNumber("drainedMessages", counts.DrainedMessages);
        json.WriteNumber("drainedBytes", counts.DrainedBytes);
        json.WriteNumber("latencyRecordsDropped", counts.LatencyRecordsDropped);
        json.WriteEndObject();
    }
}
