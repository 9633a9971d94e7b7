using System.Globalization;

namespace TransportPerf;

/// <summary>Names of the files of results. Default names carry the process id, so that both sides can share a directory.</summary>
internal static class ResultNames
{
    public static string Summary(TransportPerfOptions options, int processId) =>
        options.Run.SummaryFile.Length > 0
            ? options.Run.SummaryFile
            : string.Create(CultureInfo.InvariantCulture, $"TransportSummary_{processId}.out");

    public static string Statistics(TransportPerfOptions options, int processId, int thread) =>
        options.Run.StatsFile.Length > 0
            ? string.Create(CultureInfo.InvariantCulture, $"{options.Run.StatsFile}{thread}.csv")
            : string.Create(CultureInfo.InvariantCulture, $"TransportStats{thread}_{processId}.csv");

    public static string Latencies(string baseName, int thread) =>
        string.Create(CultureInfo.InvariantCulture, $"{baseName}{thread}.csv");
}
