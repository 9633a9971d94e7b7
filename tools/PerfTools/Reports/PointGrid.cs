namespace PerfTools.Reports;

/// <summary>
/// The common time axis of roles whose collections are not aligned: one slot per interval, several slots per point in a long run.
/// </summary>
internal sealed class PointGrid
{
    private const double HalfSlot = 0.5;
    private const int MaxSlots = 1_000_000_000;

    private readonly double _slotSeconds;
    private readonly Dictionary<string, int[]> _slots;
    private readonly List<PointColumn> _columns = [];

    /// <param name="slotSeconds">The usual time between two collections.</param>
    /// <param name="times">The ends of the intervals of each role, in seconds of the run, ascending.</param>
    public PointGrid(double slotSeconds, IReadOnlyDictionary<string, IReadOnlyList<double>> times)
    {
        _slotSeconds = slotSeconds;
        _slots = times.ToDictionary(role => role.Key, role => Align(role.Value));
        int last = _slots.Values.SelectMany(slots => slots).DefaultIfEmpty(-1).Max();
        SlotsPerPoint = Math.Max(1, (last + PointTable.MaxPoints) / PointTable.MaxPoints);
        PointCount = last < 0 ? 0 : (last / SlotsPerPoint) + 1;
    }

    public int SlotsPerPoint { get; }

    public int PointCount { get; }

    /// <summary>The point of an interval of a role.</summary>
    public int PointOf(string role, int interval) => _slots[role][interval] / SlotsPerPoint;

    /// <summary>Adds a figure of a role, a value for each of its intervals; a figure without any value is omitted.</summary>
    public void Add(string role, string name, string title, Thinning thinning, IEnumerable<double?> values)
    {
        double?[] points = new double?[PointCount];
        int[] counts = new int[PointCount];
        foreach ((double? value, int interval) in values.Select((value, i) => (value, i)))
        {
            if (value is not { } known)
                continue;
            int point = PointOf(role, interval);
            points[point] = thinning == Thinning.Highest ? Math.Max(points[point] ?? known, known) : (points[point] ?? 0) + known;
            counts[point]++;
        }

        if (thinning == Thinning.Mean)
            points = [.. points.Select((sum, i) => sum / counts[i])];
        AddPoints($"{role}.{name}", title, points);
    }

    /// <summary>Adds a figure that was computed point by point.</summary>
    public void AddPoints(string name, string title, IReadOnlyList<double?> points)
    {
        if (points.Any(point => point is not null))
            _columns.Add(new(name, title, points));
    }

    /// <summary>Creates the table of all added figures.</summary>
    public PointTable Create()
    {
        double seconds = _slotSeconds * SlotsPerPoint;
        return new(seconds, [.. Enumerable.Range(0, PointCount).Select(point => Math.Round(point * seconds, 3))], _columns);
    }

    // Each interval gets one slot, although collections are a little early or late.
    private int[] Align(IReadOnlyList<double> times)
    {
        int[] slots = new int[times.Count];
        int previous = -1;
        for (int i = 0; i < times.Count; i++)
            slots[i] = previous = Math.Max(previous + 1, (int)Math.Clamp((times[i] / _slotSeconds) + HalfSlot, 0, MaxSlots));
        return slots;
    }
}
