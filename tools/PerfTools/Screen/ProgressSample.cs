using PerfTools.Results;

namespace PerfTools.Screen;

/// <summary>How far a run is, from the latest figures of its roles; null where there is none yet.</summary>
internal sealed record ProgressSample
{
    /// <summary>Set once all images are in.</summary>
    public ImageFigures? Images { get; init; }

    /// <summary>True once the steady state is being measured.</summary>
    public bool IsMeasuring { get; init; }

    /// <summary>Messages a second in the last interval.</summary>
    public double? Rate { get; init; }

    /// <summary>Median latency of the last interval.</summary>
    public double? P50Micros { get; init; }

    /// <summary>99th percentile of the last interval.</summary>
    public double? P99Micros { get; init; }

    /// <summary>Processor time of each role that was started here, in percent of one core; empty until all of them have said it.</summary>
    public IReadOnlyList<double> CpuPercents { get; init; } = [];
}
