using PerfTools.Results.Files;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Names of a role's cost figures in its JSON lines (docs/json-lines.md).</summary>
/// <param name="Messages">The count of messages sent or received.</param>
/// <param name="NotSent">The count of messages that were due and not sent; null for a role that only receives.</param>
/// <param name="Latency">The measured latency; null for a role that measures none.</param>
internal sealed record CollectionNames(string Messages, string? NotSent = null, string? Latency = null);

/// <summary>One collection of a role: the processor time since its start, and the counts of the interval that ended here.</summary>
internal sealed record CollectionLine
{
    /// <summary>Whole seconds since the role's start.</summary>
    public required int Second { get; init; }

    /// <summary>Time of the collection.</summary>
    public required DateTime Utc { get; init; }

    /// <summary>Length of the interval.</summary>
    public required double Seconds { get; init; }

    /// <summary>Processor time since the process started.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>Messages of the interval.</summary>
    public required long Messages { get; init; }

    /// <summary>Messages that were due in the interval and not sent.</summary>
    public long NotSent { get; init; }

    /// <summary>Median latency of the interval; null when it was not measured.</summary>
    public double? P50Micros { get; init; }

    /// <summary>99th percentile of the interval; null when it was not measured.</summary>
    public double? P99Micros { get; init; }

    /// <summary>Reads a collection from a line.</summary>
    /// <returns>Null for the final line, which belongs to the whole run.</returns>
    public static CollectionLine? Read(JsonView line, CollectionNames names)
    {
        if (line.IsTrue("final") || !ResultTime.TryRead(line.Text("utc"), out DateTime utc))
            return null;
        JsonView overall = line.Part("overall");
        JsonView counts = overall.Part("counts");
        JsonView latency = names.Latency is null ? default : overall.Part(names.Latency);
        return new CollectionLine
        {
            Second = (int)line.Count("second"),
            Utc = utc,
            Seconds = line.Number("intervalSeconds") ?? 0,
            CpuSeconds = line.Part("process").Number("cpuSeconds") ?? 0,
            Messages = counts.Count(names.Messages),
            NotSent = names.NotSent is null ? 0 : counts.Count(names.NotSent),
            P50Micros = latency.Number("p50Micros"),
            P99Micros = latency.Number("p99Micros"),
        };
    }
}
