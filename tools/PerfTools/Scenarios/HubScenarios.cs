using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>A distribution hub between who provides and who consumes: what the hub passes on is accounted for like what goes to it and comes from it.</summary>
internal static class HubScenarios
{
    private const string Provider = "provider";
    private const string Publisher = "publisher";
    private const string Hub = "hub";
    private const string Consumer = "consumer";
    private const string ServiceName = "TEST_FEED"; // the guide's
    private const int GuidePublisherPort = 14003;

    private static readonly IReadOnlyList<string> UpdatesSent = ["overall.counts.updatesSent"];
    private static readonly IReadOnlyList<string> UpdatesReceived = ["overall.counts.updatesReceived"];
    private static readonly IReadOnlyList<string> UpdatesNotSent = ["overall.counts.updatesNotSent"];
    private static readonly IReadOnlyList<string> UpdatesStopped = ["overall.counts.updatesStopped"];
    private static readonly IReadOnlyList<string> ImagesSent = ["overall.counts.imagesSent"];
    private static readonly IReadOnlyList<string> ImagesReceived = ["overall.counts.imagesReceived"];
    private static readonly IReadOnlyList<string> ImagesNotSent = ["overall.counts.imagesNotSent"];
    private static readonly IReadOnlyList<string> RequestsReceived = ["overall.counts.requestsReceived"];

    /// <summary><c>perftools run hub-direct</c></summary>
    public static Scenario Direct { get; } = new()
    {
        Name = "hub-direct",
        Summary = "ProvPerf, HubPerf and ConsPerf: images, then updates, from provider to consumer through a hub",
        Title = "Provider to consumer, through a hub",
        Load = DescribeItems,
        RateUnit = "upd/s",
        Roles = [CreateProvider(), CreateHub([Provider], TellUpstream), CreateConsumer([Hub])],
        Links =
        [
            CreateSourceLink(Provider),
            .. CreateHubLinks(),
            new(Hub, Provider, "requests") { Sent = ["overall.counts.requestsSent"], Received = RequestsReceived },
            new(Provider, Hub, "refreshes") { Sent = ImagesSent, Received = ImagesReceived, NotSent = ImagesNotSent },
        ],
        Figures = CreateFigures(Hub),
        OwnOptions = [ScenarioRows.AddItems, AddRates, ScenarioRows.AddPacking],
        OwnInputs = [("items", o => o.Items)],
    };

    /// <summary><c>perftools run ni-hub</c></summary>
    public static Scenario NonInteractive { get; } = new()
    {
        Name = "ni-hub",
        Summary = "NIProvPerf, HubPerf and ConsPerf: images, then updates, published to a hub",
        Title = "Publisher to consumer, through a hub",
        Load = DescribeItems,
        RateUnit = "upd/s",
        Roles = [CreateHub([], TellPublisherPort), CreatePublisher(), CreateConsumer([Hub, Publisher]) with { StartsWhen = IsCacheFull }],
        Links =
        [
            CreateSourceLink(Publisher),
            .. CreateHubLinks(),
            new(Publisher, Hub, "refreshes") { Sent = ImagesSent, Received = ImagesReceived, NotSent = ImagesNotSent },
        ],
        Figures = CreateFigures(Publisher),
        OwnOptions = [ScenarioRows.AddItems, AddRates, ScenarioRows.AddPacking, AddPublishing],
        OwnInputs = [("items", o => o.Items), ("preload", o => o.Preloads)],
    };

    private static string DescribeItems(ScenarioOptions options) => string.Create(CultureInfo.InvariantCulture, $"{options.Items:N0} items");

    private static void AddRates(OptionTable<ScenarioOptions> table) => ScenarioRows.AddRates(table, "updates");

    private static void AddPublishing(OptionTable<ScenarioOptions> table)
    {
        table.Switch("-preload", "start the consumer when the hub has the image of every item", o => o.Preloads, (o, v) => o with { Preloads = v });
        table.Number("-ni-port", "port", "where an external hub listens for publishers", o => o.PublisherPort ?? GuidePublisherPort,
            (o, v) => o with { PublisherPort = v }).Within(1, ushort.MaxValue);
    }

    // An external hub tells nobody what it has.
    private static bool IsCacheFull(ScenarioOptions options, Func<string, JsonView> latest) =>
        !options.Preloads || latest(Hub).Part("overall").Part("gauges").Count("items") >= options.Items;

    private static RoleArguments TellUpstream(RoleArguments arguments, RoleContext context) => arguments
        .Set("-p", 0)
        .Set("-niPort", 0)
        .Set("-upstream", context.Addresses[Provider].ToString())
        .SetKind("-upstreamConnType", context.Options.Connection);

