using System.Globalization;
using System.Text.Json;

namespace Tools.Tests.PerfToolsTests.Live;

/// <summary>Collections of a provider and a consumer, as they write them.</summary>
internal static class LiveLines
{
    private const string Images = "{\"imageRetrieval\":{\"items\":10,\"seconds\":0.5}}";

    /// <summary>A collection of the provider: its messages in a second whose end is given in seconds after a start.</summary>
    public static JsonElement OfProvider(DateTime start, double second, int sent = 100_000, int notSent = 0) => Parse(start, second, $$$"""
        "overall":{"updateRate":{{{sent}}},"counts":{"updatesSent":{{{sent}}},"updatesNotSent":{{{notSent}}}},
        "sendLag":{"count":1000,"avgMicros":8,"maxMicros":91.5,"p50Micros":7.25,"p99Micros":40}},
        "process":{"coreCpuPercent":12.5,"workingSetBytes":52428800}
        """);

    /// <summary>One of the consumer; in the first its images have come.</summary>
    public static JsonElement OfConsumer(DateTime start, double second, int received = 100_000, bool hasImages = false) => Parse(start, second, $$$"""
        "overall":{"updateRate":{{{received}}},"counts":{"updatesReceived":{{{received}}}},
        "updateLatency":{"count":1000,"avgMicros":36,"maxMicros":812.5,"p50Micros":31.5,"p99Micros":74.25}},
        "threads":[{{{(hasImages ? Images : "{}")}}}],
        "process":{"coreCpuPercent":9.75,"workingSetBytes":104857600}
        """);

    /// <summary>One of the consumer without samples, as the short one at the end of a run may be.</summary>
    public static JsonElement OfConsumerAtTheEnd(DateTime start, double second) => Parse(start, second, """
        "overall":{"updateRate":0,"counts":{"updatesReceived":0},"updateLatency":{"count":0}},"threads":[{}],
        "process":{"coreCpuPercent":1,"workingSetBytes":104857600}
        """);

    /// <summary>A value that was set by hand.</summary>
    public static JsonElement OfChange(DateTime start, double second, string mark) =>
        Parse(start, second, $"\"set\":{{\"mark\":{JsonSerializer.Serialize(mark)}}},\"was\":{{}}");

    private static JsonElement Parse(DateTime start, double second, string members)
    {
        string utc = start.AddSeconds(second).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        using JsonDocument line = JsonDocument.Parse($"{{\"tool\":\"T\",\"final\":false,\"utc\":\"{utc}\",\"intervalSeconds\":1,{members}}}");
        return line.RootElement.Clone();
    }
}
