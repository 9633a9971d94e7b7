using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>What a consumer's session asks for. Immutable; vary it with <c>with</c>.</summary>
public sealed record ConsumerSessionOptions
{
    /// <summary>Who logs in; null for the user of this process.</summary>
    public LoginIdentity? Identity { get; init; }

    /// <summary>
    /// Who posts; the provider returns it with the reflected post. This process, at no address in particular, unless set.
    /// </summary>
    public PostUser Poster { get; init; } = new(PostUser.Loopback, (uint)Environment.ProcessId);

    /// <summary>The service whose items are requested.</summary>
    public required string ServiceName { get; init; }

    /// <summary>The items, requested in this order; none where all of them are subscribed to later.</summary>
    public ItemList Items { get; init; } = ItemList.Create([]);

    /// <summary>Item requests per second, spread over the worker's ticks.</summary>
    public int RequestRate { get; init; } = 500_000;

    /// <summary>
    /// The fields that are wanted of each item; null for all, and where the provider offers no views. It may send others as well.
    /// </summary>
    public FieldView? View { get; init; }

    /// <summary>True asks for refreshes only.</summary>
    public bool Snapshot { get; init; }

    /// <summary>
    /// True asks for the refresh of every item once before, on separate streams: both sides have done all of it once when the items are
    /// requested.
    /// </summary>
    public bool Prime { get; init; }

    /// <summary>The dictionary; null downloads it from the provider.</summary>
    public FieldDictionary? Dictionary { get; init; }

    /// <summary>What <see cref="Dictionary"/> leaves out and is downloaded.</summary>
    internal DictionaryContents MissingOfDictionary { get; init; }

    /// <summary>The dictionary for a provider that refuses the download or stays silent for 5 s; null for our own.</summary>
    public FieldDictionary? FallbackDictionary { get; init; }

    /// <summary>The streams of a watchlist; null where each item has one stream, by its number, once and for all.</summary>
    internal WatchedItems? Watched { get; init; }

    /// <summary>By what the provider is told whether it stands by for another one; the handler knows whether it does.</summary>
    internal StandbyMode Standby { get; init; }

    /// <summary>Which items of the list are this session's; null for all.</summary>
    internal ItemPartition? Partition { get; init; }

    /// <summary>Which part of the partition is this session's.</summary>
    internal int Part { get; init; }

    /// <summary>The items at even distances that are this session's, in place of a partition; null for none.</summary>
    internal ItemStride? Stride { get; init; }

    /// <summary>
    /// True for one of thousands of sessions on a worker: with its items asked for it gets a turn only when something comes.
    /// </summary>
    internal bool IsOneOfMany { get; init; }

    /// <summary>
    /// True asks for all items by one request (a batch) where the provider takes that and the names fit it, else one by one. Not with a
    /// watchlist; for items of one kind, market prices.
    /// </summary>
    internal bool AsksTogether { get; init; }

    /// <summary>Items of this session.</summary>
    internal int ItemCount => Stride?.Count ?? Partition?.CountOf(Part) ?? Items.Count;

    /// <summary>Place in the list of one of this session's items.</summary>
    internal int ListIndexOf(int item) => Stride?.ListIndexOf(item) ?? Partition?.ListIndexOf(Part, item) ?? item;

    /// <summary>True for an item whose updates are asked for.</summary>
    internal bool Streams(ItemFlags flags) => !Snapshot && (flags & ItemFlags.Snapshot) == 0;
}

/// <summary>How a consumer switches between the two servers of a warm standby pair.</summary>
internal enum StandbyMode : byte
{
    /// <summary>There is one server.</summary>
    None,

    /// <summary>With the connection: the login tells each server its part.</summary>
    Login,

    /// <summary>With the service, too: the directory tells it.</summary>
    Service,
}
