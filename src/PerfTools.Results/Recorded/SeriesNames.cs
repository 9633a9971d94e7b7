namespace PerfTools.Results.Recorded;

/// <summary>Maps the names of figures in JSON lines to those of histogram files (docs/histograms.md).</summary>
internal static class SeriesNames
{
    private static readonly Dictionary<string, string> Names = new()
    {
        ["updateLatency"] = "updates",
        ["postLatency"] = "posts",
        ["genericLatency"] = "generic",
        ["latency"] = "messages",
        ["through"] = "through",
        ["roundTrips"] = "rtt",
        ["sendLag"] = "sendLag",
    };

    /// <summary>Returns the series of a latency of a collection; null for one without histograms.</summary>
    /// <param name="path">Path of the latency in the line.</param>
    public static string? Of(string path) => Names.GetValueOrDefault(path.Split('.')[^1]);
}
