using System.Globalization;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>Names of the files of results. Default names carry the process id, so that both sides can share a directory.</summary>
internal static class ResultNames
{
    /// <summary>All of them.</summary>
    public static RunFileNames Of(TransportPerfOptions options, int processId) => RunFileNames.Of(options.Run) with
    {
        Summary = Summary(options, processId),
        Statistics = thread => Statistics(options, processId, thread),
    };

    public static string Summary(TransportPerfOptions options, int processId) =>
        options.Run.SummaryFile.Length > 0
            ? options.Run.SummaryFile
            : string.Create(CultureInfo.InvariantCulture, $"TransportSummary_{processId}.out");

    public static string Statistics(TransportPerfOptions options, int processId, int thread) =>
        options.Run.StatsFile.Length > 0
            ? RunFileNames.Numbered(options.Run.StatsFile, thread)
            : string.Create(CultureInfo.InvariantCulture, $"TransportStats{thread}_{processId}.csv");
}
