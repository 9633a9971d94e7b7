using System.Globalization;
using System.Text.Json;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The final JSON line of either side.</summary>
internal static class FinalJson
{
    private const double BytesPerMegabyte = 1_048_576;

    public static void Write(
        Utf8JsonWriter json, LatencyPerfOptions options, PublisherResult result, RunOutcome outcome, IReadOnlyList<OneWayTime> oneWay,
        IReadOnlyList<ThresholdResult> assertions)
    {
        json.WriteString("role", "publisher");
        WriteOutcome(json, outcome, result.Trouble);
        json.WriteNumber("subscribers", options.Subscribers);
        json.WriteNumber("numIter", options.NumIter);
        json.WriteBoolean("closedLoop", options.IntervalMicros == 0);
        TestConditions.Of(options).Write(json);
        WriteOptions(json, options);
        WriteOverall(json, result);
        json.WriteStartArray("sizes");
        for (int i = 0; i < result.Sizes.Count; i++)
        {
            json.WriteStartObject();
            SizeJson.Write(json, result.Sizes[i], i < oneWay.Count ? oneWay[i] : null);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        WriteSubscribers(json, result);
        WriteAssertions(json, assertions);
        WritePlacement(json, result.Placement);
        WriteUse(json, result.Cpu);
    }

    public static void Write(Utf8JsonWriter json, LatencyPerfOptions options, SubscriberCounts counts, bool isWhole, CpuUse? cpu, RunOutcome outcome)
    {
        json.WriteString("role", "subscriber");
        WriteOutcome(json, outcome, isWhole ? null : "the test did not end");
        json.WriteNumber("cookie", options.Cookie);
        WriteOptions(json, options);
        json.WriteStartObject("overall");
        json.WriteStartObject("counts");
        WriteCounts(json, counts);
        json.WriteEndObject();
        json.WriteEndObject();
        WritePlacement(json, counts.Placement);
        WriteUse(json, cpu);
    }

    private static void WriteOutcome(Utf8JsonWriter json, RunOutcome outcome, string? trouble)
    {
        json.WriteString("utc", DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
        json.WriteNumber("exitCode", (int)outcome.Code);
        json.WriteString("exitReason", PrintableText.From(outcome.Reason, PrintableText.MaxLineChars));
        json.WriteBoolean("comparable", trouble is null);
        if (trouble is not null)
            json.WriteString("notComparableReason", PrintableText.From(trouble, PrintableText.MaxLineChars));
    }

    private static void WriteOptions(Utf8JsonWriter json, LatencyPerfOptions options)
    {
        json.WriteStartObject("options");
        foreach ((string label, string value) in LatencyPerfOptionTable.Instance.DescribeInputs(options))
            json.WriteString(label, value);
        json.WriteEndObject();
    }

    private static void WriteOverall(Utf8JsonWriter json, PublisherResult result)
    {
        RoundCounts counts = result.Counts;
        long replies = counts.Rounds - counts.Lost;
        json.WriteStartObject("overall");
        if (result.Sizes is [{ } first, ..])
            JsonFigures.WriteLatency(json, "latency", first.Trips);
        JsonFigures.WriteDouble(json, "seconds", result.Cpu?.Seconds ?? 0);
        JsonFigures.WriteDouble(json, "roundTripRate", InvariantText.PerSecond(replies, result.Cpu?.Seconds ?? 0));
        json.WriteStartObject("counts");
        json.WriteNumber("messagesSent", (long)result.LastSequence);
        json.WriteNumber("repliesReceived", replies + counts.Late);
        long repliesSent = result.Subscribers is [.., { } echoer] ? echoer.Replied : replies + counts.Late;
        json.WriteNumber("repliesLost", Math.Max(0, repliesSent - replies - counts.Late));
        json.WriteNumber("lost", counts.Lost);
        json.WriteNumber("late", counts.Late);
        json.WriteNumber("resent", counts.Resent);
        json.WriteNumber("duplicates", counts.Duplicates);
        json.WriteNumber("notPositive", counts.NotPositive);
        json.WriteNumber("lateStarts", counts.LateStarts);
        json.WriteNumber("foreign", result.Foreign);
        json.WriteNumber("droppedByKernel", result.KernelDrops);
        json.WriteNumber("droppedByOption", result.Dropped);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteSubscribers(Utf8JsonWriter json, PublisherResult result)
    {
        json.WriteStartArray("told");
        foreach (SubscriberCounts? counts in result.Subscribers)
        {
            json.WriteStartObject();
            if (counts is { } told)
            {
                WriteCounts(json, told);
                WritePlacement(json, told.Placement);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteCounts(Utf8JsonWriter json, SubscriberCounts counts)
    {
        json.WriteNumber("messagesReceived", counts.Received);
        json.WriteNumber("repliesSent", counts.Replied);
        json.WriteNumber("lost", counts.Lost);
        json.WriteNumber("duplicates", counts.Duplicates);
        json.WriteNumber("late", counts.Late);
        json.WriteNumber("foreign", counts.Foreign);
        json.WriteNumber("droppedByOption", counts.Dropped);
        json.WriteNumber("droppedByKernel", counts.KernelDrops);
        json.WriteNumber("cpuMicros", counts.CpuMicros);
    }

    private static void WriteAssertions(Utf8JsonWriter json, IReadOnlyList<ThresholdResult> assertions)
    {
        if (assertions.Count == 0)
            return;
        json.WriteStartArray("assertions");
        foreach (ThresholdResult assertion in assertions)
            assertion.WriteJson(json);
        json.WriteEndArray();
    }

    private static void WritePlacement(Utf8JsonWriter json, Placement placement)
    {
        json.WriteNumber("processor", placement.Processor);
        json.WriteNumber("moves", placement.Moves);
    }

    private static void WriteUse(Utf8JsonWriter json, CpuUse? measured)
    {
        double memory = Environment.WorkingSet / BytesPerMegabyte;
        json.WriteStartObject("resources");
        json.WriteStartObject("memoryMegabytes");
        JsonFigures.WriteDouble(json, "max", memory);
        json.WriteEndObject();
        if (measured is { } use)
        {
            json.WriteStartObject("steady");
            JsonFigures.WriteDouble(json, "cpuSeconds", use.CpuSeconds);
            JsonFigures.WriteDouble(json, "coreCpuPercent", use.CorePercent);
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteStartObject("process");
        JsonFigures.WriteDouble(json, "cpuSeconds", Environment.CpuUsage.TotalTime.TotalSeconds);
        json.WriteEndObject();
    }
}
