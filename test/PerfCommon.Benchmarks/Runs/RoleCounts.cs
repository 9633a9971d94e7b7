namespace PerfCommon.Benchmarks.Runs;

/// <summary>Under which names the roles of the scenarios count their messages.</summary>
internal static class RoleCounts
{
    public static CollectionNames Provider { get; } = new("updatesSent", NotSent: "updatesNotSent");

    public static CollectionNames Consumer { get; } = new("updatesReceived", Latency: "updateLatency");

    public static CollectionNames Server { get; } = new("messagesSent", NotSent: "messagesNotSent");

    public static CollectionNames Client { get; } = new("messagesReceived", Latency: "latency");

    /// <summary>Those of a role by its name; null for another role.</summary>
    public static CollectionNames? Of(string role) => role switch
    {
        "provider" => Provider,
        "consumer" => Consumer,
        "server" => Server,
        "client" => Client,
        _ => null,
    };
}
