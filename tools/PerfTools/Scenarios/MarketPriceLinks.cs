using PerfTools.Results.Documents;

namespace PerfTools.Scenarios;

/// <summary>The links between provider, hub and consumer, one for each kind of message and pair of roles.</summary>
internal static class MarketPriceLinks
{
    private const string Updates = "updates";
    private const string Requests = "requests";
    private const string Refreshes = "refreshes";
    private const string Posts = "posts";
    private const string Generic = "generic msgs";

    // The counters of each role for its messages. A post that is sent back arrives as an update and is counted as one.
    private static readonly IReadOnlyList<string> UpdatesSent = Counts("updatesSent");
    private static readonly IReadOnlyList<string> UpdatesAndPostsSent = Counts("updatesSent", "postsReflected");
    private static readonly IReadOnlyList<string> UpdatesReceived = Counts("updatesReceived");
    private static readonly IReadOnlyList<string> UpdatesCopied = Counts("updatesCopied");
    private static readonly IReadOnlyList<string> UpdatesUnwatched = Counts("updatesUnwatched");
    private static readonly IReadOnlyList<string> UpdatesNotSent = Counts("updatesNotSent");
    private static readonly IReadOnlyList<string> ImagesSent = Counts("imagesSent");
    private static readonly IReadOnlyList<string> ImagesReceived = Counts("imagesReceived");
    private static readonly IReadOnlyList<string> ImagesNotSent = Counts("imagesNotSent");
    private static readonly IReadOnlyList<string> RequestsReceived = Counts("requestsReceived");
    private static readonly IReadOnlyList<string> PostsSent = Counts("postsSent");
    private static readonly IReadOnlyList<string> PostsReceived = Counts("postsReceived");
    private static readonly IReadOnlyList<string> PostsCopied = Counts("postsCopied");
    private static readonly IReadOnlyList<string> PostsNotSent = Counts("postsNotSent");
    private static readonly IReadOnlyList<string> GenericSent = Counts("genericSent");
    private static readonly IReadOnlyList<string> GenericReceived = Counts("genericReceived");
    private static readonly IReadOnlyList<string> GenericNotSent = Counts("genericNotSent");

    /// <summary>The counters of the updates that a hub forwards to each watcher of the item.</summary>
    public static CopyCounters Copies { get; } = new(RoleNames.Hub, UpdatesReceived, UpdatesUnwatched, UpdatesCopied)
    {
        LateCopies = Counts("copiesUnwatched"),
    };

    /// <summary>The counters of the posts that a hub sends back.</summary>
    public static CopyCounters PostCopies { get; } = new(RoleNames.Hub, PostsReceived, [], PostsCopied);

    /// <summary>The links of a provider and its consumer.</summary>
    public static IReadOnlyList<Link> Direct { get; } =
    [
        CreateUpdates(RoleNames.Provider, RoleNames.Consumer, UpdatesAndPostsSent, Counts("messagesDropped")),
        CreateRequests(RoleNames.Provider),
        CreateRefreshes(RoleNames.Provider),
        CreatePosts(RoleNames.Provider),
        CreateGeneric(RoleNames.Consumer, RoleNames.Provider, GenericSent, GenericReceived) with { NotSent = GenericNotSent },
        CreateGeneric(RoleNames.Provider, RoleNames.Consumer, GenericSent, GenericReceived) with { NotSent = GenericNotSent },
    ];

    /// <summary>The links of an interactive provider, a hub and its consumer.</summary>
    public static IReadOnlyList<Link> ThroughHub { get; } =
    [
        CreateUpdates(RoleNames.Provider, RoleNames.Hub, UpdatesAndPostsSent, []),
        .. CreateHubLinks(),
        new(RoleNames.Hub, RoleNames.Provider, Requests) { IsOnce = true, Sent = Counts("requestsSent"), Received = RequestsReceived },
        new(RoleNames.Provider, RoleNames.Hub, Refreshes) { IsOnce = true, Sent = ImagesSent, Received = ImagesReceived, NotSent = ImagesNotSent },
        .. CreateHubPosts(),
        new(RoleNames.Hub, RoleNames.Provider, Posts) { Sent = PostsSent, Received = PostsReceived, IsOptional = true },
        CreateGeneric(RoleNames.Consumer, RoleNames.Hub, GenericSent, Counts("consumerGenericReceived")) with { NotSent = GenericNotSent },
        CreateGeneric(RoleNames.Provider, RoleNames.Hub, GenericSent, Counts("sourceGenericReceived")) with { NotSent = GenericNotSent },
        new(RoleNames.Hub, RoleNames.Hub, "generic msgs passed on")
        {
            Sent = Counts("genericReceived", "genericCopied"),
            Received = GenericSent,
            Lost = GenericNotSent,
            IsOptional = true,
        },
        CreateGeneric(RoleNames.Hub, RoleNames.Provider, Counts("sourceGenericSent"), GenericReceived),
        CreateGeneric(RoleNames.Hub, RoleNames.Consumer, Counts("consumerGenericSent"), GenericReceived),
    ];

