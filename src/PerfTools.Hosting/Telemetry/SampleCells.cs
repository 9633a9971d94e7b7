using PerfCommon.Measurement;

namespace PerfTools.Hosting.Telemetry;

/// <summary>The samples of one interval as they were recorded: a copy that any thread may read.</summary>
/// <param name="Series">Name of the series.</param>
/// <param name="Thread">The worker, from 1; null for all together.</param>
/// <param name="Cells">The middle of each histogram cell in seconds, and its number of samples.</param>
internal sealed record SampleCells(string Series, string? Thread, IReadOnlyList<(double Seconds, long Count)> Cells)
{
    private const double SecondsPerMicro = 1e-6, SecondsPerNano = 1e-9;

    /// <summary>Copies a histogram.</summary>
    public static SampleCells Of(string series, string? thread, LongHistogram histogram)
    {
        double unit = histogram.Unit == LatencyUnit.Nanoseconds ? SecondsPerNano : SecondsPerMicro;
        List<(double, long)> cells = [];
        for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
        {
            if (histogram.CountAt(i) is > 0 and var count)
                cells.Add((histogram.Layout.MedianOf(i) * unit, count));
        }

        return new(series, thread, cells);
    }
}
