using System.Globalization;
using System.Text.Json;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>Writes the final JSON line of either side.</summary>
internal static class FinalJson
{
    private const double BytesPerMegabyte = 1_048_576;
    private const string Counts = "counts";

    // The counts of a subscriber, each once: its member, and its entry of the catalogue.
    private static readonly (string Name, FigureFacts Facts, Func<SubscriberCounts, double> Read)[] CountRows =
    [
        Count("messagesReceived", "messages received", FigureSense.None, counts => counts.Received),
        Count("repliesSent", "replies sent", FigureSense.None, counts => counts.Replied),
        Count("lost", "messages lost", FigureSense.Lower, counts => counts.Lost),
        Count("duplicates", "messages received twice", FigureSense.Lower, counts => counts.Duplicates),
        Count("late", "messages too late", FigureSense.Lower, counts => counts.Late),
        Count("foreign", "packets of strangers", FigureSense.Lower, counts => counts.Foreign),
        Count("droppedByOption", "packets dropped on purpose", FigureSense.None, counts => counts.Dropped),
        Count("droppedByKernel", "packets dropped by the kernel", FigureSense.Lower, counts => counts.KernelDrops),
        ("cpuMicros", new() { Name = $"{Counts}.cpuMicros", Words = "CPU time", Kind = FigureKind.Time, Unit = LatencyCell.Unit,
            Better = FigureSense.Lower }, counts => counts.CpuMicros),
    ];

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
        PublisherFigures.WriteOverall(json, result);
        json.WriteStartArray("sizes");
        for (int i = 0; i < result.Sizes.Count; i++)
        {
            json.WriteStartObject();
            SizeResultJson.Write(json, result.Sizes[i], i < oneWay.Count ? oneWay[i] : null);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        WriteSubscribers(json, result);
        WriteAssertions(json, assertions);
        WritePlacement(json, result.Placement);
        WriteUse(json, result.Cpu);
        FigureCatalogue.Write(json, PublisherFigures.Catalogue);
    }

    public static void Write(Utf8JsonWriter json, LatencyPerfOptions options, SubscriberCounts counts, bool isWhole, CpuUse? cpu, RunOutcome outcome)
    {
        json.WriteString("role", "subscriber");
        WriteOutcome(json, outcome, isWhole ? null : "the test did not end");
        json.WriteNumber("cookie", options.Cookie);
        WriteOptions(json, options);
        json.WriteStartObject("overall");
        json.WriteStartObject(Counts);
        WriteCounts(json, counts);
        json.WriteEndObject();
        json.WriteEndObject();
        WritePlacement(json, counts.Placement);
        WriteUse(json, cpu);
        FigureCatalogue.Write(json, CountRows.Select(told => told.Facts));
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
        foreach ((string name, FigureFacts _, Func<SubscriberCounts, double> read) in CountRows)
            JsonFigures.WriteDouble(json, name, read(counts));
    }

    private static (string, FigureFacts, Func<SubscriberCounts, double>) Count(
        string name, string words, FigureSense better, Func<SubscriberCounts, double> read) =>
        (name, new() { Name = $"{Counts}.{name}", Words = words, Kind = FigureKind.Count, Better = better }, read);

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