    // One port for both faces, so that one address tells where both are.
    private static RoleArguments TellPublisherPort(RoleArguments arguments, RoleContext context)
    {
        int port = FreePort.Find();
        return arguments.Set("-p", port).Set("-niPort", port);
    }

    private static Role CreateProvider() => new()
    {
        Name = Provider,
        Tool = "ProvPerf",
        ReportStem = "Prov",
        ReadyLine = Role.ListeningLine,
        Ending = RoleEnding.WhenTold,
        ShortOption = "-prov",
        Tell = (arguments, context) => arguments.Set("-p", 0).SetSource(context),
    };

    private static Role CreatePublisher() => new()
    {
        Name = Publisher,
        Tool = "NIProvPerf",
        ReportStem = "NIProv",
        ConnectsTo = [Hub],
        Ending = RoleEnding.WhenTold,
        ShortOption = "-niprov",
        Tell = (arguments, context) => arguments
            .SetPeer(FindPublisherFace(context))
            .Set("-itemCount", context.Options.Items)
            .SetSource(context),
    };

    private static Role CreateHub(IReadOnlyList<string> connectsTo, Func<RoleArguments, RoleContext, RoleArguments> tell) => new()
    {
        Name = Hub,
        Tool = "HubPerf",
        ReportStem = "Hub",
        ReadyLine = Role.ListeningLine,
        ConnectsTo = connectsTo,
        Ending = RoleEnding.WhenTold,
        ShortOption = "-hub",
        Tell = (arguments, context) => tell(arguments, context)
            .Set("-maxPackCount", context.Options.Pack)
            .Set("-runTime", context.RunTimeSeconds),
    };

    private static Role CreateConsumer(IReadOnlyList<string> connectsTo) => new()
    {
        Name = Consumer,
        Tool = "ConsPerf",
        ReportStem = "Cons",
        ConnectsTo = connectsTo,
        Ending = RoleEnding.ByItself,
        ShortOption = "-cons",
        Tell = (arguments, context) => arguments
            .SetPeer(context.Addresses[Hub])
            .Set("-serviceName", ServiceName)
            .Set("-itemCount", context.Options.Items)
            .Set("-steadyStateTime", context.Options.Seconds),
    };

    private static RoleArguments SetSource(this RoleArguments arguments, RoleContext context) => arguments
        .Set("-serviceName", ServiceName)
        .Set("-updateRate", context.Options.Rate)
        .Set("-latencyUpdateRate", context.Options.EffectiveLatencyRate.ToString())
        .SetStamp(context.Options)
        .SetTickRate(context.Options.Rate)
        .Set("-maxPackCount", context.Options.Pack)
        .Set("-runTime", context.RunTimeSeconds);

    private static HostAddress FindPublisherFace(RoleContext context) => context.Options.External.TryGetValue(Hub, out HostAddress? external)
        ? external with { Port = context.Options.PublisherPort ?? GuidePublisherPort } : context.Addresses[Hub];

    private static Link CreateSourceLink(string source) =>
        new(source, Hub, "updates") { Sent = UpdatesSent, Received = UpdatesReceived, NotSent = UpdatesNotSent, Stopped = UpdatesStopped };

    private static IEnumerable<Link> CreateHubLinks() =>
    [
        new(Hub, Hub, "passed on")
        {
            Sent = UpdatesReceived,
            Received = UpdatesSent,
            Lost = ["overall.counts.updatesUnwatched", "overall.counts.updatesConflated", "overall.counts.updatesDropped", .. UpdatesNotSent],
        },
        new(Hub, Consumer, "updates") { Sent = UpdatesSent, Received = UpdatesReceived, Lost = ["overall.counts.messagesDropped"] },
        new(Consumer, Hub, "requests") { Sent = ["overall.counts.requestsSent", "overall.counts.primingRequestsSent"], Received = RequestsReceived },
        new(Hub, Consumer, "refreshes")
        {
            Sent = ImagesSent,
            Received = ["overall.counts.refreshesReceived", "overall.counts.primingRefreshesReceived"],
            NotSent = ImagesNotSent,
        },
    ];

    private static FigurePaths CreateFigures(string connectedBy) => new()
    {
        MeasuredBy = [Consumer],
        ConnectedBy = connectedBy,
        Rate = "overall.steady.updateRate",
        Seconds = "overall.steady.seconds",
        Latency = "overall.steady.latency",
        IntervalRate = "overall.updateRate",
        IntervalLatency = "overall.updateLatency",
        Images = "imageRetrieval",
        RateOption = "-updateRate",
        PackOption = "-maxPackCount",
        SilencingOption = "-snapshot",
    };
}
