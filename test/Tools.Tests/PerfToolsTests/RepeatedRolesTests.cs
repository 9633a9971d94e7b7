using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Roles with several processes: their names, files, peers and links, and the figures of all together.</summary>
[Trait("Category", "Fast")]
public sealed class RepeatedRolesTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public void RepeatedRoles_ConsumersOfAHub_HaveTheirOwnNamesFilesAndOneLink()
    {
        Scenario asked = Find("hub-direct");
        RankPlacement place = RankPlacement.TryParse("provider=0,hub=0,consumer=1-2", [.. asked.Roles.Select(role => role.Name)])!;
        Scenario repeated = RepeatedRoles.Of(asked, place);
        Assert.Equal(["provider", "hub", "consumer-1", "consumer-2"], repeated.Roles.Select(role => role.Name));
        Assert.Equal(repeated.Roles.Count, repeated.Roles.Select(role => role.Files).Distinct().Count());
        Assert.Equal(["consumer-1", "consumer-2"], repeated.Figures.Measured.MeasuredBy);
        Assert.Equal(asked.Links.Count, repeated.Links.Count);
        Assert.Equal(asked.Links.Select(link => $"{link.From} {link.To}".Replace("consumer", "consumers", StringComparison.Ordinal)),
            repeated.LinksOf(new()).Select(link => $"{link.From} {link.To}"));
        ScenarioOptions options = new ScenarioOptions { Ranks = new() { Place = place } }.WithArguments("consumer", ["-snapshot"]).WithArguments("hub", ["-x"]);
        Assert.Equal((1, 1, 1), (RepeatedRoles.Of(options).ArgumentsOf("consumer-1").Count, RepeatedRoles.Of(options).ArgumentsOf("consumer-2").Count,
            RepeatedRoles.Of(options).ArgumentsOf("hub").Count));
    }

    /// <summary>The i-th consumer is connected to provider i modulo their number, in the order of ranks.</summary>
    [Theory]
    [InlineData("provider=0-1,consumer=2-3", "provider-1 provider-2", "consumer-1; consumer-2")]
    [InlineData("provider=0-1,consumer=2x3,consumer=3", "provider-1 provider-2 provider-1 provider-2", "consumer-1, consumer-3; consumer-2, consumer-4")]
    [InlineData("provider=0x3,consumer=0x4", "provider-1 provider-2 provider-3 provider-1", "consumer-1, consumer-4; consumer-2; consumer-3")]
    public void RepeatedRoles_SeveralProviders_EachConsumerHasOne(string text, string peers, string groups)
    {
        Scenario asked = Find("direct");
        RankPlacement place = RankPlacement.TryParse(text, ["provider", "consumer"])!;
        Scenario repeated = RepeatedRoles.Of(asked, place);
        Role[] consumers = [.. repeated.Roles.Where(role => role.Tool == "ConsPerf")];
        Assert.Equal(peers.Split(' '), consumers.Select(role => Assert.Single(role.ConnectsTo)));
        Assert.Equal(peers.Split(' '), consumers.Select(role => Assert.Single(repeated.SendersOf(role)).Name));
        Dictionary<string, HostAddress> addresses = repeated.Senders.Select((role, i) => (role.Name, new HostAddress("10.0.0." + i, 1_000 + i))).ToDictionary();
        RunFolder folder = RunFolder.Open(_folder.FullPath, "direct", DateTime.UtcNow, []);
        Assert.All(consumers, role => Assert.Contains($"-p {addresses[role.ConnectsTo[0]].Port} ",
            string.Join(' ', role.CreateArguments(new(new(), folder, addresses, 1))), StringComparison.Ordinal));

        string[] expected = groups.Split("; ");
        Link[] updates = [.. repeated.Pairs.Where(link => link.What == "updates")];
        Assert.Equal(expected, updates.Select(link => link.To));
        Assert.Equal(expected.Select((_, i) => $"provider-{i + 1}"), updates.Select(link => link.From));
        Assert.Equal(asked.Links.Count * expected.Length, repeated.Pairs.Count);
        Assert.All(consumers, role => Assert.Equal([role.ConnectsTo[0]], updates.Where(link => link.IsTo(role.Name)).Select(link => link.From)));
        Assert.Equal(("providers", "consumers"), (repeated.Links[0].From, repeated.Links[0].To));
    }

    /// <summary>A hub has each service from one provider: the i-th consumer requests that of provider i modulo their number.</summary>
    [Fact]
    public void RepeatedRoles_ProvidersOfAHub_HaveAServiceEachAndTheHubConnectsToAll()
    {
        (Scenario repeated, ScenarioOptions options) = Place("hub-direct", "provider=0x2,hub=0,consumer=0-2");
        Dictionary<string, HostAddress> addresses = new()
        {
            ["provider-1"] = new("10.0.0.1", 1_001),
            ["provider-2"] = new("10.0.0.2", 1_002),
            ["hub"] = new("10.0.0.3", 1_003),
        };
        Role hub = repeated.Roles.Single(role => role.Name == "hub");
        Assert.Equal(["provider-1", "provider-2"], hub.ConnectsTo);
        Assert.Contains("-upstream 10.0.0.1:1001;10.0.0.2:1002 ", Arguments(hub, options, addresses), StringComparison.Ordinal);
        Assert.Equal(["TEST_FEED_1", "TEST_FEED_2"], Of("ProvPerf").Select(ServiceOf));
        Assert.Equal(["TEST_FEED_1", "TEST_FEED_2", "TEST_FEED_1"], Of("ConsPerf").Select(ServiceOf));
        Assert.Equal(["provider-1", "provider-2", "provider-1"], Of("ConsPerf").Select(role => Assert.Single(repeated.SendersOf(role)).Name));
        Assert.Equal(("providers", "hub"), (repeated.Links[0].From, repeated.Links[0].To));
        Assert.Empty(repeated.Pairs); // a hub counts the messages of all together

        IEnumerable<Role> Of(string tool) => repeated.Roles.Where(role => role.Tool == tool);
        string ServiceOf(Role role) => Arguments(role, options, addresses).Split("-serviceName ")[1].Split(' ')[0];
    }

    [Theory]
    [InlineData("ni-hub")]
    [InlineData("posting")]
    public void RepeatedRoles_PublishersOfAHub_DivideTheItemsOfOneService(string scenario)
    {
        (Scenario repeated, ScenarioOptions options) = Place(scenario, "hub=0,publisher=0x2,publisher=1,consumer=1");
        Role[] publishers = [.. repeated.Roles.Where(role => role.Tool == "NIProvPerf")];
        Dictionary<string, HostAddress> addresses = new() { ["hub"] = new("10.0.0.3", 1_003) };
        Assert.Equal(["publisher-1", "publisher-2", "publisher-3"], publishers.Select(role => role.Name));
        for (int i = 0; i < publishers.Length; i++)
        {
            Assert.Contains($"-h 10.0.0.3 -p 1003 -itemCount 10000 -part {i + 1}/3 -serviceName TEST_FEED ", Arguments(publishers[i], options, addresses),
                StringComparison.Ordinal);
        }

        Role consumer = repeated.Roles[^1];
        Assert.Contains("-serviceName TEST_FEED ", Arguments(consumer, options, addresses), StringComparison.Ordinal);
        Assert.Equal(publishers, repeated.SendersOf(consumer));
        (Scenario one, options) = Place(scenario, "hub=0,publisher=0,consumer=1");
        Assert.DoesNotContain("-part", Arguments(one.Roles[1], options, addresses), StringComparison.Ordinal);
    }

    [Fact]
    public void RepeatedRoles_ClientsOfReflect_MeasureTheirOwnStampsAndTheServerTakesAll()
    {
        (Scenario repeated, ScenarioOptions options) = Place("reflect", "server=0,client=0x2,client=1");
        options = options with { Transport = new() { Connections = 500 } };
        Assert.Equal(["client-1", "client-2", "client-3"], repeated.Figures.Measured.MeasuredBy);
        Assert.All(repeated.Roles.Skip(1), role => Assert.Equal([role], repeated.SendersOf(role)));
        Assert.Contains("-maxConnections 1500 -maxHandshakes 1500 ", Arguments(repeated.Roles[0], options, []), StringComparison.Ordinal);
    }

    [Fact]
    public void FigureReader_SumsAddUpAndAPairDoesNot_ThePairIsNamed()
    {
        RankPlacement place = RankPlacement.TryParse("provider=0-1,consumer=0-1", ["provider", "consumer"])!;
        FigureReader reader = new(RepeatedRoles.Of(Find("direct"), place), new() { Rate = 10_000, Ranks = new() { Place = place } });
        Dictionary<string, JsonElement> finals = new()
        {
            ["provider-1"] = Final("\"updatesSent\":100"),
            ["provider-2"] = Final("\"updatesSent\":100"),
            ["consumer-1"] = Final("\"updatesReceived\":101"),
            ["consumer-2"] = Final("\"updatesReceived\":99"),
        };
        Assert.Equal(20_000, reader.ReadRateAsked(finals));
        LinkResult sum = reader.ReadLinks(finals)[0];
        Assert.Equal((200, 200, true), (sum.Sent, sum.Received, sum.Balanced));
        IReadOnlyList<LinkResult> pairs = reader.ReadPairs(finals)!;
        Assert.Equal([("provider-1", "consumer-1", 101, false), ("provider-2", "consumer-2", 99, false)],
            pairs.Where(pair => pair.What == "updates").Select(pair => (pair.From, pair.To, (int)pair.Received!.Value, pair.Balanced!.Value)));
        Verdict verdict = Verdict.Of(null, SampleFigures.Good, [sum], new(), [.. pairs.Where(pair => pair.What == "updates")]);
        Assert.Equal(("FAILED", "updates from provider-1 to consumer-1 do not add up: 100 sent, 101 received, 0 counted as lost"),
            (verdict.Result, verdict.Reason));
        Assert.Null(new FigureReader(Find("direct"), new()).ReadPairs(finals));
    }

    [Theory]
    [InlineData("direct", 0, 0, 20_000)]
    [InlineData("hub-direct", 99_000, 0, 20_000)]
    [InlineData("hub-direct", 99_000, 700, 20_000)] // copies for a consumer that had left
    public void FigureReader_TwoConsumers_AreAskedTwiceTheRate(string scenario, int copied, int late, double expected)
    {
        Scenario asked = Find(scenario);
        RankPlacement place = RankPlacement.TryParse("provider=0,consumer=1-2", [.. asked.Roles.Select(role => role.Name)])!;
        FigureReader reader = new(RepeatedRoles.Of(asked, place), new() { Rate = 10_000, Ranks = new() { Place = place } });
        Dictionary<string, JsonElement> finals = new()
        {
            ["provider"] = Final("\"updatesSent\":200"),
            ["hub"] = Final($"\"updatesReceived\":100000,\"updatesUnwatched\":{1_000 + late},\"copiesUnwatched\":{late}," +
                $"\"updatesCopied\":{copied},\"updatesSent\":200"),
            ["consumer-1"] = Final("\"updatesReceived\":100"),
            ["consumer-2"] = Final("\"updatesReceived\":99"),
        };
        Assert.Equal(expected, reader.ReadRateAsked(finals));
        LinkResult link = reader.ReadLinks(finals).First(link => link.To == "consumers");
        Assert.Equal(199, link.Received);
        Assert.False(link.Balanced);
        finals.Remove("consumer-2");
        Assert.Null(reader.ReadLinks(finals).First(link => link.To == "consumers").Received);
    }

    /// <summary>What a hub has without a watcher is part of what it lost, and told apart.</summary>
    [Fact]
    public void FigureReader_HubWithoutAWatcher_TellsItFromOtherLosses()
    {
        Dictionary<string, JsonElement> finals = new()
        {
            ["publisher"] = Final("\"updatesSent\":100"),
            ["hub"] = Final("\"updatesReceived\":100,\"updatesUnwatched\":7,\"updatesDropped\":2,\"updatesSent\":91,\"postsReceived\":30,\"postsCopied\":3," +
                "\"postsReflected\":20,\"postsRefused\":5,\"postsNotReflected\":8,\"postsUnwatched\":6"),
            ["consumer"] = Final("\"updatesReceived\":111,\"postsSent\":30"),
        };
        LinkResult[] links = [.. new FigureReader(Find("posting"), new() { Posting = 10 }).ReadLinks(finals)];
        Assert.Equal([("passed on", 9L, 7L), ("posts passed on", 13L, 6L)],
            links.Where(link => link.Unwatched > 0).Select(link => (link.What, link.Lost!.Value, link.Unwatched)).OrderBy(link => link.What));
    }

    [Theory]
    [InlineData("hub-direct", "provider=0x2,hub=0,consumer=0x3", 300, 30_000)]
    [InlineData("ni-hub", "hub=0,publisher=0x2,consumer=0x3", 600, 60_000)]
    [InlineData("ni-hub", "hub=0,publisher=0x2,consumer=0", 200, 20_000)]
    public void FigureReader_TwoSendersToAHub_AreAskedTwiceTheRateForEachWatcher(string scenario, string place, int sent, double expected)
    {
        (Scenario repeated, ScenarioOptions options) = Place(scenario, place);
        FigureReader reader = new(repeated, options with { Rate = 10_000 });
        Dictionary<string, JsonElement> finals = repeated.Roles.ToDictionary(role => role.Name, role => Final(role.Tool switch
        {
            "HubPerf" => $"\"updatesReceived\":200,\"updatesCopied\":{sent - 200},\"updatesSent\":{sent}",
            "ConsPerf" => $"\"updatesReceived\":{sent / repeated.Figures.Measured.MeasuredBy.Count}",
            _ => "\"updatesSent\":100",
        }));
        Assert.Equal(expected, reader.ReadRateAsked(finals));
        LinkResult[] updates = [.. reader.ReadLinks(finals).Where(link => link.What is "updates" or "passed on")];
        Assert.Equal([200, sent, sent], updates.Select(link => (int)link.Received!.Value));
        Assert.All(updates, link => Assert.True(link.Balanced, link.ToString()));
    }

    [Fact]
    public void RepeatedRoles_ProgramOfARole_IsThatOfEachOfItsProcesses()
    {
        EditionOptions tools = new EditionOptions().WithTool("consumer=/a/ConsPerf")!.WithEdition("consumer=c")!.WithTool("provider=/a/ProvPerf")!;
        ScenarioOptions options = RepeatedRoles.Of(new ScenarioOptions
        { Editions = tools, Ranks = new() { Place = RankPlacement.TryParse("provider=0,consumer=1x2", ["provider", "consumer"]) } });
        Assert.Equal(["consumer-1", "consumer-2", "provider"], options.Editions.Tools.Keys.Order());
        Assert.Equal(["consumer-1", "consumer-2"], options.Editions.Editions.Keys.Order());
        Assert.True(options.Editions.Has("consumer-2"));
    }

    public void Dispose() => _folder.Dispose();

    private static Scenario Find(string name) => ScenarioList.All.Single(scenario => scenario.Name == name);

    private static (Scenario Scenario, ScenarioOptions Options) Place(string scenario, string text)
    {
        Scenario asked = Find(scenario);
        RankPlacement place = RankPlacement.TryParse(text, [.. asked.Roles.Select(role => role.Name)])!;
        return (RepeatedRoles.Of(asked, place), new ScenarioOptions { Ranks = new() { Place = place } });
    }

    private string Arguments(Role role, ScenarioOptions options, Dictionary<string, HostAddress> addresses) =>
        string.Join(' ', role.CreateArguments(new(options, RunFolder.Open(_folder.FullPath, "", DateTime.UtcNow, []), addresses, 1)));

    private static JsonElement Final(string counts) => JsonDocument.Parse($$"""{"overall":{"counts":{ {{counts}} } } }""").RootElement;
}
