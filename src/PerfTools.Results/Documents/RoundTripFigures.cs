using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>
/// The round trips of one size, in microseconds, as run.json has them. A percentile is null where too few samples lie beyond it.
/// </summary>
public sealed record RoundTripFigures
{
    /// <summary>The size of the messages.</summary>
    public required int Bytes { get; init; }

    /// <summary>Round trips in the figures.</summary>
    public required long Samples { get; init; }

    /// <summary>Standard deviation.</summary>
    public required double StdevMicros { get; init; }

    /// <summary>Mean.</summary>
    public required double AverageMicros { get; init; }

    /// <summary>Minimum.</summary>
    public required double MinMicros { get; init; }

    /// <summary>Median.</summary>
    public required double? P50Micros { get; init; }

    /// <summary>90 % are at most this.</summary>
    public required double? P90Micros { get; init; }

    /// <summary>99 % are at most this.</summary>
    public required double? P99Micros { get; init; }

    /// <summary>99.9 % are at most this.</summary>
    public required double? P999Micros { get; init; }

    /// <summary>99.99 % are at most this.</summary>
    public required double? P9999Micros { get; init; }

    /// <summary>Maximum.</summary>
    public required double MaxMicros { get; init; }

    /// <summary>Rounds without a reply in time.</summary>
    public required long Lost { get; init; }

    /// <summary>Replies that arrived after that.</summary>
    public required long Late { get; init; }

    /// <summary>Datagrams sent once more.</summary>
    public required long Resent { get; init; }

    /// <summary>Samples whose time by the clock was not positive; they are not part of the figures.</summary>
    public required long NotPositive { get; init; }

    /// <summary>The mean of one way, half a round trip or by a baseline; null where it was not requested.</summary>
    public required double? OneWayMicros { get; init; }

    /// <summary>Reads a size of a final line of LatencyPerf (docs/json-lines.md).</summary>
    internal static RoundTripFigures Read(JsonView size) => new()
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
