using System.Numerics;

namespace PerfCommon.Measurement;

/// <summary>The cells of a histogram: their widths, and the cell of each value.</summary>
/// <remarks>The first <see cref="SubBucketCount"/> cells are one unit wide; each further bucket doubles the width and adds half
/// as many cells, so every value keeps the requested number of significant decimal digits. All arithmetic is on integers.</remarks>
internal readonly record struct HistogramLayout
{
    private const int LongBits = 64;
    private const int MaxDigits = 5;
    private const int MaxUnitAndSubBits = 62;

    private readonly int _subBits;
    private readonly long _subMask;

    /// <summary>Computes the cells.</summary>
    /// <param name="lowest">Smallest value that must be distinguished from 0, 1 or more; only its power of two counts.</param>
    /// <param name="highest">Largest value that is tracked, at least twice <paramref name="lowest"/>.</param>
    /// <param name="digits">Significant decimal digits kept, 1 to 5.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value outside its range, or more than 62 bits needed.</exception>
    public HistogramLayout(long lowest, long highest, int digits)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(lowest, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lowest, long.MaxValue / 2, nameof(lowest));
        ArgumentOutOfRangeException.ThrowIfLessThan(highest, 2 * lowest);
        ArgumentOutOfRangeException.ThrowIfLessThan(digits, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(digits, MaxDigits);

        long distinct = 2;
        for (int i = 0; i < digits; i++)
            distinct *= 10;

        _subBits = BitOperations.Log2((ulong)distinct - 1) + 1;
        UnitBits = BitOperations.Log2((ulong)lowest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(_subBits + UnitBits, MaxUnitAndSubBits, nameof(lowest));

        Lowest = lowest;
        Highest = highest;
        Digits = digits;
        _subMask = (SubBucketCount - 1L) << UnitBits;
        BucketCount = CountBuckets((long)SubBucketCount << UnitBits, highest);
    }

    /// <summary>Smallest value that must be distinguished from 0, as given.</summary>
    public long Lowest { get; }

    /// <summary>Largest value that is tracked, as given.</summary>
    public long Highest { get; }

    /// <summary>Significant decimal digits kept.</summary>
    public int Digits { get; }

    /// <summary>Power of two of the unit: the narrowest cell is 2 to this power wide.</summary>
    public int UnitBits { get; }

    /// <summary>Number of cells one unit wide.</summary>
    public int SubBucketCount => 1 << _subBits;

    /// <summary>Number of buckets; each one's cells are twice as wide as those of the one before.</summary>
    public int BucketCount { get; }

    /// <summary>Number of cells.</summary>
    public int Length => (BucketCount + 1) * (SubBucketCount / 2);

    /// <summary>Returns the cell of a value.</summary>
    /// <param name="value">0 or more. The result is a cell of this layout when the value is at most <see cref="Highest"/>.</param>
    public int IndexOf(long value)
    {
        int bucket = LongBits - BitOperations.LeadingZeroCount((ulong)(value | _subMask)) - UnitBits - _subBits;
        int sub = (int)(value >> (bucket + UnitBits));
        return ((bucket + 1) << (_subBits - 1)) + sub - (1 << (_subBits - 1));
    }

    /// <summary>Returns the smallest value of a cell.</summary>
    public long LowestOf(int index)
    {
        (int bucket, int sub) = Split(index);
        return (long)sub << (bucket + UnitBits);
    }

    /// <summary>Returns the number of values of a cell.</summary>
    public long SizeOf(int index) => 1L << (Split(index).Bucket + UnitBits);

    /// <summary>Returns the largest value of a cell; that of the last one may exceed <see cref="Highest"/>.</summary>
    public long HighestOf(int index) => LowestOf(index) + (SizeOf(index) - 1);

    /// <summary>Returns the value in the middle of a cell.</summary>
    public long MedianOf(int index) => LowestOf(index) + (SizeOf(index) >> 1);

    /// <summary>True when both have the same cells, even if their limits differ.</summary>
    public bool HasSameCells(HistogramLayout other) =>
        UnitBits == other.UnitBits && _subBits == other._subBits && BucketCount == other.BucketCount;

    private static int CountBuckets(long top, long highest)
    {
        int buckets = 1;
        while (top <= highest)
        {
            buckets++;
            if (top > long.MaxValue / 2)
                break;
            top <<= 1;
        }

        return buckets;
    }

    private (int Bucket, int Sub) Split(int index)
    {
        int half = 1 << (_subBits - 1);
        int bucket = (index >> (_subBits - 1)) - 1;
        // the lower half of the first bucket consists of separate cells; in the others it repeats the bucket before
        return bucket < 0 ? (0, index) : (bucket, (index & (half - 1)) + half);
    }
}
