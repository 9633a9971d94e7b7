namespace PerfCommon.Measurement;

/// <summary>Computes the figures of a histogram: percentiles, extremes, mean and deviation, all from its counts.</summary>
/// <remarks>As exact as the cells; <see cref="LatencyAccumulator"/> keeps the exact figures.</remarks>
public static class HistogramFigures
{
    private const double Whole = 100.0;

    /// <summary>Returns the value that the given share of all values does not exceed: the upper end of its cell.</summary>
    /// <param name="histogram">The histogram.</param>
    /// <param name="percentile">0 to 100; 0 returns the lower end of the first cell.</param>
    /// <returns>The value; 0 for an empty histogram.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is outside 0 to 100.</exception>
    public static long GetValueAtPercentile(this LongHistogram histogram, double percentile)
    {
        if (!(percentile is >= 0 and <= Whole))
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "a percentile lies between 0 and 100");

        // one ulp down keeps 99.9 % of 1000 at the 999th, whatever the rounding of the division
        double stepped = Math.Clamp(Math.BitDecrement(percentile), 0, Whole);
        long wanted = Math.Max(1, (long)Math.Ceiling(stepped * histogram.TotalCount / Whole));
        long seen = 0;
        for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
        {
            seen += histogram.CountAt(i);
            if (seen >= wanted)
                return percentile == 0 ? histogram.Layout.LowestOf(i) : histogram.Layout.HighestOf(i);
        }

        return 0;
    }

    /// <summary>
    /// Returns a percentile in microseconds as reports print it; null with fewer than ten samples beyond it, or at the end of the range, whose last
    /// cell also counts the values above it.
    /// </summary>
    /// <param name="histogram">The histogram.</param>
    /// <param name="percentile">0 to 100.</param>
    /// <param name="maxMicros">The exact maximum, which no percentile exceeds; the upper end of a cell may exceed it.</param>
    public static double? ReportedMicros(this LongHistogram histogram, double percentile, double maxMicros) =>
        histogram.TotalCount < LatencyFigures.SamplesNeeded(percentile) ? null : histogram.UnclampedMicros(percentile, maxMicros);

    /// <summary>Returns the share of values at or below a value's cell, in percent; 100 for an empty histogram.</summary>
    /// <param name="histogram">The histogram.</param>
    /// <param name="value">0 or more; a value beyond the cells counts as the last one.</param>
    public static double GetPercentileAtOrBelowValue(this LongHistogram histogram, long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        if (histogram.TotalCount == 0)
            return Whole;

        long seen = 0;
        int last = Math.Min(CellOf(histogram, value), histogram.LastUsed);
        for (int i = histogram.FirstUsed; i <= last; i++)
            seen += histogram.CountAt(i);
        return Whole * seen / histogram.TotalCount;
    }

    /// <summary>Returns the count of the cell of a value, 0 or more; for a value beyond the cells, the count of the last one.</summary>
    public static long GetCountAtValue(this LongHistogram histogram, long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        return histogram.CountAt(CellOf(histogram, value));
    }

    /// <summary>Returns the lower end of the first cell in use; 0 when empty.</summary>
    public static long GetMinValue(this LongHistogram histogram) =>
        histogram.TotalCount == 0 ? 0 : histogram.Layout.LowestOf(histogram.FirstUsed);

    /// <summary>Returns the lower end of the first cell in use that does not hold 0; null when there is none.</summary>
    public static long? GetMinNonZeroValue(this LongHistogram histogram)
    {
        for (int i = Math.Max(1, histogram.FirstUsed); i <= histogram.LastUsed; i++)
        {
            if (histogram.CountAt(i) > 0)
                return histogram.Layout.LowestOf(i);
        }

        return null;
    }

    /// <summary>Returns the upper end of the last cell in use; 0 when empty.</summary>
    public static long GetMaxValue(this LongHistogram histogram) =>
        histogram.TotalCount == 0 ? 0 : histogram.Layout.HighestOf(histogram.LastUsed);

    /// <summary>Returns the mean of the cells' middle values; 0 when empty.</summary>
    public static double GetMean(this LongHistogram histogram)
    {
        if (histogram.TotalCount == 0)
            return 0;

        double sum = 0;
        for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
            sum += (double)histogram.Layout.MedianOf(i) * histogram.CountAt(i);
        return sum / histogram.TotalCount;
    }

    /// <summary>Returns the standard deviation of the cells' middle values, population form; 0 when empty.</summary>
    public static double GetStdDeviation(this LongHistogram histogram)
    {
        double mean = histogram.GetMean();
        if (histogram.TotalCount == 0)
            return 0;

        double sum = 0;
        for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
        {
            double distance = histogram.Layout.MedianOf(i) - mean;
            sum += distance * distance * histogram.CountAt(i);
        }

        return Math.Sqrt(sum / histogram.TotalCount);
    }

    private static int CellOf(LongHistogram histogram, long value) =>
        Math.Min(histogram.Layout.IndexOf(value), histogram.Layout.Length - 1);
}
