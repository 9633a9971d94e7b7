namespace PerfHub.Consumers;

/// <summary>How a hub treats a consumer whose queue is full.</summary>
public enum SlowConsumerPolicy
{
    /// <summary>It is disconnected.</summary>
    Disconnect,

    /// <summary>It receives the latest value of each field when it catches up.</summary>
    Conflate,

    /// <summary>Updates are discarded until its queue has space again.</summary>
    Drop,
}
