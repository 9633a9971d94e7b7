namespace PerfCommon.Measurement;

/// <summary>Computes count, mean, deviation, minimum and maximum of a stream of values, in constant memory.</summary>
/// <remarks>Updates mean and squared distance with each value (Welford), so nearly equal large values keep their precision. One writer.</remarks>
internal sealed class ValueStatistics
{
    private double _squaredDistance;

    /// <summary>Number of values.</summary>
    public long Count { get; private set; }

    /// <summary>Arithmetic mean; 0 without values.</summary>
    public double Mean { get; private set; }

    /// <summary>Smallest value; 0 without values.</summary>
    public double Min { get; private set; }

    /// <summary>Largest value; 0 without values.</summary>
    public double Max { get; private set; }

    /// <summary>Sum of all values.</summary>
    public double Sum => Mean * Count;

    /// <summary>Standard deviation of a sample (divided by count - 1), the one the reports print; 0 below two values.</summary>
    public double StandardDeviation => Count < 2 ? 0 : Math.Sqrt(_squaredDistance / (Count - 1));

    /// <summary>Standard deviation of a whole population (divided by count); 0 without values.</summary>
    public double PopulationDeviation => Count == 0 ? 0 : Math.Sqrt(_squaredDistance / Count);

    /// <summary>Adds one value.</summary>
    public void Add(double value)
    {
        if (Count == 0)
        {
            Min = value;
            Max = value;
        }
        else if (value < Min)
        {
            Min = value;
        }
        else if (value > Max)
        {
            Max = value;
        }

        Count++;
        double distance = value - Mean;
        Mean += distance / Count;
        _squaredDistance += distance * (value - Mean);
    }

    /// <summary>Adds the same value several times.</summary>
    /// <param name="value">The value.</param>
    /// <param name="count">How often, 0 or more.</param>
    public void Add(double value, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Merge(count, value, 0, value, value);
    }

    /// <summary>Adds all values of another; the result equals that of one that received them all.</summary>
    public void Merge(ValueStatistics other) => Merge(other, shift: 0);

    /// <summary>Adds all values of another, each greater by a number; of extremes of 0 or more none becomes negative by it.</summary>
    public void Merge(ValueStatistics other, double shift)
    {
        Merge(other.Count, other.Mean + shift, other._squaredDistance, Moved(other.Min), Moved(other.Max));

        double Moved(double value) => value < 0 ? value + shift : Math.Max(0, value + shift);
    }

    /// <summary>Clears all values.</summary>
    public void Reset() => (Count, Mean, _squaredDistance, Min, Max) = (0, 0, 0, 0, 0);

    private void Merge(long count, double mean, double squaredDistance, double min, double max)
    {
        if (count == 0)
            return;

        Min = Count == 0 ? min : Math.Min(Min, min);
        Max = Count == 0 ? max : Math.Max(Max, max);
        long total = Count + count;
        double distance = mean - Mean;
        double share = (double)count / total;
        Mean += distance * share;
        _squaredDistance += squaredDistance + (distance * distance * Count * share);
        Count = total;
    }
}
