using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Subscriptions;

/// <summary>Options of an <see cref="ItemSubscriber"/>. Immutable; vary it with <c>with</c>.</summary>
public sealed record ItemSubscriberOptions
{
    /// <summary>Address and settings of the connection.</summary>
    public required ConnectOptions Server { get; init; }

    /// <summary>The service whose items are requested.</summary>
    public required string ServiceName { get; init; }

    /// <summary>User and program of the login; null for the user of this process.</summary>
    public LoginIdentity? Identity { get; init; }

    /// <summary>The dictionary; null downloads it from the provider.</summary>
    public FieldDictionary? Dictionary { get; init; }

    /// <summary>
    /// The longest wait for connection, login, service and dictionary; attempts are repeated until then. Above 0, or
    /// <see cref="Timeout.InfiniteTimeSpan"/>.
    /// </summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// True reconnects after a loss: items become suspect and recover. False ends all subscriptions with a
    /// <see cref="Sessions.ConsumerException"/>.
    /// </summary>
    public bool Reconnects { get; init; } = true;

    /// <summary>Waits between attempts to connect, and between requests for an item that the provider closed.</summary>
    public RecoveryOptions Recovery { get; init; } = new();

    /// <summary>Receives notices for people: connected, refused, lost. Called by the subscriber's thread; null for none.</summary>
    public Action<Notice>? OnNotice { get; init; }
}
