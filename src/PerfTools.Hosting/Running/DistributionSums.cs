using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Adds up the samples of all series since the start of a run, by bounds. Main thread only.</summary>
internal sealed class DistributionSums
{
    private const double NanosPerMicro = 1_000;

    private readonly Dictionary<Series, (long[] Counts, double SumMicros)> _sums = [];

    /// <summary>Adds the samples of an interval.</summary>
    /// <param name="collected">All workers together, and each.</param>
    /// <param name="histogramOf">Returns the samples of a series of all workers; null for none.</param>
    /// <returns>The samples since the start, with the slowest sample of this interval.</returns>
    public IReadOnlyDictionary<Series, LatencyDistribution> Add(
        (Figures Overall, IReadOnlyList<Figures> Threads) collected, Func<Series, LongHistogram?> histogramOf)
    {
        Dictionary<Series, LatencyDistribution> all = [];
        foreach (((Series series, RunPhase? phase), LatencyFigures figures) in collected.Overall.Latencies)
        {
            if (phase is not null)
                continue;
            (long[] counts, double sum) = _sums.GetValueOrDefault(series, (new long[LatencyDistribution.Bounds.Count + 1], 0));
            if (histogramOf(series) is { TotalCount: > 0 } histogram)
            {
                sum += figures.Average * figures.Count;
                AddCells(histogram, counts);
            }

            _sums[series] = (counts, sum);
            all[series] = new([.. counts], sum, FindSlowest(series, figures, collected));
        }

        return all;
    }

    private static void AddCells(LongHistogram histogram, long[] counts)
    {
        double perMicro = histogram.Unit == LatencyUnit.Nanoseconds ? NanosPerMicro : 1;
        int bound = 0;
        for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
        {
            while (bound < LatencyDistribution.Bounds.Count && histogram.Layout.MedianOf(i) / perMicro > LatencyDistribution.Bounds[bound])
                bound++;
            counts[bound] += histogram.CountAt(i);
        }
    }

    private static SlowestSample? FindSlowest(Series series, LatencyFigures figures, (Figures Overall, IReadOnlyList<Figures> Threads) collected) =>
        figures.Count == 0 ? null : new(figures.Max, collected.Overall.Info.Utc,
            collected.Threads.Where(thread => thread.Info.Thread > 0 && thread[series].Count > 0)
                .MaxBy(thread => thread[series].Max)?.Info.Thread);
}
