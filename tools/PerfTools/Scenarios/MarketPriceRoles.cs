using System.Globalization;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>Creates the roles that provide and consume market prices, with or without a hub between them.</summary>
internal static class MarketPriceRoles
{
    /// <summary>The service of the guide's scenarios through a distribution system.</summary>
    public const string HubService = "TEST_FEED";

    private const string PostingRate = "-postingRate";

    /// <param name="service">Its service; null for the program's default.</param>
    public static Role CreateProvider(string? service = null) => new()
    {
        Name = RoleNames.Provider,
        Tool = "ProvPerf",
        ReportStem = "Prov",
        ReadyLine = Role.ListeningLine,
        Ending = RoleEnding.OnRequest,
        ShortOption = "-prov",
        AddArguments = (arguments, context) => arguments.Set("-p", 0).SetService(ServiceOf(service, context.Share?.Number)).SetSource(context)
            .SetGeneric(context.Options, context.Options.SourceTickRate).SetRoundTrips(context.Options)
            .SetWorkers(context, context.Options.Threads),
    };

    /// <summary>Creates a non-interactive provider, connected to a hub.</summary>
    /// <param name="findPeer">Finds the address on which the hub listens for it.</param>
    public static Role CreatePublisher(Func<RoleContext, HostAddress> findPeer) => new()
    {
        Name = RoleNames.Publisher,
        Tool = "NIProvPerf",
        ReportStem = "NIProv",
        ConnectsTo = [RoleNames.Hub],
        Ending = RoleEnding.OnRequest,
        IsRepeatable = true,
        ShortOption = "-niprov",
        AddArguments = (arguments, context) => arguments
            .SetPeer(findPeer(context))
            .Set("-itemCount", context.Options.Items)
            .SetPart(context.Share)
            .SetService(HubService)
            .SetSource(context)
            .SetWorkers(context, context.Options.Threads),
    };

    /// <param name="server">The role from which it requests items.</param>
    /// <param name="service">Its service; null for the program's default.</param>
    public static Role CreateConsumer(string server, string? service = null) => new()
    {
        Name = RoleNames.Consumer,
        Tool = "ConsPerf",
        ReportStem = "Cons",
        ConnectsTo = [server],
        Ending = RoleEnding.ByItself,
        CorrectsClock = true,
        IsRepeatable = true,
        ShortOption = "-cons",
        AddArguments = (arguments, context) => arguments
            .SetPeer(context.Addresses[server])
            .SetService(ServiceOf(service, context.SourceNumber))
            .Set("-itemCount", context.Options.Items)
            .Set("-steadyStateTime", context.Options.Seconds)
            .SetTickRate(context.Options.ConsumerTickRate)
            .SetRates(PostingRate, "-postingLatencyRate", context.Options.Posting, context.Options.ConsumerTickRate)
            .SetClock(context)
            .SetGeneric(context.Options, context.Options.ConsumerTickRate, isStamped: context.Ranks?.PeerClock is null).SetRoundTrips(context.Options)
            .SetWorkers(context, context.Options.Threads),
    };

    /// <summary>Makes a role measure round trips, or answer them.</summary>
    public static RoleArguments SetRoundTrips(this RoleArguments arguments, ScenarioOptions options) =>
        options.RoundTrips ? arguments.Switch("-rtt") : arguments;

    /// <summary>The paths of the figures: those of the updates at the consumer, to which posts return as updates.</summary>
    public static FigurePaths Figures { get; } = new()
    {
        Measured = MeasuredPaths.Direct,
        Rate = "overall.steady.updateRate",
        Seconds = "overall.steady.seconds",
        Latency = "overall.steady.latency",
        Images = "imageRetrieval",
        RateOption = "-updateRate",
        ReturningOption = PostingRate,
        Returning = ["counts.postsSent", "counts.postsNotSent"],
        PackOption = "-maxPackCount",
        SilencingOption = "-snapshot",
    };

    /// <summary>Describes the items, in the headline.</summary>
    public static string DescribeItems(ScenarioOptions options) => string.Create(CultureInfo.InvariantCulture, $"{options.Items:N0} items");

    // A hub has each service from one provider.
    private static string? ServiceOf(string? service, int? number) => service is null || number is null ? service
        : string.Create(CultureInfo.InvariantCulture, $"{service}_{number}");

    // The items of one service are divided among several publishers.
    private static RoleArguments SetPart(this RoleArguments arguments, (int Number, int Count)? share) => share is { } part
        ? arguments.Set("-part", string.Create(CultureInfo.InvariantCulture, $"{part.Number}/{part.Count}")) : arguments;

    private static RoleArguments SetService(this RoleArguments arguments, string? service) =>
        service is null ? arguments : arguments.Set("-serviceName", service);

    // The arguments of the role that sends updates.
    private static RoleArguments SetSource(this RoleArguments arguments, RoleContext context) => arguments
        .SetRate("-updateRate", context.Options)
        .Set("-latencyUpdateRate", context.Options.EffectiveLatencyRate)
        .SetStamp(context.Options)
        .SetTickRate(context.Options.SourceTickRate)
        .Set("-maxPackCount", context.Options.Pack)
        .Set("-runTime", context.RunTimeSeconds);

    // The provider cannot correct the stamps of another clock.
    private static RoleArguments SetGeneric(this RoleArguments arguments, ScenarioOptions options, int tickRate, bool isStamped = true) =>
        isStamped || options.Generic == 0
        ? arguments.SetRates("-genericMsgRate", "-genericMsgLatencyRate", options.Generic, tickRate)
        : arguments.Set("-genericMsgRate", options.Generic).Set("-genericMsgLatencyRate", 0);

    private static RoleArguments SetRates(this RoleArguments arguments, string option, string latencyOption, int rate, int tickRate) =>
        rate == 0
        ? arguments : arguments.Set(option, rate).Set(latencyOption, ScenarioOptions.UsualLatencyRate(rate, tickRate));
}
