using System.Text.Json.Serialization;
using PerfCommon.Measurement;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The figures of a run, computed from the counts of its roles, as run.json has them.</summary>
public sealed record RunFigures
{
    /// <summary>
    /// Messages per second that were requested, over all connections; null when the sender is not ours, or the rate changes.
    /// </summary>
    public required double? RateAsked { get; init; }

    /// <summary>Messages per second that were received in the steady state.</summary>
    public required double RateReached { get; init; }

    /// <summary>Length of the steady state.</summary>
    public required double SteadySeconds { get; init; }

    /// <summary>Latency in the steady state; null without samples.</summary>
    public required RunLatency? LatencyMicros { get; init; }

    /// <summary>Lag of the starts of the sender's ticks; null without samples.</summary>
    public required RunLatency? SendLagMicros { get; init; }

    /// <summary>The retrieval of images; null where there are none.</summary>
    public required ImageFigures? Images { get; init; }

    /// <summary>The clock by which latencies were corrected; absent where they were not.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RunClock? Clock { get; init; }

    /// <summary>Steps of a changing rate, in order; absent where it is constant.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RateStep>? RateSteps { get; init; }

    /// <summary>Round trips by size; absent where none are measured.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RoundTripFigures>? RoundTrips { get; init; }

    /// <summary>
    /// True when a round waits for the reply of the last one, so that a stall of any length costs one sample; absent where none are measured.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? ClosedLoop { get; init; }
}

/// <summary>The retrieval of all images, from the first request to the last image.</summary>
public sealed record ImageFigures(long Count, double Seconds);

/// <summary>The figures of latency samples, at least one, in microseconds, as run.json has them.</summary>
public sealed record RunLatency
{
    /// <summary>Number of samples.</summary>
    public required long Count { get; init; }

    /// <summary>Mean.</summary>
    public required double Average { get; init; }

    /// <summary>Standard deviation; null where samples of several were added up.</summary>
    public required double? Deviation { get; init; }

    /// <summary>Minimum.</summary>
    public required double Min { get; init; }

    /// <summary>Maximum.</summary>
    public required double Max { get; init; }

    /// <summary>Median; a percentile is null where too few samples lie beyond it.</summary>
    public required double? P50 { get; init; }

    /// <summary>90 % are at most this.</summary>
    public required double? P90 { get; init; }

    /// <summary>99 % are at most this.</summary>
    public required double? P99 { get; init; }

    /// <summary>99.9 % are at most this.</summary>
    public required double? P999 { get; init; }

    /// <summary>99.99 % are at most this.</summary>
    public required double? P9999 { get; init; }

    /// <summary>Reads a latency as the tools write it (docs/json-lines.md); null without samples.</summary>
    internal static RunLatency? Read(JsonView latency)
    {
        if (latency.Count("count") == 0)
            return null;
        return new()
        {
            Count = latency.Count("count"),
            Average = latency.Number("avgMicros") ?? 0,
            Deviation = latency.Number("stdDevMicros"),
            Min = latency.Number("minMicros") ?? 0,
            Max = latency.Number("maxMicros") ?? 0,
            P50 = latency.Number("p50Micros"),
            P90 = latency.Number("p90Micros"),
            P99 = latency.Number("p99Micros"),
            P999 = latency.Number("p999Micros"),
            P9999 = latency.Number("p9999Micros"),
        };
    }

    /// <summary>Adds up the figures of parts; null without any.</summary>
    /// <param name="parts">Their exact figures.</param>
    /// <param name="samples">All their samples; null where they are not known.</param>
    public static RunLatency? Add(IReadOnlyList<RunLatency> parts, LongHistogram? samples)
    {
        long count = parts.Sum(part => part.Count);
        if (count == 0)
            return null;
        double max = parts.Max(part => part.Max);
        return new()
        {
            Count = count,
            Average = parts.Sum(part => part.Average * part.Count) / count,
            Deviation = null,
            Min = parts.Min(part => part.Min),
            Max = max,
            P50 = Percentile(50),
            P90 = Percentile(90),
            P99 = Percentile(99),
            P999 = Percentile(99.9),
            P9999 = Percentile(99.99),
        };

        double? Percentile(double percentile) => samples?.ReportedMicros(percentile, max);
    }
}

/// <summary>Reads latencies from JSON lines.</summary>
internal static class LatencyLines
{
    /// <summary>Reads a latency as the tools write it; null when it is absent or has no samples.</summary>
    public static RunLatency? Latency(this JsonView line, string path) => RunLatency.Read(line.Part(path));
}
