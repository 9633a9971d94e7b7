using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>
/// The scenarios with a distribution hub between provider and consumer: the messages from the hub are balanced like those to it.
/// </summary>
internal static class HubScenarios
{
    private const int GuidePublisherPort = 14003;
    private const int UsualPosts = 1_000;
    private const string SessionThreads = "-sessionThreads";
    private const string SourceThreads = "-sourceThreads";

    /// <summary><c>perftools run hub-direct</c></summary>
    public static Scenario Direct { get; } = new()
    {
        Name = MeasuredPaths.HubDirect.Scenario,
        Summary = "ProvPerf, HubPerf and ConsPerf: images, then updates, from provider to consumer through a hub",
        Title = "Provider to consumer, through a hub",
        Load = MarketPriceRoles.DescribeItems,
        RateUnit = "upd/s",
        Roles = [MarketPriceRoles.CreateProvider(MarketPriceRoles.HubService) with { IsRepeatable = true },
            CreateHub([RoleNames.Provider], AddUpstream), CreateConsumer() with { Source = RoleNames.Provider }],
        Links = MarketPriceLinks.ThroughHub,
        Figures = Figures with { Measured = MeasuredPaths.HubDirect, ConnectedBy = RoleNames.Hub },
        OwnOptions = [ScenarioRows.AddItems, ScenarioRows.AddUpdateRates, ScenarioRows.AddRateSchedule, ScenarioRows.AddPacking,
            ScenarioRows.AddConversations],
        OwnInputs = [ScenarioRows.Items, .. ScenarioRows.Conversations],
    };

    /// <summary><c>perftools run ni-hub</c></summary>
    public static Scenario NonInteractive { get; } = new()
    {
        Name = MeasuredPaths.Published.Scenario,
        Summary = "NIProvPerf, HubPerf and ConsPerf: images, then updates, published to a hub",
        Title = "Publisher to consumer, through a hub",
        Load = MarketPriceRoles.DescribeItems,
        RateUnit = "upd/s",
        Roles = [CreateHub([], AddPublisherPort), MarketPriceRoles.CreatePublisher(FindPublisherFace),
            CreateConsumer() with { StartsWhen = HasImages }],
        Links = MarketPriceLinks.Published,
        Figures = Figures with { Measured = MeasuredPaths.Published, ConnectedBy = RoleNames.Publisher },
        OwnOptions = [ScenarioRows.AddItems, ScenarioRows.AddUpdateRates, ScenarioRows.AddRateSchedule, ScenarioRows.AddPacking, AddPublishing],
        OwnInputs = [ScenarioRows.Items, ("preload", o => o.Preloads)],
    };

    /// <summary><c>perftools run posting</c></summary>
    public static Scenario Posting { get; } = new()
    {
        Name = MeasuredPaths.Posting.Scenario,
        Summary = "NIProvPerf, HubPerf and ConsPerf: the hub returns the consumer's posts, with or without published updates",
        Title = "Posts through a hub",
        Load = o => string.Create(CultureInfo.InvariantCulture, $"{o.Items:N0} items, {o.Posting:N0} posts/s"),
        RateUnit = "upd/s",
        Defaults = new() { Posting = UsualPosts },
        Roles =
        [
            CreateHub([], AddPosting),
            MarketPriceRoles.CreatePublisher(FindPublisherFace) with { IsLeftOut = o => o.NoProvider },
            CreateConsumer() with { StartsWhen = HasImages },
        ],
        Links = MarketPriceLinks.Posted,
        Figures = Figures with
        {
            Measured = MeasuredPaths.Posting,
            ConnectedBy = RoleNames.Publisher,
            Latency = "overall.postLatency",
        },
        FindSamples = o => ("--posting", ScenarioOptions.UsualLatencyRate(o.Posting, o.ConsumerTickRate)),
        OwnOptions =
        [
            ScenarioRows.AddItems, ScenarioRows.AddPosting, ScenarioRows.AddUpdateRates, ScenarioRows.AddRateSchedule, ScenarioRows.AddPacking, AddPublishing,
            AddAbsence,
        ],
        OwnInputs = [ScenarioRows.Items, ScenarioRows.Posting, ("preload", o => o.Preloads), ("noProvider", o => o.NoProvider)],
    };

    private static FigurePaths Figures => MarketPriceRoles.Figures with
    {
        Copies = MarketPriceLinks.Copies,
        ReturningCopies = MarketPriceLinks.PostCopies,
    };

    private static void AddPublishing(OptionTable<ScenarioOptions> table)
    {
        OptionRows<ScenarioOptions, PublishingLoad> rows = PartOf(table);
        rows.Switch("-preload", "start the consumer when the hub has the image of every item", o => o.Preloads,
            (o, v) => o with { Preloads = v });
        rows.Number("-ni-port", "port", "where an external hub listens for publishers", o => o.PublisherPort ?? GuidePublisherPort,
            (o, v) => o with { PublisherPort = v }).Within(1, ushort.MaxValue);
    }

