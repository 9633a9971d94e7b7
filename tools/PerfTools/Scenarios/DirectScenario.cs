using PerfTools.Hosting.CommandLine;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>The scenario of ProvPerf and ConsPerf, connected with each other.</summary>
internal static class DirectScenario
{
    /// <summary><c>perftools run direct</c></summary>
    public static Scenario Direct { get; } = new()
    {
        Name = MeasuredPaths.Direct.Scenario,
        Summary = "ProvPerf and ConsPerf: images, then updates, from provider to consumer",
        Title = "Provider to consumer, direct",
        Load = MarketPriceRoles.DescribeItems,
        RateUnit = "upd/s",
        Roles = [MarketPriceRoles.CreateProvider() with { IsRepeatable = true }, MarketPriceRoles.CreateConsumer(RoleNames.Provider)],
        Links = MarketPriceLinks.Direct,
        Figures = MarketPriceRoles.Figures,
        OwnOptions = [ScenarioRows.AddItems, ScenarioRows.AddUpdateRates, ScenarioRows.AddRateSchedule, ScenarioRows.AddPacking,
            ScenarioRows.AddConversations, AddThreads, ScenarioRows.AddClock],
        FindOwnProblem = ScenarioRows.FindClockProblem,
        OwnInputs = [ScenarioRows.Items, .. ScenarioRows.Conversations, ("threads", o => o.Threads)],
    };

    private static void AddThreads(OptionTable<ScenarioOptions> table) =>
        table.Number("-threads", "n", "worker threads of each role, a connection for each of the consumer's", o => o.Threads,
            (o, v) => o with { Threads = v })
            .AtLeast(1);
}
