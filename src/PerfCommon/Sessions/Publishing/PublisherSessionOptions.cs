using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Service, items and settings of a publisher's session. Immutable; vary it with <c>with</c>.</summary>
public sealed record PublisherSessionOptions
{
    /// <summary>User and program of the login; null for the user of this process. Its role should be <see cref="LoginRole.Provider"/>.</summary>
    public LoginIdentity? Identity { get; init; }

    /// <summary>The announced service.</summary>
    public required ServiceOffer Service { get; init; }

    /// <summary>The items, published in this order.</summary>
    public required ItemList Items { get; init; }

    /// <summary>Maximum messages in one buffer; 1 does not pack.</summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Bytes of a packed buffer.</summary>
    public int PackBufferBytes { get; init; } = 6000;

    /// <summary>Refreshes sent between two readings of the clock, 1 or more.</summary>
    public int RefreshBurstSize { get; init; } = 10;

    /// <summary>The partition that assigns items of the list to this session; null for all items.</summary>
    public ItemPartition? Partition { get; init; }

    /// <summary>Index of this session's part of the partition.</summary>
    public int Part { get; init; }

    internal Packing Packing => new(MaxPackCount, PackBufferBytes);

    /// <summary>Number of items of this session.</summary>
    internal int ItemCount => Partition?.CountOf(Part) ?? Items.Count;

    /// <summary>Returns the index in the list of one of this session's items.</summary>
    internal int ListIndexOf(int item) => Partition?.ListIndexOf(Part, item) ?? item;
}
