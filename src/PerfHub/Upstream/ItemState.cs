using PerfCommon.Codec;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>
/// The state of an item that an update needs. The states of all items are stored in the order of their slots: updates that arrive in that order find
/// the next one nearby.
/// </summary>
internal struct ItemState
{
    /// <summary>No payload type: marks an item that is not cached field by field.</summary>
    public const DataType Passed = (DataType)byte.MaxValue;

    /// <summary>The last values, where it is no order book.</summary>
    public CachedImage Fields;

    private byte _watchedAt; // a bit for each session thread

    /// <summary>The payload type of its images and updates; <see cref="Passed"/> where they are passed on unread.</summary>
    public DataType PayloadType { readonly get; init; }

    /// <summary>True while some of its watchers receive it in another form; see <see cref="ItemForms"/>.</summary>
    public bool HasForms { readonly get; set; }

    /// <summary>True once an update of it has waited for others.</summary>
    public bool HasThrottle { readonly get; set; }

    /// <summary>True while a stream watches it, in whatever form.</summary>
    public readonly bool IsWatched => _watchedAt != 0 || HasForms;

    /// <summary>True for an item of market price.</summary>
    public readonly bool IsFieldList => PayloadType == DataType.FieldList;

    /// <summary>True for an item of market by order.</summary>
    public readonly bool IsOrderBook => PayloadType == DataType.Map;

    /// <summary>True while a stream of a session thread watches it.</summary>
    public readonly bool IsWatchedAt(int consumerIndex) => ((_watchedAt >> consumerIndex) & 1) != 0;

    /// <summary>Sets whether a stream of a session thread watches it.</summary>
    /// <exception cref="OverflowException">There are more threads than bits.</exception>
    public void SetWatched(int consumerIndex, bool isWatched)
    {
        byte bit = checked((byte)(1 << consumerIndex));
        _watchedAt = (byte)(isWatched ? _watchedAt | bit : _watchedAt & ~bit);
    }
}

/// <summary>An item of a stream, and the slot of its state; the default is none.</summary>
/// <param name="Item">The item.</param>
/// <param name="Slot">Its slot: known without a read of the item.</param>
internal readonly record struct ItemRef(CachedItem? Item, int Slot)
{
    public static ItemRef To(CachedItem item) => new(item, item.Slot);
}
