namespace PerfTools.Results.Recorded;

/// <summary>How the names of histograms call what the JSON lines have (docs/histograms.md).</summary>
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

    /// <summary>The series of a latency of a collection; null for one without histograms.</summary>
    /// <param name="path">Where the latency stands in the line.</param>
    public static string? Of(string path) => Names.GetValueOrDefault(path.Split('.')[^1]);
}
