namespace PerfCommon.Measurement;

/// <summary>The finished figures of one set of latency samples, all times in microseconds.</summary>
/// <remarks>Default means no sample. Average, deviation of the sample (0 below two) and extremes are exact; percentiles are those of
/// the histogram, null where too few samples lie beyond them or where they lie above its range.</remarks>
internal readonly record struct LatencyFigures
{
    private const double Whole = 100;
    private const double SamplesBeyond = 10;

    /// <summary>Number of samples, negative ones included.</summary>
    public long Count { get; init; }

    public double Average { get; init; }

    public double Deviation { get; init; }

    public double Max { get; init; }

    public double Min { get; init; }

    public double? P50 { get; init; }

    public double? P90 { get; init; }

    public double? P99 { get; init; }

    public double? P999 { get; init; }

    public double? P9999 { get; init; }

    /// <summary>Negative samples: the clocks of the two sides differ.</summary>
    public long NegativeCount { get; init; }

    /// <summary>Samples above the histogram's hour, which no percentile includes; average and extremes include them exactly.</summary>
    public long OverflowCount { get; init; }

    /// <summary>Returns the number of samples that a percentile needs so that ten lie beyond it: 10,000 for 99.9.</summary>
    public static long SamplesNeeded(double percentile) => (long)Math.Round(SamplesBeyond * Whole / (Whole - percentile));
}
