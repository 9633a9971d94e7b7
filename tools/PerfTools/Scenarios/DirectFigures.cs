using PerfTools.Face;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>What the figures of ProvPerf and ConsPerf mean to a run; their names are those of docs/json-lines.md.</summary>
internal static class DirectFigures
{
    /// <summary>How far the run is.</summary>
    /// <param name="provider">The provider's latest line.</param>
    /// <param name="consumer">A line of the consumer.</param>
    public static ProgressSample ReadProgress(JsonView provider, JsonView consumer)
    {
        JsonView overall = consumer.Part("overall");
        IReadOnlyList<JsonView> threads = consumer.Parts("threads"); // each says once when its images are in
        return new ProgressSample
        {
            Images = ReadImages(overall) ?? (threads is [JsonView only] ? ReadImages(only) : null),
            IsMeasuring = threads.Append(overall).Any(t => ReadImages(t) is not null) && !consumer.IsTrue("final"),
            Rate = overall.Number("updateRate"),
            P50Micros = overall.Part("updateLatency").Number("p50Micros"),
            P99Micros = overall.Part("updateLatency").Number("p99Micros"),
            ServerCpuPercent = provider.Part("process").Number("coreCpuPercent"),
            ClientCpuPercent = consumer.Part("process").Number("coreCpuPercent"),
        };
    }

    /// <summary>The figures of the run.</summary>
    /// <param name="rateAsked">Updates a second over all connections.</param>
    /// <param name="provider">The provider's final line.</param>
    /// <param name="consumer">The consumer's final line.</param>
    public static RunFigures Read(double rateAsked, JsonView provider, JsonView consumer)
    {
        JsonView received = consumer.Part("overall");
        JsonView sent = provider.Part("overall");
        JsonView steady = received.Part("steady");
        return new RunFigures
        {
            RateAsked = rateAsked,
            RateReached = steady.Number("updateRate") ?? 0,
            SteadySeconds = steady.Number("seconds") ?? 0,
            Balances = ReadBalances(sent.Part("counts"), received.Part("counts")),
            NotSent = sent.Part("counts").Count("updatesNotSent"),
            Latency = steady.Latency("latency"),
            SendLag = sent.Latency("sendLag"),
            Images = ReadImages(received),
            Server = provider.Cost(),
            Client = consumer.Cost(),
        };
    }

    // A post that is sent back arrives as an update and is counted as one.
    private static Balance[] ReadBalances(JsonView provider, JsonView consumer) =>
    [
        new("updates", provider.Count("updatesSent") + provider.Count("postsReflected"), consumer.Count("updatesReceived"), consumer.Count("messagesDropped")),
        new("requests", consumer.Count("requestsSent"), provider.Count("requestsReceived")),
        new("refreshes", provider.Count("imagesSent"), consumer.Count("refreshesReceived")),
        .. Balance.WhereUsed(
            new("posts", consumer.Count("postsSent"), provider.Count("postsReceived")),
            new("generic to provider", consumer.Count("genericSent"), provider.Count("genericReceived")),
            new("generic to consumer", provider.Count("genericSent"), consumer.Count("genericReceived"))),
    ];

    private static ImageFigures? ReadImages(JsonView overall) => overall.Part("imageRetrieval") is { Exists: true } images
        ? new(images.Count("items"), images.Number("seconds") ?? 0) : null;
}
