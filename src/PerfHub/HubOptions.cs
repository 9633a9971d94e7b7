using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.FanOut;

namespace PerfHub;

/// <summary>The ports of a hub, and the data that it distributes. Immutable; vary it with <c>with</c>.</summary>
public sealed record HubOptions
{
    /// <summary>Port for consumers; 0 for a free one.</summary>
    public int ConsumerPort { get; init; }

    /// <summary>
    /// Port for publishers (non-interactive providers); 0 for a free one. When it equals <see cref="ConsumerPort"/>, unless both are 0, one port
    /// serves both: logins distinguish them.
    /// </summary>
    public int PublisherPort { get; init; }

    /// <summary>Address, host or interface to listen on; null for all. The default is reached from this machine alone.</summary>
    public string? InterfaceName { get; init; } = "127.0.0.1";

    /// <summary>
    /// Names of services without a provider, each once. They are up from the start, with every item that is requested: it is empty until a
    /// consumer posts to it.
    /// </summary>
    public IReadOnlyList<string> Services { get; init; } = [];

    /// <summary>
    /// Interactive providers to connect to, an attempt a second until one succeeds. Each item is requested once, however many consumers
    /// subscribe.
    /// </summary>
    public IReadOnlyList<ConnectOptions> Upstreams { get; init; } = [];

    /// <summary>The dictionary for consumers, where the provider of a service has none.</summary>
    public FieldDictionary Dictionary { get; init; } = FieldDictionary.Default;

    /// <summary>Threads that read publishers and deliver to consumers, 1 to 8; another one accepts connections.</summary>
    public int Threads { get; init; } = 1;

    /// <summary>How a consumer is treated whose queue is full.</summary>
    public SlowConsumerPolicy SlowConsumers { get; init; }

    /// <summary>Bytes that may be queued for one consumer, 65,536 or more; images and the first seconds of a backlog may exceed it.</summary>
    public int MaxQueueBytes { get; init; } = HubSettings.UsualQueueBytes;

    /// <summary>The time for which updates of an item are merged after a forwarded one; zero forwards each.</summary>
    public TimeSpan Throttle { get; init; }

    /// <summary>Receives notices for people: connected, refused, disconnected, rejected. Called by the hub's threads; null for none.</summary>
    public Action<Notice>? OnNotice { get; init; }

    /// <summary>Finds the first contradiction; null when there is none.</summary>
    internal string? FindProblem() => this switch
    {
        { Threads: < 1 or > ThreadLimits.MaxThreads } => $"a hub has 1 to {ThreadLimits.MaxThreads} threads, not {Threads}",
        { ConsumerPort: < 0 or > ushort.MaxValue } => $"port {ConsumerPort} is not 0 to {ushort.MaxValue}",
        { PublisherPort: < 0 or > ushort.MaxValue } => $"port {PublisherPort} is not 0 to {ushort.MaxValue}",
        { MaxQueueBytes: < HubSettings.MinQueueBytes } => $"a queue of {MaxQueueBytes} bytes is too short: {HubSettings.MinQueueBytes} or more",
        { Throttle: var throttle } when throttle < TimeSpan.Zero => $"a throttle of {throttle} is negative",
        { Services: var services } when services.Any(string.IsNullOrEmpty) => "the name of a service is empty",
        { Services: var services } when services.Distinct(StringComparer.Ordinal).Count() < services.Count => "a service is named twice",
        _ => null,
    };

    /// <summary>True when one port serves consumers and publishers.</summary>
    internal bool HasOnePort => PublisherPort == ConsumerPort && ConsumerPort != 0;
}
