namespace PerfCommon.Benchmarks.Runs;

/// <summary>Names of the message counts of the scenarios' roles.</summary>
internal static class RoleCounts
{
    public static CollectionNames Provider { get; } = new("updatesSent", NotSent: "updatesNotSent");

    public static CollectionNames Consumer { get; } = new("updatesReceived", Latency: "updateLatency");

    public static CollectionNames Server { get; } = new("messagesSent", NotSent: "messagesNotSent");

    public static CollectionNames Client { get; } = new("messagesReceived", Latency: "latency");

    /// <summary>Returns the names for a role; null for another role.</summary>
    public static CollectionNames? Of(string role) => role switch
    {
        "provider" => Provider,
        "consumer" => Consumer,
        "server" => Server,
        "client" => Client,
        _ => null,
    };
}
