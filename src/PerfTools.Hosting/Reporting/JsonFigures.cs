using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the objects that the JSON lines of all programs share.</summary>
internal static class JsonFigures
{
    /// <summary>Writes one object and a line feed.</summary>
    public static void WriteLine(Stream stream, string tool, bool final, Action<Utf8JsonWriter> write)
    {
        using (Utf8JsonWriter json = new(stream))
        {
            json.WriteStartObject();
            json.WriteString("tool", tool);
            json.WriteBoolean("final", final);
            write(json);
            json.WriteEndObject();
        }

        stream.WriteByte((byte)'\n');
    }

    /// <summary>Writes the members that identify the collection: second, utc, intervalSeconds.</summary>
    public static void WriteCollection(Utf8JsonWriter json, CollectionInfo info)
    {
        json.WriteNumber("second", info.Second);
        json.WriteString("utc", info.Utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
        WriteDouble(json, "intervalSeconds", info.Seconds);
    }

    /// <summary>Writes the members overall (one object) and threads (an array of the same).</summary>
    public static void WriteSections(Utf8JsonWriter json, Figures overall, IReadOnlyList<Figures> threads, Action<Figures> write)
    {
        json.WriteStartObject("overall");
        write(overall);
        json.WriteEndObject();
        json.WriteStartArray("threads");
        foreach (Figures thread in threads)
        {
            json.WriteStartObject();
            write(thread);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Writes a member with a latency: count and, with samples, its figures in microseconds.</summary>
    public static void WriteLatency(Utf8JsonWriter json, string name, LatencyFigures figures)
    {
        json.WriteStartObject(name);
        json.WriteNumber("count", figures.Count);
        if (figures.Count > 0)
        {
            foreach (LatencyCell cell in LatencyCell.All)
                WriteDouble(json, cell.JsonName, cell.Get(figures));
            json.WriteNumber("negative", figures.NegativeCount);
            json.WriteNumber("overflow", figures.OverflowCount);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes the member process: the resources that the process used at a collection.</summary>
    /// <param name="json">The writer.</param>
    /// <param name="sample">The resources.</param>
    /// <param name="queuedBytes">Bytes queued for the sockets of its connections; null at the end, when none are.</param>
    public static void WriteProcess(Utf8JsonWriter json, in ProcessSample sample, long? queuedBytes = null)
    {
        json.WriteStartObject("process");
        WriteDouble(json, "cpuPercent", sample.CpuPercent);
        WriteDouble(json, "coreCpuPercent", sample.CoreCpuPercent);
        WriteDouble(json, "cpuSeconds", sample.CpuSeconds);
        json.WriteNumber("peakWorkingSetBytes", sample.PeakWorkingSetBytes);
        json.WriteNumber("workingSetBytes", sample.WorkingSetBytes);
        json.WriteNumber("managedHeapBytes", sample.ManagedHeapBytes);
        json.WriteNumber("gen0Collections", sample.Gen0Collections);
        json.WriteNumber("gen1Collections", sample.Gen1Collections);
        json.WriteNumber("gen2Collections", sample.Gen2Collections);
        WriteDouble(json, "gcPauseMillis", sample.GcPauseMillis);
        if (queuedBytes is { } queued)
            json.WriteNumber("queuedBytes", queued);
        json.WriteEndObject();
    }

    /// <summary>
    /// Writes the members of a last line: exitCode, exitReason, comparable (and why not), assertions if given, resources, process.
    /// </summary>
    public static void WriteEnd(Utf8JsonWriter json, RunSummary summary)
    {
        (RunOutcome outcome, ResourceStatistics resources) = (summary.Outcome, summary.Resources);
        json.WriteNumber("exitCode", (int)outcome.Code);
        json.WriteString("exitReason", PrintableText.From(outcome.Reason, PrintableText.MaxLineChars));
        json.WriteBoolean("comparable", outcome.NotComparableReason is null);
        if (outcome.NotComparableReason is not null)
            json.WriteString("notComparableReason", PrintableText.From(outcome.NotComparableReason, PrintableText.MaxLineChars));

        if (summary.Assertions is { Count: > 0 } assertions)
            WriteAssertions(json, assertions);
        json.WriteStartObject("resources");
        json.WriteNumber("samples", resources.Count);
        WriteShares(json, "cpuPercent", resources.CpuPercent);
        WriteShares(json, "coreCpuPercent", resources.CoreCpuPercent);
        WriteSpread(json, "memoryMegabytes", resources.MemoryMegabytes.Max, resources.MemoryMegabytes.Min, resources.MemoryMegabytes.Mean);
        WriteUse(json, "whole", summary.WholeCpu);
        WriteUse(json, "steady", summary.SteadyCpu);
        json.WriteEndObject();
        WriteProcess(json, resources.Last);
    }

    private static void WriteAssertions(Utf8JsonWriter json, IReadOnlyList<ThresholdResult> assertions)
    {
        json.WriteStartArray("assertions");
        foreach (ThresholdResult assertion in assertions)
            assertion.WriteJson(json);
        json.WriteEndArray();
    }

    /// <summary>Writes a number with at most six decimals, or null.</summary>
    public static void WriteDouble(Utf8JsonWriter json, string name, double? value)
    {
        if (value is { } known)
            WriteDouble(json, name, known);
        else
            json.WriteNull(name);
    }

    /// <summary>Writes a number with at most six decimals; one that JSON cannot express becomes 0.</summary>
    public static void WriteDouble(Utf8JsonWriter json, string name, double value) =>
        json.WriteNumber(name, double.IsFinite(value) ? Math.Round(value, 6) : 0);

    private static void WriteShares(Utf8JsonWriter json, string name, CpuShares shares) =>
        WriteSpread(json, name, shares.Max, shares.Min, shares.Average);

    private static void WriteSpread(Utf8JsonWriter json, string name, double max, double min, double average)
    {
        json.WriteStartObject(name);
        WriteDouble(json, "max", max);
        WriteDouble(json, "min", min);
        WriteDouble(json, "avg", average);
        json.WriteEndObject();
    }

    private static void WriteUse(Utf8JsonWriter json, string name, CpuUse? known)
    {
        if (known is not { } use)
            return;
        json.WriteStartObject(name);
        json.WriteNumber("fromNanos", use.FromNanos);
        json.WriteNumber("toNanos", use.ToNanos);
        WriteDouble(json, "cpuSeconds", use.CpuSeconds);
        WriteDouble(json, "cpuPercent", use.MachinePercent);
        WriteDouble(json, "coreCpuPercent", use.CorePercent);
        json.WriteEndObject();
    }
}
