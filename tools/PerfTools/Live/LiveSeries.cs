using PerfTools.Reports;

namespace PerfTools.Live;

/// <summary>The collections of one role as points, limited in number: in a long run one point covers several collections.</summary>
internal sealed class LiveSeries
{
    /// <summary>The maximum number of points: an hour of one-second collections.</summary>
    public const int MaxPoints = 3_600;

    private readonly List<RolePoint> _points = [];
    private int _perPoint = 1;
    private int _inLast;

    public IReadOnlyList<RolePoint> Points => _points;

    /// <summary>The last collection alone; null before the first.</summary>
    public RolePoint? Latest { get; private set; }

    /// <summary>Finds the latency of the last collection that has samples; the last one of a run is short, and may have none.</summary>
    /// <param name="read">Reads it from a collection.</param>
    /// <returns>Null without any.</returns>
    public LatencyPoint? FindLatest(Func<RolePoint, LatencyPoint?> read)
    {
        LatencyPoint? found = Latest is { } latest ? read(latest) : null;
        for (int i = _points.Count - 1; i >= 0 && found is null; i--)
            found = read(_points[i]);
        return found;
    }

    public void Add(RolePoint collection)
    {
        Latest = collection;
        if (_inLast > 0 && _inLast < _perPoint)
        {
            _points[^1] = _points[^1].With(collection);
            _inLast++;
            return;
        }

        if (_points.Count == MaxPoints)
            Halve();
        _points.Add(collection);
        _inLast = 1;
    }

    // The last point is complete here, as all are.
    private void Halve()
    {
        for (int i = 0; i < MaxPoints / 2; i++)
            _points[i] = _points[2 * i].With(_points[(2 * i) + 1]);
        _points.RemoveRange(MaxPoints / 2, MaxPoints / 2);
        _perPoint *= 2;
    }
}
