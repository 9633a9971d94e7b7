using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>ProvPerf and ConsPerf, connected with each other.</summary>
internal static class DirectScenario
{
    private const string Provider = "provider";
    private const string Consumer = "consumer";
    private const string GenericRate = "-genericMsgRate";
    private const string GenericLatencyRate = "-genericMsgLatencyRate";

    /// <summary><c>perftools run direct</c></summary>
    public static Scenario Direct { get; } = new()
    {
        Name = "direct",
        Summary = "ProvPerf and ConsPerf: images, then updates, from provider to consumer",
        Title = "Provider to consumer, direct",
        Load = o => string.Create(CultureInfo.InvariantCulture, $"{o.Items:N0} items"),
        RateUnit = "upd/s",
        Roles = [CreateProvider(), CreateConsumer()],
        Links =
        [
            // A post that is sent back arrives as an update and is counted as one.
            new(Provider, Consumer, "updates")
            {
                Sent = ["overall.counts.updatesSent", "overall.counts.postsReflected"],
                Received = ["overall.counts.updatesReceived"],
                Lost = ["overall.counts.messagesDropped"],
                NotSent = ["overall.counts.updatesNotSent"],
                Stopped = ["overall.counts.updatesStopped"],
            },
            new(Consumer, Provider, "requests")
            {
                Sent = ["overall.counts.requestsSent", "overall.counts.primingRequestsSent"],
                Received = ["overall.counts.requestsReceived"],
            },
            new(Provider, Consumer, "refreshes")
            {
                Sent = ["overall.counts.imagesSent"],
                Received = ["overall.counts.refreshesReceived", "overall.counts.primingRefreshesReceived"],
                NotSent = ["overall.counts.imagesNotSent"],
            },
            new(Consumer, Provider, "posts")
            {
                Sent = ["overall.counts.postsSent"],
                Received = ["overall.counts.postsReceived"],
                NotSent = ["overall.counts.postsNotSent"],
                IsOptional = true,
            },
            CreateGenericLink(Consumer, Provider),
            CreateGenericLink(Provider, Consumer),
        ],
        Figures = new()
        {
            MeasuredBy = [Consumer],
            Rate = "overall.steady.updateRate",
            Seconds = "overall.steady.seconds",
            Latency = "overall.steady.latency",
            IntervalRate = "overall.updateRate",
            IntervalLatency = "overall.updateLatency",
            Images = "imageRetrieval",
            RateOption = "-updateRate",
            ReturningOption = "-postingRate",
            Returning = ["counts.postsSent", "counts.postsNotSent"],
            PackOption = "-maxPackCount",
            SilencingOption = "-snapshot",
        },
        OwnOptions = [ScenarioRows.AddItems, table => ScenarioRows.AddRates(table, "updates"), ScenarioRows.AddPacking, AddConversations],
        OwnInputs = [("items", o => o.Items)],
    };

    // What goes beside the updates: told to the roles as their own options, so that what the user adds comes behind it.
    private static void AddConversations(OptionTable<ScenarioOptions> table)
    {
        table.Number("-posting", "n", "posts a second of each connection, which come back as updates", _ => 0,
            (o, v) => o.WithArguments(Consumer, Rates("-postingRate", "-postingLatencyRate", v))).AtLeast(0);
        table.Number("-generic", "n", "generic messages a second of each connection, both ways", _ => 0,
            (o, v) => o.WithArguments(Consumer, Rates(GenericRate, GenericLatencyRate, v)).WithArguments(Provider, Rates(GenericRate, GenericLatencyRate, v))).AtLeast(0);
        table.Switch("-rtt", "measure round trips on the login stream", _ => false, (o, v) => v ? Both(o, ["-rtt"]) : o);
        table.Number("-threads", "n", "worker threads of each role, a connection for each of the consumer's", _ => 1,
            (o, v) => Both(o, ["-threads", Text(v)])).AtLeast(1);
    }

    private static ScenarioOptions Both(ScenarioOptions options, IReadOnlyList<string> arguments) =>
        options.WithArguments(Provider, arguments).WithArguments(Consumer, arguments);

    private static IReadOnlyList<string> Rates(string rateOption, string latencyRateOption, int rate) =>
        [rateOption, Text(rate), latencyRateOption, Text(Math.Min(rate, ScenarioOptions.MaxUsualLatencyRate))];

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static Role CreateProvider() => new()
    {
        Name = Provider,
        Tool = "ProvPerf",
        ReportStem = "Prov",
        ReadyLine = Role.ListeningLine,
        Ending = RoleEnding.WhenTold,
        ShortOption = "-prov",
        Tell = (arguments, context) => arguments
            .Set("-p", 0)
            .Set("-updateRate", context.Options.Rate)
            .Set("-latencyUpdateRate", context.Options.EffectiveLatencyRate.ToString())
            .SetStamp(context.Options)
            .SetTickRate(context.Options.Rate)
            .Set("-maxPackCount", context.Options.Pack)
            .Set("-runTime", context.RunTimeSeconds),
    };

    private static Role CreateConsumer() => new()
    {
        Name = Consumer,
        Tool = "ConsPerf",
        ReportStem = "Cons",
        ConnectsTo = [Provider],
        Ending = RoleEnding.ByItself,
        ShortOption = "-cons",
        Tell = (arguments, context) => arguments
            .SetPeer(context.Addresses[Provider])
            .Set("-itemCount", context.Options.Items)
            .Set("-steadyStateTime", context.Options.Seconds),
    };

    private static Link CreateGenericLink(string from, string to) => new(from, to, "generic msgs")
    {
        Sent = ["overall.counts.genericSent"],
        Received = ["overall.counts.genericReceived"],
        NotSent = ["overall.counts.genericNotSent"],
        IsOptional = true,
    };
}
