using PerfCommon.Codec;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>
/// What an update needs of an item. Those of all items stand side by side in the order of their slots: updates that come in that order find
/// the next one near.
/// </summary>
internal struct ItemState
{
    /// <summary>No type of any payload: nothing of it is kept field by field.</summary>
    public const DataType Passed = (DataType)byte.MaxValue;

    /// <summary>The last values, where it is no order book.</summary>
    public CachedImage Fields;

    private byte _watchedAt; // a bit for each session thread

    /// <summary>Of what its images and updates consist; <see cref="Passed"/> where they are passed on without a look.</summary>
    public DataType PayloadType { readonly get; init; }

    /// <summary>True while some of its watchers get it in another form; see <see cref="ItemForms"/>.</summary>
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
    public readonly bool IsWatchedAt(int sessionHost) => ((_watchedAt >> sessionHost) & 1) != 0;

    /// <summary>Says whether a stream of a session thread watches it.</summary>
    /// <exception cref="OverflowException">There are more threads than bits.</exception>
    public void SetWatched(int sessionHost, bool isWatched)
    {
        byte bit = checked((byte)(1 << sessionHost));
        _watchedAt = (byte)(isWatched ? _watchedAt | bit : _watchedAt & ~bit);
    }
}

/// <summary>An item of a stream, and where its state stands; its default is none.</summary>
/// <param name="Item">The item.</param>
/// <param name="Slot">Its slot: known without a look at the item.</param>
internal readonly record struct ItemRef(CachedItem? Item, int Slot)
{
    public static ItemRef To(CachedItem item) => new(item, item.Slot);
}
