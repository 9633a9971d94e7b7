namespace PerfTools.Results;

/// <summary>The figures of latency samples, at least one, in microseconds, as run.json has them.</summary>
internal sealed record RunLatency
{
    /// <summary>Number of samples.</summary>
    public required long Count { get; init; }

    /// <summary>Average.</summary>
    public required double Average { get; init; }

    /// <summary>Standard deviation.</summary>
    public required double Deviation { get; init; }

    /// <summary>Smallest sample.</summary>
    public required double Min { get; init; }

    /// <summary>Largest sample.</summary>
    public required double Max { get; init; }

    /// <summary>50th percentile, the median.</summary>
    public required double P50 { get; init; }

    /// <summary>90th percentile.</summary>
    public required double P90 { get; init; }

    /// <summary>99th percentile.</summary>
    public required double P99 { get; init; }

    /// <summary>99.9th percentile.</summary>
    public required double P999 { get; init; }

    /// <summary>99.99th percentile.</summary>
    public required double P9999 { get; init; }

    /// <summary>Reads a latency as the tools write it (docs/json-lines.md); null without samples.</summary>
    public static RunLatency? Read(JsonView latency)
    {
        if (latency.Count("count") == 0)
            return null;
        double max = latency.Number("maxMicros") ?? 0;
        return new()
        {
            Count = latency.Count("count"),
            Average = latency.Number("avgMicros") ?? 0,
            Deviation = latency.Number("stdDevMicros") ?? 0,
            Min = latency.Number("minMicros") ?? 0,
            Max = max,
            P50 = Percentile("p50Micros"),
            P90 = Percentile("p90Micros"),
            P99 = Percentile("p99Micros"),
            P999 = Percentile("p999Micros"),
            P9999 = Percentile("p9999Micros"),
        };

        // A percentile is the upper end of its histogram cell, the maximum is exact: the first must not look larger than the second.
        double Percentile(string name) => Math.Min(latency.Number(name) ?? 0, max);
    }
}
