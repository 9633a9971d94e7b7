using PerfCommon.Workers;

namespace PerfHub.Counting;

/// <summary>The counters that a hub adds to those of the library.</summary>
internal static class HubCounter
{
    /// <summary>Updates received, to be sent to every watcher of the item.</summary>
    public const Counter UpdatesReceived = RecordingSchema.FirstCounter;

    /// <summary>Updates received for an item that no consumer watched any more, or copied for a consumer that had left.</summary>
    public const Counter UpdatesUnwatched = UpdatesReceived + 1;

    /// <summary>Updates not sent one by one: a later update of the item carries their last values.</summary>
    public const Counter UpdatesConflated = UpdatesUnwatched + 1;

    /// <summary>Updates not sent because a consumer was too slow.</summary>
    public const Counter UpdatesDropped = UpdatesConflated + 1;

    /// <summary>Updates received, and not fanned out: a later update of the item carries their last values.</summary>
    public const Counter UpdatesThrottled = UpdatesDropped + 1;

    /// <summary>Number of watchers when an update was fanned out, summed over the updates.</summary>
    public const Counter CopiesDue = UpdatesThrottled + 1;

    /// <summary>Updates copied because more than one session thread or stream watches.</summary>
    public const Counter UpdatesCopied = CopiesDue + 1;

    /// <summary>The same of posts that are sent back.</summary>
    public const Counter PostsCopied = UpdatesCopied + 1;

    /// <summary>The same of generic messages of a source.</summary>
    public const Counter GenericCopied = PostsCopied + 1;

    /// <summary>Flushes of connections whose queue was too full to wait for the end of their batch.</summary>
    public const Counter EarlyFlushes = GenericCopied + 1;

    /// <summary>Flushes of connections that had bytes to send.</summary>
    public const Counter Sends = EarlyFlushes + 1;

    /// <summary>Generic messages received from a source, not part of <see cref="Counter.GenericReceived"/>.</summary>
    public const Counter SourceGenericReceived = Sends + 1;

    /// <summary>Connections closed because a consumer was too slow.</summary>
    public const Counter ConnectionsCut = SourceGenericReceived + 1;

    /// <summary>Connections closed because memory was nearly used up, and they used the most.</summary>
    public const Counter ConnectionsOverShare = ConnectionsCut + 1;

    /// <summary>Images of items of a publisher that may publish no more.</summary>
    public const Counter ImagesRefused = ConnectionsOverShare + 1;

    /// <summary>Services of a source that were refused, because others provide them or the maximum is reached.</summary>
    public const Counter ServicesRefused = ImagesRefused + 1;

    /// <summary>Fields of images and updates of an item that has reached its maximum of kept fields.</summary>
    public const Counter FieldsNotKept = ServicesRefused + 1;

    /// <summary>What the workers of a hub record.</summary>
    public static RecordingSchema Schema { get; } = new(
        [
            nameof(UpdatesReceived), nameof(UpdatesUnwatched), nameof(UpdatesConflated), nameof(UpdatesDropped), nameof(UpdatesThrottled),
            nameof(CopiesDue), nameof(UpdatesCopied), nameof(PostsCopied), nameof(GenericCopied), nameof(EarlyFlushes), nameof(Sends),
            nameof(SourceGenericReceived), nameof(ConnectionsCut), nameof(ConnectionsOverShare), nameof(ImagesRefused), nameof(ServicesRefused),
            nameof(FieldsNotKept),
        ],
        [
            (nameof(HubGauge.Sources), false), (nameof(HubGauge.Consumers), false), (nameof(HubGauge.Items), false),
            (nameof(HubGauge.Watchers), false), (nameof(HubGauge.ItemBytes), false), (nameof(HubGauge.BurstMicros), true),
        ]);
}

/// <summary>The gauges that a hub adds to those of the library.</summary>
internal static class HubGauge
{
    /// <summary>Connected sources.</summary>
    public const Gauge Sources = RecordingSchema.FirstGauge;

    /// <summary>Consumers that are logged in.</summary>
    public const Gauge Consumers = Sources + 1;

    /// <summary>Items in the cache.</summary>
    public const Gauge Items = Consumers + 1;

    /// <summary>Open streams of consumers.</summary>
    public const Gauge Watchers = Items + 1;

    /// <summary>Bytes of all items in the cache.</summary>
    public const Gauge ItemBytes = Watchers + 1;

    /// <summary>Microseconds of the longest current interval by which updates are held for batching.</summary>
    public const Gauge BurstMicros = ItemBytes + 1;
}
