namespace PerfCommon.Measurement;

/// <summary>Counts integer values in cells whose width grows with the value, so that percentiles keep their digits at any size.</summary>
/// <remarks>Fixed size: recording is an index computation and one increment, no allocation, no lock, one writer. Values above the
/// range are counted at its end and in <see cref="OverflowCount"/>; negative ones only in <see cref="NegativeCount"/>.
/// Names follow the HdrHistogram family, so that a swap for its package touches little.</remarks>
public sealed class LongHistogram
{
    private const int DefaultDigits = 3;
    private const long MicrosPerHour = 3_600_000_000;
    private const long NanosPerHour = 3_600_000_000_000;

    private readonly HistogramLayout _layout;
    private readonly long[] _counts;
    private int _firstUsed = int.MaxValue;
    private int _lastUsed = -1;

    /// <summary>Creates an empty histogram.</summary>
    /// <param name="lowestTrackableValue">Smallest value that must be distinguishable from 0, 1 or more.</param>
    /// <param name="highestTrackableValue">Largest value, at least twice the lowest.</param>
    /// <param name="numberOfSignificantValueDigits">Decimal digits kept, 1 to 5.</param>
    /// <param name="unit">Unit of the values.</param>
    /// <exception cref="ArgumentOutOfRangeException">A parameter outside its range.</exception>
    public LongHistogram(
        long lowestTrackableValue, long highestTrackableValue, int numberOfSignificantValueDigits,
        LatencyUnit unit = LatencyUnit.Microseconds)
    {
        _layout = new HistogramLayout(lowestTrackableValue, highestTrackableValue, numberOfSignificantValueDigits);
        _counts = new long[_layout.Length];
        Unit = unit;
    }

    /// <summary>The cells: their number, widths and limits.</summary>
    internal HistogramLayout Layout => _layout;

    /// <summary>Unit of the values.</summary>
    public LatencyUnit Unit { get; }

    /// <summary>Number of values counted in cells, clamped ones included, negative ones not.</summary>
    public long TotalCount { get; private set; }

    /// <summary>Values above the range, counted at its end.</summary>
    public long OverflowCount { get; private set; }

    /// <summary>Negative values, not counted in cells.</summary>
    public long NegativeCount { get; private set; }

    /// <summary>First cell with a count; above <see cref="LastUsed"/> when there is none.</summary>
    internal int FirstUsed => _firstUsed;

    /// <summary>Last cell with a count; -1 when there is none.</summary>
    internal int LastUsed => _lastUsed;

    /// <summary>Creates the usual histogram of times: 1 unit to 1 hour, 3 digits.</summary>
    public static LongHistogram CreateForTimes(LatencyUnit unit) =>
        new(1, unit == LatencyUnit.Nanoseconds ? NanosPerHour : MicrosPerHour, DefaultDigits, unit);

    /// <summary>Adds all counts of another histogram; if the cells differ, its values are counted at the lower end of their cells.</summary>
    /// <param name="other">The other histogram, of the same unit.</param>
    /// <exception cref="HistogramException">Different units, or a total above the range of a count; nothing was changed.</exception>
    public void Add(LongHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        HistogramMerging.RequireSameUnit(this, other);
        if (other.TotalCount > long.MaxValue - TotalCount)
            throw new HistogramException($"adding {other.TotalCount} counts to {TotalCount} passes the largest total");

        bool sameCells = Layout.HasSameCells(other.Layout);
        for (int i = other.FirstUsed; i <= other.LastUsed; i++)
        {
            long count = other.CountAt(i);
            if (count == 0)
                continue;
            if (sameCells)
                Count(i, count);
            else
                RecordValueWithCount(other.Layout.LowestOf(i), count);
        }

        AddOutside(other.OverflowCount, other.NegativeCount);
    }

    /// <summary>Counts one value.</summary>
    public void RecordValue(long value)
    {
        if ((ulong)value <= (ulong)_layout.Highest)
            Count(_layout.IndexOf(value), 1);
        else
            RecordOutside(value, 1);
    }

    /// <summary>Counts the same value several times.</summary>
    /// <param name="value">The value.</param>
    /// <param name="count">How often, 0 or more.</param>
    public void RecordValueWithCount(long value, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count == 0)
            return;

        if ((ulong)value <= (ulong)_layout.Highest)
            Count(_layout.IndexOf(value), count);
        else
            RecordOutside(value, count);
    }

    /// <summary>Clears all counts; touches only the cells in use.</summary>
    public void Reset()
    {
        if (_lastUsed >= 0)
            Array.Clear(_counts, _firstUsed, _lastUsed - _firstUsed + 1);
        (_firstUsed, _lastUsed) = (int.MaxValue, -1);
        (TotalCount, OverflowCount, NegativeCount) = (0, 0, 0);
    }

    /// <summary>Returns the count of one cell.</summary>
    internal long CountAt(int index) => _counts[index];

    /// <summary>Adds to one cell; the caller ensures that the cell exists and the count is positive.</summary>
    internal void Count(int index, long count)
    {
        _counts[index] += count;
        TotalCount += count;
        if (index < _firstUsed)
            _firstUsed = index;
        if (index > _lastUsed)
            _lastUsed = index;
    }

    /// <summary>Subtracts from one cell a count that it is known to hold.</summary>
    internal void Uncount(int index, long count)
    {
        _counts[index] -= count;
        TotalCount -= count;
    }

    /// <summary>Adds the counters of values outside the range.</summary>
    internal void AddOutside(long overflow, long negative)
    {
        OverflowCount += overflow;
        NegativeCount += negative;
    }

    /// <summary>Corrects the limits of the cells in use after counts were subtracted.</summary>
    internal void TrimUsed()
    {
        while (_lastUsed >= 0 && _counts[_lastUsed] == 0)
            _lastUsed--;
        if (_lastUsed < 0)
            _firstUsed = int.MaxValue;
        while (_firstUsed < _lastUsed && _counts[_firstUsed] == 0)
            _firstUsed++;
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
