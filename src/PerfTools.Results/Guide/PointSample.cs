namespace PerfTools.Results.Guide;

/// <summary>A sample of at most a fixed number of points, however many are added: the highest of all, and others at even distances.</summary>
/// <param name="capacity">Maximum number of points kept.</param>
internal sealed class PointSample(int capacity)
{
    private const int SharesOfHighest = 4; // the highest points get one share in this many
    private readonly PriorityQueue<SampledPoint, double> _highest = new();
    private readonly List<SampledPoint> _even = [];
    private long _seen;
    private long _stride = 1;

    private int HighestKept => Math.Max(1, capacity / SharesOfHighest);

    private int EvenKept => Math.Max(2, capacity - HighestKept);

    /// <summary>Adds a point. Amortized logarithmic in the capacity.</summary>
    public void Add(SampledPoint point)
    {
        if (_highest.Count < HighestKept)
            _highest.Enqueue(point, point.Micros);
        else if (point.Micros > _highest.Peek().Micros)
            _highest.EnqueueDequeue(point, point.Micros);
        if (_seen++ % _stride != 0)
            return;
        if (_even.Count == EvenKept)
            Halve();
        if ((_seen - 1) % _stride == 0)
            _even.Add(point);
    }

    /// <summary>Returns some of the points kept, at most a given number: the highest ones, and others at even distances.</summary>
    public IReadOnlyList<SampledPoint> Reduce(int max)
    {
        int highest = Math.Max(1, max / SharesOfHighest), even = Math.Max(0, max - highest);
        IEnumerable<SampledPoint> outliers = _highest.UnorderedItems.Select(item => item.Element)
            .OrderByDescending(point => point.Micros).Take(highest);
        double step = Math.Max(1, (double)_even.Count / Math.Max(1, even));
        IEnumerable<SampledPoint> others =
            Enumerable.Range(0, Math.Min(even, _even.Count)).Select(i => _even[(int)(i * step)]);
        return [.. outliers.Concat(others).Distinct().OrderBy(point => point.At)];
    }

    // Removes every other point; from then on only half as many are added.
    private void Halve()
    {
        int kept = 0;
        for (int i = 0; i < _even.Count; i += 2)
            _even[kept++] = _even[i];
        _even.RemoveRange(kept, _even.Count - kept);
        _stride *= 2;
    }
}

/// <summary>A latency and when its message was received, in the unit of its file.</summary>
internal readonly record struct SampledPoint(long At, double Micros);
