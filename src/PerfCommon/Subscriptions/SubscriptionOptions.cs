using PerfCommon.Codec;

namespace PerfCommon.Subscriptions;

/// <summary>Options of one subscription. Immutable; vary it with <c>with</c>.</summary>
public sealed record SubscriptionOptions
{
    /// <summary>
    /// True conflates while the reader is slow: events of an item that wait are merged into its newest state. False delivers each event.
    /// </summary>
    public bool Conflates { get; init; }

    /// <summary>
    /// Bytes of events that may wait for the reader; 1 or more. With more, the connection is not read until half of them are delivered, which
    /// also delays the other subscriptions of the subscriber. Up to 256 messages of the same read are added.
    /// </summary>
    public int BufferBytes { get; init; } = 16 << 20;

    /// <summary>Domain of the items.</summary>
    public DomainType Domain { get; init; } = DomainType.MarketPrice;

    /// <summary>True for private streams.</summary>
    public bool IsPrivate { get; init; }

    /// <summary>The requested fields; null for all. Subscriptions to one item receive the fields of all of their views.</summary>
    public FieldView? View { get; init; }
}
