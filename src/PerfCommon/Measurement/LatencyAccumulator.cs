namespace PerfCommon.Measurement;

/// <summary>Collects one set of samples: exact statistics of all of them and a histogram for percentiles.</summary>
/// <remarks>Negative samples (clocks that differ) are in the statistics, not in the histogram. One writer, no allocation.</remarks>
internal sealed class LatencyAccumulator(LatencyUnit unit)
{
    private readonly ValueStatistics _exact = new();

    /// <summary>Number of samples, negative ones included.</summary>
    public long Count => _exact.Count;

    /// <summary>Histogram of the samples that are 0 or more.</summary>
    public LongHistogram Histogram { get; } = LongHistogram.CreateForTimes(unit);

    /// <summary>Adds one sample in the unit of the set. Constant time.</summary>
    public void Record(long value)
    {
        _exact.Add(value);
        Histogram.RecordValue(value);
    }

    /// <summary>Adds the same sample several times.</summary>
    public void Record(long value, long count)
    {
        _exact.Add(value, count);
        Histogram.RecordValueWithCount(value, count);
    }

    /// <summary>Adds all samples of another set of the same unit.</summary>
    public void Add(LatencyAccumulator other)
    {
        Histogram.Add(other.Histogram);
        _exact.Merge(other._exact);
    }

    public void Reset()
    {
        _exact.Reset();
        Histogram.Reset();
    }

    /// <summary>Mean, deviation and extremes of the raw samples.</summary>
    public ValueStatistics Exact => _exact;

    /// <summary>Returns the current figures that reports print.</summary>
    public LatencyFigures Figures()
    {
        double perMicro = Histogram.Unit == LatencyUnit.Nanoseconds ? 1_000 : 1;
        double max = _exact.Max / perMicro;
        return new LatencyFigures
        {
            Count = Count,
            Average = _exact.Mean / perMicro,
            Deviation = _exact.StandardDeviation / perMicro,
            Max = max,
            Min = _exact.Min / perMicro,
            P50 = Histogram.ReportedMicros(50, max),
            P90 = Histogram.ReportedMicros(90, max),
            P99 = Histogram.ReportedMicros(99, max),
            P999 = Histogram.ReportedMicros(99.9, max),
            P9999 = Histogram.ReportedMicros(99.99, max),
            NegativeCount = Histogram.NegativeCount,
            OverflowCount = Histogram.OverflowCount,
        };
    }
}
