using PerfTools.Face;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>What the figures of two TransportPerfs mean to a run; their names are those of docs/json-lines.md.</summary>
internal static class TransportFigures
{
    /// <summary>How far the run is.</summary>
    /// <param name="server">The server's latest line.</param>
    /// <param name="client">A line of the client.</param>
    public static ProgressSample ReadProgress(JsonView server, JsonView client)
    {
        JsonView overall = client.Part("overall");
        return new ProgressSample
        {
            IsMeasuring = overall.Part("counts").Count("messagesReceived") > 0 && !client.IsTrue("final"),
            Rate = overall.Number("receiveRate"),
            P50Micros = overall.Part("latency").Number("p50Micros"),
            P99Micros = overall.Part("latency").Number("p99Micros"),
            ServerCpuPercent = server.Part("process").Number("coreCpuPercent"),
            ClientCpuPercent = client.Part("process").Number("coreCpuPercent"),
        };
    }

    /// <summary>The figures of a run in which the server sends.</summary>
    /// <param name="rateAsked">Messages a second over all connections.</param>
    /// <param name="server">The server's final line.</param>
    /// <param name="client">The client's final line.</param>
    public static RunFigures Read(double rateAsked, JsonView server, JsonView client)
    {
        JsonView sent = server.Part("overall").Part("counts");
        JsonView received = client.Part("overall").Part("counts");
        return Read(rateAsked, server, client, sender: server) with
        {
            Balances =
            [
                new("messages", sent.Count("messagesSent"), received.Count("messagesReceived")),
                .. Balance.WhereUsed(new Balance("to the server", received.Count("messagesSent"), sent.Count("messagesReceived"))),
            ],
        };
    }

    /// <summary>The figures of a run in which the client sends and the server sends everything back.</summary>
    /// <param name="rateAsked">Messages a second over all connections.</param>
    /// <param name="server">The server's final line.</param>
    /// <param name="client">The client's final line.</param>
    public static RunFigures ReadReflected(double rateAsked, JsonView server, JsonView client)
    {
        JsonView there = client.Part("overall").Part("counts");
        JsonView back = server.Part("overall").Part("counts");
        return Read(rateAsked, server, client, sender: client) with
        {
            Balances =
            [
                new("messages", there.Count("messagesSent"), back.Count("messagesReceived")),
                new("turned round", back.Count("messagesReceived"), back.Count("messagesSent"), back.Count("messagesNotSent")),
                new("returned", back.Count("messagesSent"), there.Count("messagesReceived")),
            ],
        };
    }

    private static RunFigures Read(double rateAsked, JsonView server, JsonView client, JsonView sender) => new()
    {
        RateAsked = rateAsked,
        RateReached = client.Part("overall").Number("receiveRate") ?? 0,
        SteadySeconds = client.Part("overall").Number("connectedSeconds") ?? 0,
        Balances = [],
        NotSent = sender.Part("overall").Part("counts").Count("messagesNotSent"),
        Latency = client.Part("overall").Latency("latency"),
        SendLag = sender.Part("overall").Latency("sendLag"),
        Server = server.Cost(),
        Client = client.Cost(),
    };
}
