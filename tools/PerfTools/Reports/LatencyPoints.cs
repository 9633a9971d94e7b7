using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Reports;

/// <summary>
/// Computes percentiles over time from the sum of the histograms of a point's collections; where that has too few samples, together with those of
/// the point before.
/// </summary>
internal static class LatencyPoints
{
    private static readonly (string Name, double Percentile)[] Percentiles = [("p50", 50), ("p99", 99)];

    /// <summary>Adds p50, p99 and max of a latency of a role.</summary>
    /// <param name="grid">The grid that receives them.</param>
    /// <param name="role">The role.</param>
    /// <param name="name">Their name in the points.</param>
    /// <param name="path">The path of the latency in a line.</param>
    public static void Add(PointGrid grid, RecordedRole role, string name, string path)
    {
        RunLatency?[] intervals = [.. role.Intervals.Select(interval => interval.View.Latency(path))];
        List<double?[]>? exact = ReadExact(grid, role, path, intervals);
        for (int i = 0; i < Percentiles.Length; i++)
        {
            (string percentile, double wanted) = Percentiles[i];
            if (exact is not null)
            {
                grid.AddPoints($"{role.Result.Name}.{name}.{percentile}", $"{name} {percentile}", exact[i]);
                continue;
            }

            IEnumerable<double?> read = intervals.Select(latency => wanted < 99 ? latency?.P50 : latency?.P99);
            grid.Add(role.Result.Name, $"{name}.{percentile}", $"{name} {percentile}", Thinning.Highest, read);
        }

        grid.Add(role.Result.Name, $"{name}.max", $"{name} max", Thinning.Highest, intervals.Select(latency => latency?.Max));
    }

    // Null without a log that has a histogram for each collection.
    private static List<double?[]>? ReadExact(PointGrid grid, RecordedRole role, string path, RunLatency?[] intervals)
    {
        if (SeriesNames.Of(path) is not { } series || !role.Series.Contains(series))
            return null;
        List<double?[]> points = [.. Percentiles.Select(_ => new double?[grid.PointCount])];
        Samples before = new(), current = new();
        int count = 0;
        foreach (LongHistogram histogram in role.ReadIntervals(series).Take(intervals.Length))
        {
            current.Add(histogram, intervals[count]?.Max ?? 0);
            int point = grid.PointOf(role.Result.Name, count++);
            if (count < intervals.Length && grid.PointOf(role.Result.Name, count) == point)
                continue;
            for (int i = 0; i < Percentiles.Length; i++)
                points[i][point] = current.ValueAt(Percentiles[i].Percentile) ?? current.With(before)?.ValueAt(Percentiles[i].Percentile);
            (before, current) = (current, before);
            current.Reset();
        }

        return count == intervals.Length ? points : null;
    }

    // The samples recorded in the time of a point.
    private sealed class Samples
    {
        private LongHistogram? _histogram;
        private double _maxMicros;

        public void Add(LongHistogram histogram, double maxMicros)
        {
            _histogram ??= new(histogram.Layout.Lowest, histogram.Layout.Highest, histogram.Layout.Digits, histogram.Unit);
            _histogram.Add(histogram);
            _maxMicros = Math.Max(_maxMicros, maxMicros);
        }

        public void Reset()
        {
            _histogram?.Reset();
            _maxMicros = 0;
        }

        /// <summary>Adds the samples of the point before: where one point has slightly too few, two have enough.</summary>
        public Samples? With(Samples before) => before._histogram is null || _histogram is not { TotalCount: > 0 } ? null : new()
        {
            _histogram = HistogramMerging.Merge([before._histogram, _histogram]),
            _maxMicros = Math.Max(before._maxMicros, _maxMicros),
        };

        public double? ValueAt(double percentile) => _histogram?.ReportedMicros(percentile, _maxMicros);
    }
}
