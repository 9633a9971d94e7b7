using PerfCommon.Measurement;

namespace PerfTools.Results.Guide;

/// <summary>The rows of one kind in a latency file: their figures, and some of them as points.</summary>
internal sealed class LatencyRows(string kind, int capacity)
{
    private readonly LatencyAccumulator _latencies = new(LatencyUnit.Nanoseconds);
    private readonly PointSample _points = new(capacity);

    /// <summary>The kind of the messages: updates, posts, generic, messages.</summary>
    public string Kind => kind;

    /// <summary>The figures of all rows.</summary>
    public LatencyFigures Figures => _latencies.Figures();

    /// <summary>All latencies by cells, negative ones left out.</summary>
    public LongHistogram Histogram => _latencies.Histogram;

    /// <summary>Adds all latencies to those of other rows.</summary>
    public void AddTo(LatencyAccumulator sum) => sum.Add(_latencies);

    public void Add(SampledPoint point)
    {
        double nanos = Math.Round(point.Micros * Clock.NanosPerMicro);
        _latencies.Record((long)Math.Clamp(nanos, long.MinValue / 2, long.MaxValue / 2));
        _points.Add(point);
    }

    /// <summary>Returns some of the rows, the highest among them.</summary>
    public IReadOnlyList<SampledPoint> Points(int max) => _points.Reduce(max);
}
