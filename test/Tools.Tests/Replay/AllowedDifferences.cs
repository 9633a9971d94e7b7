using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>The rules by which our programs may send something else than the recorded ones. Sections are those of domains.md.</summary>
internal static class AllowedDifferences
{
    // 3.2: what every provider lists among its capabilities, dictionary and market price; editions and examples list further domains.
    private static readonly string[] CommonDomains = ["5", "6"];

    // Names of programs, hosts and makers are never compared.
    private static readonly string[] OwnNames = ["ApplicationName", "Position", "Vendor"];

    // 2.2: C announces no batches, and no tool but ours views and standby. 3.2: only C says whether it accepts a consumer's status, only the
    // example and we have a symbol list.
    private static readonly string[] OwnAbilities =
        ["SupportBatchRequests", "SupportViewRequests", "SupportStandby", "AcceptingConsumerStatus", "ItemList"];

    // 4: all the names that any provider knows.
    private static readonly string[] Dictionaries = ["RWFFld", "RWFEnum"];

    /// <summary>16.10: the role of a login that says none, as a reactor's: a consumer.</summary>
    public const string AbsentRole = "0";

    /// <summary>2.1: the role of a non-interactive provider, among the elements of its login.</summary>
    public const string PublisherRole = "Role=1";

    /// <summary>False for an element of a login or directory that each program fills as it is.</summary>
    public static bool IsCompared(string element) => !OwnNames.Contains(element) && !OwnAbilities.Contains(element);

    /// <summary>False for a value that only some programs list.</summary>
    public static bool IsCompared(string element, string value) => element != "Capabilities" || CommonDomains.Contains(value);

    /// <summary>2.1, 5.1: an absent name type means 1, the user's name or the RIC.</summary>
    public static byte NameTypeOf(scoped in MsgKey key) => key.Has(MsgKeyFlags.HasNameType) ? key.NameType : (byte)1;

    /// <summary>False for an answer with a dictionary. 4: some say service 0 whatever was asked.</summary>
    public static bool IsServiceCompared(scoped in RwfMsg msg) =>
        msg.DomainType != DomainType.Dictionary || msg.MsgClass == MsgClass.Request;

    /// <summary>What our consumer says where the recorded one said this.</summary>
    public static Said AsOurConsumer(Said said) => said switch
    {
        { Class: not MsgClass.Request } => said,

        // 4: C and reactors ask for a stream of the dictionary
        { Domain: DomainType.Dictionary } => said with { Flags = said.Flags & ~RequestFlags.Streaming },

        // 3.1: a watchlist asks for all filters
        { Domain: DomainType.Source } => said with { Key = said.Key.Replace("filter 0x3f", "filter 0x7", StringComparison.Ordinal) },

        // 5.1: C asks for a private stream where generic messages are to come, Java's watchlist names a priority
        { Domain: DomainType.MarketPrice } => said with { Flags = said.Flags & ~(RequestFlags.PrivateStream | RequestFlags.HasPriority) },
        _ => said,
    };

    /// <summary>What our non-interactive provider says where the recorded one said this.</summary>
    public static Said AsOurPublisher(Said said) => said.Domain switch
    {
        // 2.1, 16.8: only the bare channels of Java and C# say SingleOpen
        DomainType.Login when !said.Content.Contains("SingleOpen", StringComparison.Ordinal) =>
            said with { Content = said.Content.Replace(PublisherRole, $"{PublisherRole} SingleOpen=0", StringComparison.Ordinal) },

        // 10: C's key has a service id that was never assigned; tools.md 6.1: Java and C announce another name by default
        DomainType.Source => said with
        {
            Key = said.Key.Replace("service 0 ", "", StringComparison.Ordinal),
            Content = said.Content.Replace("Name=DIRECT_FEED", "Name=NI_PUB", StringComparison.Ordinal),
        },

        // 10: C clears the cache with every image
        DomainType.MarketPrice when said.IsImage => said with { Flags = said.Flags & ~RefreshFlags.ClearCache },
        _ => said,
    };

    /// <summary>What our provider says in its answer where the recorded one said this.</summary>
    /// <param name="image">An image.</param>
    /// <param name="isPrivate">True when the request wanted a private stream. 5.2: ours says so in the image, as C does.</param>
    public static Said AsOurProvider(Said image, bool isPrivate) =>
        image with { Flags = image.Flags | (isPrivate ? RefreshFlags.PrivateStream : 0) };

    /// <summary>
    /// What our provider says where the recorded one said this. 3.2: the example's directory has no load, ours has the default open limit
    /// there.
    /// </summary>
    public static Said AsOurDirectory(Said said) =>
        said is { Domain: DomainType.Source, Class: MsgClass.Refresh } && said.Content.Contains("filter 1 ", StringComparison.Ordinal)
            && !said.Content.Contains("filter 4 ", StringComparison.Ordinal)
            ? said with { Content = $"{said.Content} filter 4 Set (OpenLimit=1000000)" } : said;

    /// <summary>
    /// What our provider sends at its own pace where the recorded one said this. 6.2: a reflected update gets no key that was not in the
    /// post.
    /// </summary>
    public static Said AsOurProviderPaces(Said paced) =>
        paced.Class == MsgClass.Update ? paced with { Flags = paced.Flags & ~UpdateFlags.HasMsgKey, Key = "" } : paced;

    /// <summary>
    /// True for what is no part of the transcript: acknowledgements, which are compared by themselves; round trips, which begin when they
    /// like (9); the status with which an example provider ends its directory (3.3).
    /// </summary>
    public static bool IsFree(Said said) =>
        said is { Class: MsgClass.Ack } or { Class: MsgClass.Generic, Domain: DomainType.Login }
            or { Class: MsgClass.Status, Domain: DomainType.Source };

    /// <summary>
    /// False for what only example programs say: they close their items before they end. 1: the tools just end their stream.
    /// </summary>
    public static bool IsOfTools(Said said) => said.Class != MsgClass.Close;

    /// <summary>Our answer to a request that the editions answer differently; null when the recorded answer is ours, too.</summary>
    /// <param name="request">The request.</param>
    /// <param name="open">Item streams open at the provider now.</param>
    public static Said? InsteadOfRecorded(Said request, OpenStreams open)
    {
        if (request.Class != MsgClass.Request || request.Domain is DomainType.Login or DomainType.Source)
            return null;
        if (request.Domain == DomainType.Dictionary)
            return InsteadOfDictionary(request);
        return request switch
        {
            // 5.10, 12: ours has a symbol list, under another name
            { Domain: DomainType.SymbolList } => Said.Closing(request, StreamState.Closed, StateCode.NotFound),

            // 12: any other domain
            { Domain: not DomainType.MarketPrice } => Said.Closing(request, StreamState.Closed, StateCode.UsageError),

            // 5.5, 12: another key on an open stream
            _ when open.HasOtherKey(request) => Said.Closing(request, StreamState.ClosedRecover, StateCode.UsageError),

            // 5.5, 12: the key is open on another stream
            _ when open.HasElsewhere(request) => Said.Closing(request, StreamState.ClosedRecover, StateCode.AlreadyOpen),
            _ => null,
        };
    }

    // 4, 16.11: C says INVALID_ARGUMENT of an unknown dictionary, and says it late
    private static Said? InsteadOfDictionary(Said request) =>
        Dictionaries.Any(name => request.Key.Contains($"name {name} ", StringComparison.Ordinal))
            ? null : Said.Closing(request, StreamState.Closed, StateCode.NotFound);
}
