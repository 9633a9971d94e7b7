using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>Requests and settings of a consumer's session. Immutable; vary it with <c>with</c>.</summary>
public sealed record ConsumerSessionOptions
{
    /// <summary>User and program of the login; null for the user of this process.</summary>
    public LoginIdentity? Identity { get; init; }

    /// <summary>
    /// The posting user; the provider returns it with the reflected post. Default: this process at the loopback address.
    /// </summary>
    public PostUser Poster { get; init; } = new(PostUser.Loopback, (uint)Environment.ProcessId);

    /// <summary>The service whose items are requested.</summary>
    public required string ServiceName { get; init; }

    /// <summary>The items, requested in this order; none where all of them are subscribed to later.</summary>
    public ItemList Items { get; init; } = ItemList.Create([]);

    /// <summary>Item requests per second, spread over the worker's ticks.</summary>
    public int RequestRate { get; init; } = 500_000;

    /// <summary>
    /// The requested fields of each item; null for all. A provider without views ignores it, and one with views may send other fields as well.
    /// </summary>
    public FieldView? View { get; init; }

    /// <summary>True requests refreshes only.</summary>
    public bool Snapshot { get; init; }

    /// <summary>
    /// True requests the refresh of every item once before, on separate streams: both sides have executed all of the code once when the items are
    /// requested.
    /// </summary>
    public bool Prime { get; init; }

    /// <summary>The dictionary; null downloads it from the provider.</summary>
    public FieldDictionary? Dictionary { get; init; }

    /// <summary>Parts of the dictionary that <see cref="Dictionary"/> lacks and that are downloaded.</summary>
    internal DictionaryContents MissingOfDictionary { get; init; }

    /// <summary>The dictionary for a provider that refuses the download or does not answer for 5 s; null for our own.</summary>
    public FieldDictionary? FallbackDictionary { get; init; }

    /// <summary>The streams of a watchlist; null where each item has one permanent stream, determined by its number.</summary>
    internal WatchedItems? Watched { get; init; }

    /// <summary>The message by which the provider is notified that it is the standby; the handler knows whether it is.</summary>
    internal StandbyMode Standby { get; init; }

    /// <summary>The partition that assigns items of the list to this session; null for all items.</summary>
    public ItemPartition? Partition { get; init; }

    /// <summary>Index of this session's part of the partition.</summary>
    public int Part { get; init; }

    /// <summary>The items of this session at even distances, in place of a partition; null for none.</summary>
    public ItemStride? Stride { get; init; }

    /// <summary>
    /// True for one of thousands of sessions on a worker: once its items are requested it gets a turn only when bytes arrive.
    /// </summary>
    public bool IsOneOfMany { get; init; }

    /// <summary>
    /// True requests all items in one batch, if the provider accepts batches and the names fit, else one by one. Not with a
    /// watchlist; for items of one kind, market prices.
    /// </summary>
    public bool AsksTogether { get; init; }

    /// <summary>Items of this session.</summary>
    internal int ItemCount => Stride?.Count ?? Partition?.CountOf(Part) ?? Items.Count;

    /// <summary>Returns the index in the list of one of this session's items.</summary>
    internal int ListIndexOf(int item) => Stride?.ListIndexOf(item) ?? Partition?.ListIndexOf(Part, item) ?? item;

    /// <summary>
    /// Returns these options with a watchlist, to which the items of their list are subscribed from the beginning, each with a handle; an item
    /// listed twice is subscribed once.
    /// </summary>
    /// <param name="firstRetryNanos">The first wait of an item that is refused.</param>
    /// <param name="maxRetryNanos">The longest wait.</param>
    internal ConsumerSessionOptions WithWatchlist(
        long firstRetryNanos = WatchedItems.UsualFirstRetryNanos, long maxRetryNanos = WatchedItems.UsualMaxRetryNanos)
    {
        WatchedItems watched = new(0, firstRetryNanos, maxRetryNanos);
        for (int handle = 0; handle < ItemCount; handle++)
        {
            int index = ListIndexOf(handle);
            watched.Handles.Add(Items.NameOf(index), Items.FlagsOf(index), out int item);
            watched.Handles.SetView(item, View);
            if (item == handle)
                watched.Watch(item);
        }

        return this with { Watched = watched };
    }

    /// <summary>True for an item whose updates are requested.</summary>
    internal bool Streams(ItemFlags flags) => !Snapshot && (flags & ItemFlags.Snapshot) == 0;
}

/// <summary>The way in which a consumer switches between the two servers of a warm standby pair.</summary>
public enum StandbyMode : byte
{
    /// <summary>There is one server.</summary>
    None,

    /// <summary>With the connection: the login stream notifies each server of its role.</summary>
    Login,

    /// <summary>With the service, too: the directory stream notifies it.</summary>
    Service,
}
