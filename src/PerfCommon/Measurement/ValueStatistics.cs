namespace PerfCommon.Measurement;

/// <summary>Count, mean, deviation, minimum and maximum of a stream of values, in constant memory.</summary>
/// <remarks>Updates mean and squared distance as it goes (Welford), so nearly equal large values lose nothing. Every figure is 0
/// without values. One writer.</remarks>
internal sealed class ValueStatistics
{
    private double _squaredDistance;

    public long Count { get; private set; }

    public double Mean { get; private set; }

    public double Min { get; private set; }

    public double Max { get; private set; }

    /// <summary>Standard deviation of a sample (divided by count - 1), the one the reports print; 0 below two values.</summary>
    public double StandardDeviation => Count < 2 ? 0 : Math.Sqrt(_squaredDistance / (Count - 1));

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

    /// <summary>Adds everything another has seen; the result is that of all values together.</summary>
    public void Merge(ValueStatistics other)
    {
        if (other.Count == 0)
            return;

        Min = Count == 0 ? other.Min : Math.Min(Min, other.Min);
        Max = Count == 0 ? other.Max : Math.Max(Max, other.Max);
        long total = Count + other.Count;
        double distance = other.Mean - Mean;
        double share = (double)other.Count / total;
        Mean += distance * share;
        _squaredDistance += other._squaredDistance + (distance * distance * Count * share);
        Count = total;
    }

    public void Reset() => (Count, Mean, _squaredDistance, Min, Max) = (0, 0, 0, 0, 0);
}
