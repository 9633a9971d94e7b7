namespace PerfCommon.Measurement;

/// <summary>Computes percentiles as reports print them, in microseconds.</summary>
internal static class ReportedPercentiles
{
    /// <summary>Returns a percentile, however few samples there are; null without any, or at the end of the range.</summary>
    /// <remarks>
    /// The last cell of the range also counts the values above it, so a percentile in it would be a value that no sample had: for samples
    /// of 5,000 s a histogram of one hour would return 3,601 s.
    /// </remarks>
    /// <param name="histogram">The histogram.</param>
    /// <param name="percentile">0 to 100.</param>
    /// <param name="maxMicros">The exact maximum, which no percentile exceeds; the upper end of a cell may exceed it.</param>
    public static double? UnclampedMicros(this LongHistogram histogram, double percentile, double maxMicros)
    {
        if (histogram.TotalCount == 0)
            return null;
        long value = histogram.GetValueAtPercentile(percentile);
        double perMicro = histogram.Unit == LatencyUnit.Nanoseconds ? Clock.NanosPerMicro : 1;
        return value >= histogram.ClampedFrom() ? null : Math.Min(value / perMicro, maxMicros);
    }

    /// <summary>Returns the least value of the cell in which values above the range are counted.</summary>
    public static long ClampedFrom(this LongHistogram histogram) =>
        histogram.Layout.LowestOf(histogram.Layout.IndexOf(histogram.Layout.Highest));
}
