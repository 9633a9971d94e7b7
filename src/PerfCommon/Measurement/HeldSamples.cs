namespace PerfCommon.Measurement;

/// <summary>A compact copy of one set of samples: its statistics and the cells in use. It can be added to others moved by a time.</summary>
internal sealed class HeldSamples
{
    private readonly ValueStatistics _exact = new();
    private readonly (int Cell, long Count)[] _cells;
    private readonly HistogramLayout _layout;
    private readonly long _overflow;
    private readonly long _negative;

    /// <param name="samples">The samples to copy.</param>
    public HeldSamples(LatencyAccumulator samples)
    {
        LongHistogram histogram = samples.Histogram;
        (_layout, _overflow, _negative) = (histogram.Layout, histogram.OverflowCount, histogram.NegativeCount);
        _exact.Merge(samples.Exact);
        List<(int, long)> cells = [];
        for (int cell = histogram.FirstUsed; cell <= histogram.LastUsed; cell++)
        {
            if (histogram.CountAt(cell) is > 0 and var count)
                cells.Add((cell, count));
        }

        _cells = [.. cells];
    }

    /// <summary>Adds the samples to a set of the same unit, each greater by a time.</summary>
    /// <param name="target">The set.</param>
    /// <param name="shift">The time, in the unit of the samples. A sample of 0 or more stays so: a time below 0 is counted as 0.</param>
    public void AddTo(LatencyAccumulator target, long shift)
    {
        target.Exact.Merge(_exact, shift);
        int end = _layout.IndexOf(_layout.Highest);
        foreach ((int cell, long count) in _cells)
        {
            long within = cell == end ? count - _overflow : count; // the others lie above the range by an unknown distance
            if (shift == 0 && within > 0)
                target.Histogram.Count(cell, within);
            else
                target.Histogram.RecordValueWithCount(Math.Max(0, _layout.MedianOf(cell) + shift), within);
        }

        if (_overflow > 0)
            target.Histogram.Count(end, _overflow);
        target.Histogram.AddOutside(_overflow, _negative);
    }
}
