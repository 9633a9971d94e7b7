namespace PerfCommon.Measurement;

/// <summary>Counts integer values in cells whose width grows with the value, so that percentiles keep their digits at any size.</summary>
/// <remarks>Fixed size: recording is an index computation and one increment, no allocation, no lock, one writer. Values above the
/// range are counted at its end and in <see cref="OverflowCount"/>; negative ones only in <see cref="NegativeCount"/>.
/// Names follow the HdrHistogram family, so that a swap for its package touches little.</remarks>
internal sealed class LongHistogram
{
    private const int DefaultDigits = 3;
    private const long MicrosPerHour = 3_600_000_000;
    private const long NanosPerHour = 3_600_000_000_000;
    private const double Whole = 100.0;

    private readonly HistogramLayout _layout;
    private readonly long[] _counts;
    private int _firstUsed = int.MaxValue;
    private int _lastUsed = -1;

    /// <summary>Creates an empty histogram; <see cref="HistogramLayout"/> says what the first three parameters may be.</summary>
    public LongHistogram(
        long lowestTrackableValue, long highestTrackableValue, int numberOfSignificantValueDigits, LatencyUnit unit = LatencyUnit.Microseconds)
    {
        _layout = new HistogramLayout(lowestTrackableValue, highestTrackableValue, numberOfSignificantValueDigits);
        _counts = new long[_layout.Length];
        Unit = unit;
    }

    public HistogramLayout Layout => _layout;

    public LatencyUnit Unit { get; }

    /// <summary>Number of values counted in cells, clamped ones included, negative ones not.</summary>
    public long TotalCount { get; private set; }

    /// <summary>Values above the range, counted at its end.</summary>
    public long OverflowCount { get; private set; }

    /// <summary>Negative values, not counted in cells.</summary>
    public long NegativeCount { get; private set; }

    /// <summary>The count of each cell, in the order of <see cref="Layout"/>.</summary>
    public ReadOnlySpan<long> Counts => _counts;

    /// <summary>Creates the usual histogram of times: 1 unit to 1 hour, 3 digits.</summary>
    public static LongHistogram CreateForTimes(LatencyUnit unit) =>
        new(1, unit == LatencyUnit.Nanoseconds ? NanosPerHour : MicrosPerHour, DefaultDigits, unit);

    public void RecordValue(long value)
    {
        if ((ulong)value <= (ulong)_layout.Highest)
            Count(_layout.IndexOf(value), 1);
        else
            RecordOutside(value, 1);
    }

    /// <summary>Counts the same value several times, 0 or more.</summary>
    public void RecordValueWithCount(long value, long count)
    {
        if ((ulong)value <= (ulong)_layout.Highest)
            Count(_layout.IndexOf(value), count);
        else
            RecordOutside(value, count);
    }

    /// <summary>Adds all counts of another histogram; with other cells its values go in at the lower end of their cells.</summary>
    /// <exception cref="InvalidOperationException">Different units, or a total above the range of a count; nothing was changed.</exception>
    public void Add(LongHistogram other)
    {
        if (Unit != other.Unit || other.TotalCount > long.MaxValue - TotalCount)
            throw new InvalidOperationException($"{other.TotalCount} counts of {other.Unit} cannot be added to {TotalCount} of {Unit}");

        bool sameCells = _layout == other._layout;
        for (int i = other._firstUsed; i <= other._lastUsed; i++)
        {
            long count = other._counts[i];
            if (count == 0)
                continue;
            if (sameCells)
                Count(i, count);
            else
                RecordValueWithCount(other._layout.LowestOf(i), count);
        }

        OverflowCount += other.OverflowCount;
        NegativeCount += other.NegativeCount;
    }

    /// <summary>The value that the given share of all values does not exceed: the upper end of its cell.</summary>
    /// <param name="percentile">0 to 100; 0 asks for the lower end of the first cell.</param>
    /// <returns>The value; 0 for an empty histogram.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is outside 0 to 100.</exception>
    public long GetValueAtPercentile(double percentile)
    {
        if (!(percentile is >= 0 and <= Whole))
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "a percentile lies between 0 and 100");

        // one ulp down keeps 99.9 % of 1000 at the 999th, whatever the division leaves over
        double stepped = Math.Clamp(Math.BitDecrement(percentile), 0, Whole);
        long wanted = Math.Max(1, (long)Math.Ceiling(stepped * TotalCount / Whole));
        long seen = 0;
        for (int i = _firstUsed; i <= _lastUsed; i++)
        {
            seen += _counts[i];
            if (seen >= wanted)
                return percentile == 0 ? _layout.LowestOf(i) : _layout.HighestOf(i);
        }

        return 0;
    }

    /// <summary>Forgets everything; touches only the cells in use.</summary>
    public void Reset()
    {
        if (_lastUsed >= 0)
            Array.Clear(_counts, _firstUsed, _lastUsed - _firstUsed + 1);
        (_firstUsed, _lastUsed) = (int.MaxValue, -1);
        (TotalCount, OverflowCount, NegativeCount) = (0, 0, 0);
    }

    private void Count(int index, long count)
    {
        _counts[index] += count;
        TotalCount += count;
        if (index < _firstUsed)
            _firstUsed = index;
        if (index > _lastUsed)
            _lastUsed = index;
    }

    private void RecordOutside(long value, long count)
    {
        if (value < 0)
        {
            NegativeCount += count;
            return;
        }

        OverflowCount += count;
        Count(_layout.IndexOf(_layout.Highest), count);
    }
}

/// <summary>The unit of recorded times: that of the stamps. Series of different units are never merged.</summary>
internal enum LatencyUnit
{
    /// <summary>Microseconds, the default of the stamps.</summary>
    Microseconds,

    /// <summary>Nanoseconds: <c>-nanoTime</c> and TransportPerf.</summary>
    Nanoseconds,
}
