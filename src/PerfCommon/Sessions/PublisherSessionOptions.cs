using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>What a publisher's session publishes. Immutable; vary it with <c>with</c>.</summary>
public sealed record PublisherSessionOptions
{
    /// <summary>Who logs in; null for the user of this process. Its role should be <see cref="LoginRole.Provider"/>.</summary>
    public LoginIdentity? Identity { get; init; }

    /// <summary>The service that is announced.</summary>
    public required ServiceOffer Service { get; init; }

    /// <summary>The items, published in this order.</summary>
    public required ItemList Items { get; init; }

    /// <summary>Most messages in one buffer; 1 does not pack.</summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Bytes of a packed buffer.</summary>
    public int PackBufferBytes { get; init; } = 6000;

    /// <summary>Refreshes sent between two looks at the clock, 1 or more.</summary>
    public int RefreshBurstSize { get; init; } = 10;

    /// <summary>Which items of the list are this session's; null for all.</summary>
    internal ItemPartition? Partition { get; init; }

    /// <summary>Which part of the partition is this session's.</summary>
    internal int Part { get; init; }

    internal Packing Packing => new(MaxPackCount, PackBufferBytes);

    /// <summary>Items of this session.</summary>
    internal int ItemCount => Partition?.CountOf(Part) ?? Items.Count;

    /// <summary>Place in the list of one of this session's items.</summary>
    internal int ListIndexOf(int item) => Partition?.ListIndexOf(Part, item) ?? item;
}
