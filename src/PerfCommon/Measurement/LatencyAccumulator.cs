namespace PerfCommon.Measurement;

/// <summary>One set of samples: exact statistics of all of them and a histogram for percentiles.</summary>
/// <remarks>Negative samples (clocks that differ) are in the statistics, not in the histogram. One writer, no allocation.</remarks>
internal sealed class LatencyAccumulator
{
    private readonly ValueStatistics _exact = new();

    /// <summary>Creates an empty set.</summary>
    public LatencyAccumulator(LatencyUnit unit) => Histogram = LongHistogram.CreateForTimes(unit);

    /// <summary>Unit of the samples.</summary>
    public LatencyUnit Unit => Histogram.Unit;

    /// <summary>Number of samples, negative ones included.</summary>
    public long Count => _exact.Count;

    /// <summary>Mean, deviation and extremes of the raw samples, in <see cref="Unit"/>.</summary>
    public ValueStatistics Exact => _exact;

    /// <summary>The samples from 0 on, by cells.</summary>
    public LongHistogram Histogram { get; }

    /// <summary>Adds one sample in <see cref="Unit"/>. Constant time.</summary>
    public void Record(long value)
    {
        _exact.Add(value);
        Histogram.RecordValue(value);
    }

    /// <summary>Adds all samples of another set of the same unit.</summary>
    public void Add(LatencyAccumulator other)
    {
        Histogram.Add(other.Histogram);
        _exact.Merge(other._exact);
    }

    /// <summary>Forgets all samples.</summary>
    public void Reset()
    {
        _exact.Reset();
        Histogram.Reset();
    }

    /// <summary>The figures that reports print.</summary>
    public LatencyFigures Figures() => LatencyFigures.From(this);
}
