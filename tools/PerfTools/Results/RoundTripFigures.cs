using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Results;

/// <summary>
/// The round trips of one size, in microseconds, as run.json has them; a percentile is null where too few samples lie beyond it.
/// </summary>
internal sealed record RoundTripFigures
{
    public required int Bytes { get; init; }
    public required long Samples { get; init; }
    public required double StdevMicros { get; init; }
    public required double AverageMicros { get; init; }
    public required double MinMicros { get; init; }
    public required double? P50Micros { get; init; }
    public required double? P90Micros { get; init; }
    public required double? P99Micros { get; init; }
    public required double? P999Micros { get; init; }
    public required double? P9999Micros { get; init; }
    public required double MaxMicros { get; init; }

    /// <summary>Rounds without a reply in time.</summary>
    public required long Lost { get; init; }

    /// <summary>Replies that came after that.</summary>
    public required long Late { get; init; }

    /// <summary>Datagrams sent once more.</summary>
    public required long Resent { get; init; }

    /// <summary>Samples that took no time by the clock, and are no part of the figures.</summary>
    public required long NotPositive { get; init; }

    /// <summary>The mean of one way, half a round trip or by a baseline; null where it was not asked for.</summary>
    public required double? OneWayMicros { get; init; }

    /// <summary>A figure that a threshold names.</summary>
    public AssertedFigure Find(string metric) => metric switch
    {
        SizedThresholds.Resent => new(Resent),
        Threshold.Lost => new(Lost),
        "avg" => new(Samples > 0 ? AverageMicros : null, Samples),
        "max" => new(Samples > 0 ? MaxMicros : null, Samples),
        "p50" => new(P50Micros, Samples),
        "p90" => new(P90Micros, Samples),
        "p99" => new(P99Micros, Samples),
        "p99.9" => new(P999Micros, Samples),
        _ => new(P9999Micros, Samples),
    };

    /// <summary>Reads a size of a final line of LatencyPerf (docs/json-lines.md).</summary>
    public static RoundTripFigures Read(JsonView size) => new()
    {
        Bytes = (int)size.Count("bytes"),
        Samples = size.Count("samples"),
        StdevMicros = size.Number("stdevMicros") ?? 0,
        AverageMicros = size.Number("averageMicros") ?? 0,
        MinMicros = size.Number("minMicros") ?? 0,
        P50Micros = size.Number("p50Micros"),
        P90Micros = size.Number("p90Micros"),
        P99Micros = size.Number("p99Micros"),
        P999Micros = size.Number("p999Micros"),
        P9999Micros = size.Number("p9999Micros"),
        MaxMicros = size.Number("maxMicros") ?? 0,
        Lost = size.Count("lost"),
        Late = size.Count("late"),
        Resent = size.Count("resent"),
        NotPositive = size.Count("notPositive"),
        OneWayMicros = size.Number("oneWayMicros.average"),
    };
}
