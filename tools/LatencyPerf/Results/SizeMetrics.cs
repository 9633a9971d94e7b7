using System.Globalization;
using LatencyPerf.Rounds;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>Reports the completed sizes as metrics.</summary>
internal static class SizeMetrics
{
    private const string Label = "bytes";

    /// <param name="version">The version of the program.</param>
    /// <param name="sizes">The completed sizes.</param>
    public static MetricSet Collect(string? version, IReadOnlyList<SizeResult> sizes)
    {
        MetricSet metrics = new() { Help = "the program" };
        metrics.Info("run", [("tool", LatencyPerfOptionTable.Tool), ("version", version ?? "")]);
        metrics.Help = "round trips, by the size of the message";
        metrics.Gauges("samples", Label, Of(sizes, size => size.Trips.Count));
        foreach (LatencyCell cell in LatencyCell.All)
            metrics.Gauges("roundTrip." + cell.JsonName, Label, Of(sizes, size => cell.Get(size.Trips)));
        metrics.Counter("rounds", sizes.Sum(size => size.Counts.Rounds), "rounds");
        metrics.Counter("lost", sizes.Sum(size => size.Counts.Lost), "round trips lost");
        metrics.Counter("resent", sizes.Sum(size => size.Counts.Resent), "messages sent again");
        return metrics;
    }

    private static IEnumerable<(string, double?)> Of(IReadOnlyList<SizeResult> sizes, Func<SizeResult, double?> read) =>
        sizes.Select(size => (size.Bytes.ToString(CultureInfo.InvariantCulture), size.Trips.Count > 0 ? read(size) : null));
}
