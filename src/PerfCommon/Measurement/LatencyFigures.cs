namespace PerfCommon.Measurement;

/// <summary>The finished figures of one set of latency samples, all times in microseconds.</summary>
/// <remarks>Default means no sample. Average, deviation and extremes are exact; percentiles are those of the histogram.</remarks>
internal readonly record struct LatencyFigures
{
    /// <summary>Number of samples, negative ones included.</summary>
    public long Count { get; init; }

    /// <summary>Average.</summary>
    public double Average { get; init; }

    /// <summary>Standard deviation of the sample; 0 below two samples.</summary>
    public double Deviation { get; init; }

    /// <summary>Largest sample; 0 without samples.</summary>
    public double Max { get; init; }

    /// <summary>Smallest sample; 0 without samples.</summary>
    public double Min { get; init; }

    /// <summary>50th percentile, the median.</summary>
    public double P50 { get; init; }

    /// <summary>90th percentile.</summary>
    public double P90 { get; init; }

    /// <summary>99th percentile.</summary>
    public double P99 { get; init; }

    /// <summary>99.9th percentile.</summary>
    public double P999 { get; init; }

    /// <summary>99.99th percentile.</summary>
    public double P9999 { get; init; }

    /// <summary>Negative samples: the clocks of the two sides differ.</summary>
    public long NegativeCount { get; init; }

    /// <summary>Samples above the histogram's hour; percentiles count them as one hour.</summary>
    public long OverflowCount { get; init; }

    /// <summary>Computes the figures of a set as it is now.</summary>
    public static LatencyFigures From(LatencyAccumulator samples)
    {
        double perMicro = samples.Unit == LatencyUnit.Nanoseconds ? 1_000 : 1;
        LongHistogram histogram = samples.Histogram;
        double Percentile(double percentile) => histogram.GetValueAtPercentile(percentile) / perMicro;
        return new LatencyFigures
        {
            Count = samples.Count,
            Average = samples.Exact.Mean / perMicro,
            Deviation = samples.Exact.StandardDeviation / perMicro,
            Max = samples.Exact.Max / perMicro,
            Min = samples.Exact.Min / perMicro,
            P50 = Percentile(50),
            P90 = Percentile(90),
            P99 = Percentile(99),
            P999 = Percentile(99.9),
            P9999 = Percentile(99.99),
            NegativeCount = histogram.NegativeCount,
            OverflowCount = histogram.OverflowCount,
        };
    }
}
