using System.Globalization;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>Names of the files of a run.</summary>
/// <param name="Summary">The summary; null for none.</param>
/// <param name="Statistics">The statistics of a thread, from 1; null for none.</param>
/// <param name="Latencies">The latencies of a thread, from 1; null for none.</param>
/// <param name="Json">The JSON lines; null for none.</param>
/// <param name="Histograms">The first part of the names of histograms; null for none.</param>
internal sealed record RunFileNames(string? Summary, Func<int, string>? Statistics, Func<int, string>? Latencies, string? Json,
    string? Histograms = null)
{
    public static RunFileNames Of(RunOptions run) => new(
        run.SummaryFile,
        thread => Numbered(run.StatsFile, thread),
        run.LatencyFile is { } latencies ? thread => Numbered(latencies, thread) : null,
        run.JsonFile,
        run.HistogramFile);

    /// <summary>Returns a base name with the number of the thread.</summary>
    public static string Numbered(string baseName, int thread) => string.Create(CultureInfo.InvariantCulture, $"{baseName}{thread}.csv");
}