    private static OptionRows<ScenarioOptions, PublishingLoad> PartOf(OptionTable<ScenarioOptions> table) =>
        table.Part(o => o.Publishing, (o, v) => o with { Publishing = v });

    private static void AddAbsence(OptionTable<ScenarioOptions> table)
    {
        OptionRows<ScenarioOptions, PublishingLoad> rows = PartOf(table);
        rows.Switch("-no-updates", "the publisher sends images and no updates", o => o.NoUpdates, (o, v) => o with { NoUpdates = v });
        rows.Switch("-no-provider", "no publisher: the hub offers every item, empty until the first post",
            o => o.NoProvider, (o, v) => o with { NoProvider = v });
    }

    private static Role CreateConsumer() => MarketPriceRoles.CreateConsumer(RoleNames.Hub, MarketPriceRoles.HubService);

    // Our publisher connects within the time that a consumer waits for images; other programs may start slowly. The images in an external
    // hub are unknown.
    private static bool HasImages(ScenarioOptions options, Func<string, JsonView> latest)
    {
        bool waits = RepeatedRoles.NamesOf(RoleNames.Publisher, options).Any(options.Editions.HasAnywhere)
            && !options.NoProvider && !options.External.ContainsKey(RoleNames.Hub);
        int needed = options.Preloads ? options.Items : waits ? 1 : 0;
        return needed == 0 || latest(RoleNames.Hub).Part("overall").Part("gauges").Count("items") >= needed;
    }

    private static RoleArguments AddUpstream(RoleArguments arguments, RoleContext context) => arguments
        .Set("-p", 0)
        .Set("-niPort", 0)
        .Set("-upstream", string.Join(';', RepeatedRoles.NamesOf(RoleNames.Provider, context.Options).Select(name => context.Addresses[name])))
        .SetKind("-upstreamConnType", context.Options.Connection);

    // One port for both roles, so that one address locates both.
    private static RoleArguments AddPublisherPort(RoleArguments arguments, RoleContext context)
    {
        int port = FreePort.Find();
        return arguments.Set("-p", port).Set("-niPort", port);
    }

    private static RoleArguments AddPosting(RoleArguments arguments, RoleContext context) => context.Options.NoProvider
        ? arguments.Set("-p", 0).Set("-niPort", 0).Set("-service", MarketPriceRoles.HubService + ",1")
            : AddPublisherPort(arguments, context);

    private static Role CreateHub(IReadOnlyList<string> connectsTo, Func<RoleArguments, RoleContext, RoleArguments> tell) => new()
    {
        Name = RoleNames.Hub,
        Tool = "HubPerf",
        ReportStem = "Hub",
        ReadyLine = Role.ListeningLine,
        ConnectsTo = connectsTo,
        ConnectsToAll = true,
        Ending = RoleEnding.OnRequest,
        ShortOption = "-hub",
        CountWorkers = o => CountSessions(o) + CountSources(o),
        AddArguments = (arguments, context) => SetWorkers(tell(arguments, context), context)
            .Set("-maxPackCount", context.Options.Pack)
            .SetRoundTrips(context.Options)
            .Set("-runTime", context.RunTimeSeconds),
    };

    private static RoleArguments SetWorkers(RoleArguments arguments, RoleContext context)
    {
        if (context.Processors is [])
            return arguments;
        (int sessions, int sources) = (CountSessions(context.Options), CountSources(context.Options));
        arguments.Set(SessionThreads, sessions).Set(SourceThreads, sources)
            .Set("-bindSession", WorkerBinding.List(context.Processors.Take(sessions)));
        return sources == 0 ? arguments : arguments.Set("-bindSource", WorkerBinding.List(context.Processors.Skip(sessions)));
    }

    private static int CountSessions(ScenarioOptions options) =>
        RoleArgumentRules.RateOf(options.ArgumentsOf(RoleNames.Hub), SessionThreads, HubThreadCounts.Sessions(Environment.ProcessorCount));

    private static int CountSources(ScenarioOptions options) =>
        RoleArgumentRules.RateOf(options.ArgumentsOf(RoleNames.Hub), SourceThreads, HubThreadCounts.Sources(Environment.ProcessorCount));

    private static HostAddress FindPublisherFace(RoleContext context) =>
        context.Options.External.TryGetValue(RoleNames.Hub, out HostAddress? external)
        ? external with { Port = context.Options.Publishing.PublisherPort ?? GuidePublisherPort } : context.Addresses[RoleNames.Hub];
}