    /// <summary>The links of a non-interactive provider, a hub and its consumer; posts return from the hub.</summary>
    public static IReadOnlyList<Link> Published { get; } = [PublisherUpdates, .. CreateHubLinks(), PublisherRefreshes, .. CreateHubPosts()];

    /// <summary>The same with the posts before the optional part: the provider and its updates.</summary>
    public static IReadOnlyList<Link> Posted { get; } =
    [
        PublisherUpdates with { IsOptional = true },
        .. CreateHubPosts().Select(link => link with { IsOptional = false }),
        .. CreateHubLinks().Select(link => link with { IsOptional = link.To == RoleNames.Hub && link.From == RoleNames.Hub }),
        PublisherRefreshes,
    ];

    private static Link PublisherUpdates => CreateUpdates(RoleNames.Publisher, RoleNames.Hub, UpdatesSent, []);

    private static Link PublisherRefreshes =>
        new(RoleNames.Publisher, RoleNames.Hub, Refreshes) { IsOnce = true, Sent = ImagesSent, Received = ImagesReceived, NotSent = ImagesNotSent };

    private static IReadOnlyList<string> Counts(params IEnumerable<string> names) => [.. names.Select(name => "overall.counts." + name)];

    private static Link CreateUpdates(string from, string to, IReadOnlyList<string> sent, IReadOnlyList<string> lost) =>
        new(from, to, Updates)
        {
            Sent = sent,
            Received = UpdatesReceived,
            Lost = lost,
            NotSent = UpdatesNotSent,
            Stopped = Counts("updatesStopped"),
        };

    private static Link CreateRequests(string server) => new(RoleNames.Consumer, server, Requests)
    {
        IsOnce = true,
        Sent = Counts("requestsSent", "primingRequestsSent"),
        Received = RequestsReceived,
    };

    private static Link CreateRefreshes(string server) => new(server, RoleNames.Consumer, Refreshes)
    {
        IsOnce = true,
        Sent = ImagesSent,
        Received = Counts("refreshesReceived", "primingRefreshesReceived"),
        NotSent = ImagesNotSent,
    };

    private static Link CreatePosts(string server) => new(RoleNames.Consumer, server, Posts)
    {
        Sent = PostsSent,
        Received = PostsReceived,
        NotSent = PostsNotSent,
        IsOptional = true,
    };

    private static Link CreateGeneric(string from, string to, IReadOnlyList<string> sent, IReadOnlyList<string> received) =>
        new(from, to, Generic) { Sent = sent, Received = received, IsOptional = true };

    private static IEnumerable<Link> CreateHubLinks() =>
    [
        new(RoleNames.Hub, RoleNames.Hub, "passed on")
        {
            Sent = [.. UpdatesReceived, .. UpdatesCopied],
            Received = UpdatesSent,
            Lost = [.. UpdatesUnwatched, .. Counts("updatesThrottled", "updatesConflated", "updatesDropped"), .. UpdatesNotSent],
            Unwatched = UpdatesUnwatched,
        },
        new(RoleNames.Hub, RoleNames.Consumer, Updates) { Sent = UpdatesAndPostsSent, Received = UpdatesReceived,
            Lost = Counts("messagesDropped") },
        CreateRequests(RoleNames.Hub),
        CreateRefreshes(RoleNames.Hub),
    ];

    private static IEnumerable<Link> CreateHubPosts() =>
    [
        CreatePosts(RoleNames.Hub),
        new(RoleNames.Hub, RoleNames.Hub, "posts passed on")
        {
            Sent = [.. PostsReceived, .. PostsCopied],
            Received = PostsSent,
            Lost = [.. Counts("postsRefused", "postsNotReflected"), .. PostsNotSent],
            Unwatched = Counts("postsUnwatched"),
            IsOptional = true,
        },
    ];
}
