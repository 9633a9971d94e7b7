using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>What one consumer worker, or all together, measured in the whole run. Times are those of one clock, in nanoseconds.</summary>
internal sealed record ConsumerFigures
{
    /// <summary>Number of items asked for.</summary>
    public int Items { get; init; }

    /// <summary>First request burst; null when nothing was requested.</summary>
    public long? FirstRequestNanos { get; init; }

    /// <summary>Last expected image; null when steady state was not reached.</summary>
    public long? ImagesCompleteNanos { get; init; }

    /// <summary>First update; null when there was none.</summary>
    public long? FirstUpdateNanos { get; init; }

    /// <summary>End of measuring; what is drained after it is in no rate.</summary>
    public long EndNanos { get; init; }

    /// <summary>Everything counted, drained messages included.</summary>
    public ConsumerCounts Counts { get; init; }

    /// <summary>Latency of updates before the last image.</summary>
    public LatencyFigures StartupLatency { get; init; }

    /// <summary>Latency of updates in steady state.</summary>
    public LatencyFigures SteadyLatency { get; init; }

    /// <summary>Latency of all updates.</summary>
    public LatencyFigures OverallLatency { get; init; }

    /// <summary>Latency of reflected posts.</summary>
    public LatencyFigures PostLatency { get; init; }

    /// <summary>Latency of generic messages.</summary>
    public LatencyFigures GenericLatency { get; init; }

    /// <summary>Round trips on the login stream.</summary>
    public LatencyFigures RoundTrips { get; init; }

    /// <summary>How late the ticks that send requests, posts and generic messages started.</summary>
    public LatencyFigures SendLag { get; init; }

    /// <summary>True when every image came in.</summary>
    public bool SteadyReached => ImagesCompleteNanos is not null;

    /// <summary>Seconds from the first request to the last image, or to the end; 0 when nothing was requested.</summary>
    public double StartupSeconds => Seconds(FirstRequestNanos, ImagesCompleteNanos ?? EndNanos);

    /// <summary>Seconds from the last image to the end; 0 when steady state was not reached.</summary>
    public double SteadySeconds => Seconds(ImagesCompleteNanos, EndNanos);

    /// <summary>Seconds from the first request to the end; 0 when nothing was requested.</summary>
    public double OverallSeconds => Seconds(FirstRequestNanos, EndNanos);

    /// <summary>How long the images took; null when not all came in.</summary>
    public ImageRetrieval? Images => SteadyReached ? new ImageRetrieval(Items, StartupSeconds) : null;

    /// <summary>Updates per second from the first update to the last image, or to the end.</summary>
    public double StartupUpdateRate =>
        InvariantText.PerSecond(Counts.StartupUpdates, Seconds(FirstUpdateNanos, ImagesCompleteNanos ?? EndNanos));

    /// <summary>Updates per second in steady state.</summary>
    public double SteadyUpdateRate => PerSteadySecond(Counts.SteadyUpdates);

    /// <summary>Updates per second from the first update to the end.</summary>
    public double UpdateRate => InvariantText.PerSecond(Counts.MeasuredUpdates, Seconds(FirstUpdateNanos, EndNanos));

    /// <summary>A count per second of steady state; 0 when it was not reached.</summary>
    public double PerSteadySecond(long count) => InvariantText.PerSecond(count, SteadySeconds);

    private static double Seconds(long? fromNanos, long toNanos) =>
        fromNanos is { } from && toNanos > from ? (toNanos - from) / (double)Clock.NanosPerSecond : 0;
}
