using System.Collections.Immutable;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The arguments of the roles, also checked by the roles' own tables.</summary>
public sealed class ScenarioArgumentsTests : IDisposable
{
    private readonly TestFolder _test = new();
    private readonly RunFolder _folder;

    public ScenarioArgumentsTests() => _folder = RunFolder.Open(_test.PathOf("r"), "direct", DateTime.UtcNow, []);

    [Fact]
    public void Direct_Defaults_TellBothRolesEverything()
    {
        string files = _folder.FullPath + "/";
        Assert.Equal(
            $"-p 0 -updateRate 100000 -latencyUpdateRate 1000 -maxPackCount 1 -runTime 110 -if 127.0.0.1 -writeStatsInterval 1 "
                + $"-statsFile {files}ProvStats -summaryFile {files}ProvSummary.out -jsonFile {files}ProvPerf.jsonl -hlogFile {files}Prov",
            Tell(DirectScenario.Direct, "provider", new(), 110));
        Assert.Equal(
            $"-h localhost -p 4711 -itemCount 10000 -steadyStateTime 10 -writeStatsInterval 1 "
                + $"-statsFile {files}ConsStats -summaryFile {files}ConsSummary.out -jsonFile {files}ConsPerf.jsonl -hlogFile {files}Cons",
            Tell(DirectScenario.Direct, "consumer", new()));
    }

    [Theory]
    [InlineData("provider", "-genericMsgRate 20000 -genericMsgLatencyRate 1000 -rtt -threads 2")]
    [InlineData("consumer", "-postingRate 500 -postingLatencyRate 500 -genericMsgRate 20000 -genericMsgLatencyRate 500 -rtt -threads 2 ")]
    public void Direct_Conversations_AreToldToTheRolesBeforeWhatTheUserAdds(string role, string expected)
    {
        ScenarioOptions options = DirectScenario.Direct.Options.Parse(
            ["--posting", "500", "--generic", "20000", "--rtt", "--threads", "2", "--cons", "-tickRate 500"], null).Options!;
        string told = Tell(DirectScenario.Direct, role, options);
        Assert.Contains(expected, told, StringComparison.Ordinal);
        Assert.Equal(role == "consumer", told.EndsWith(" -tickRate 500", StringComparison.Ordinal));
    }

    [Fact]
    public void Listening_IsForThisMachineAloneUnlessARoleIsElsewhere()
    {
        ScenarioOptions elsewhere = new() { External = ImmutableDictionary<string, HostAddress>.Empty.Add("consumer", new("far", 1)) };
        foreach (Scenario scenario in ScenarioList.All)
        {
            foreach (Role role in scenario.Roles.Where(role => !role.HasOwnFiles))
            {
                bool listens = role.ReadyLine is not null;
                Assert.Equal(listens, Tell(scenario, role.Name, new()).Contains(" -if 127.0.0.1 ", StringComparison.Ordinal));
                Assert.DoesNotContain(" -if ", Tell(scenario, role.Name, elsewhere), StringComparison.Ordinal);
            }
        }

        ScenarioOptions own = DirectScenario.Direct.Options.Parse(["--prov", "-if lo"], null).Options!;
        Assert.EndsWith(" -if lo", Tell(DirectScenario.Direct, "provider", own), StringComparison.Ordinal);
        Assert.DoesNotContain("-if 127.0.0.1", Tell(DirectScenario.Direct, "provider", own), StringComparison.Ordinal);
    }

    [Fact]
    public void ListenPlace_WhereOthersCanConnect_SaysSoAndWhy()
    {
        Assert.Null(ListenPlace.Describe([]));
        Assert.Equal("The roles listen on every address of this machine, not on 127.0.0.1 alone: external role hub.",
            ListenPlace.Describe(["hub"]));
        Assert.Equal("The roles listen on every address of this machine, not on 127.0.0.1 alone: external roles hub, source.",
            ListenPlace.Describe(["hub", "source"]));
        Assert.Equal("The roles listen on every address of this machine, not on 127.0.0.1 alone: 3 ranks.", ListenPlace.Describe([], 3));
    }

    [Fact]
    public void Direct_LowRate_LowersTheTickRateWithIt() => Assert.Contains(
        "-updateRate 50 -latencyUpdateRate 50 -tickRate 50", Tell(DirectScenario.Direct, "provider", new() { Rate = 50 }),
        StringComparison.Ordinal);

    [Fact]
    public void Direct_Encrypted_NamesTheFilesThatItMakes()
    {
        ScenarioOptions options = new() { Connection = ConnectionKind.Encrypted };
        TrialCertificateFiles.WriteIfNeeded(DirectScenario.Direct.Roles, options, _folder);
        foreach (string name in (string[])["ca.pem", "server.pem", "server.key"])
            Assert.True(File.Exists(_folder.PathOf(name)), name);
        Assert.Contains("-connType encrypted -cert", Tell(DirectScenario.Direct, "provider", options), StringComparison.Ordinal);
        Assert.Contains("-connType encrypted -castore", Tell(DirectScenario.Direct, "consumer", options), StringComparison.Ordinal);
    }

    [Fact]
    public void Direct_OwnCertificate_IsLeftToTheUser()
    {
        ScenarioOptions options = new ScenarioOptions { Connection = ConnectionKind.Encrypted }.WithArguments("provider",
            ["-cert", "mine.pem", "-key", "mine.key"]);
        AssertNoTrialCertificate(options);
    }

    [Fact]
    public void Direct_ExternalProvider_IsConnectedToAndGetsNoCertificate()
    {
        ScenarioOptions options = new()
        {
            Connection = ConnectionKind.Encrypted,
            External = ImmutableDictionary<string, HostAddress>.Empty.Add("provider", new("10.1.2.3", 14002)),
        };
        AssertNoTrialCertificate(options);
        Assert.Equal(
            "Provider to consumer, direct, provider at 10.1.2.3:14002: 10,000 items, encrypted, 10 s",
            DirectScenario.Direct.CreateHeadline(options, options.External));
    }

    [Theory]
    [InlineData("", "hub publisher consumer", "-serviceName TEST_FEED -updateRate 100000")]
    [InlineData("--no-updates", "hub publisher consumer", "-serviceName TEST_FEED -updateRate 0 -latencyUpdateRate 0 ")]
    [InlineData("--no-provider", "hub consumer", null)]
    public void Posting_WithAndWithoutProviderAndUpdates_TellsThoseWhoTakePart(string line, string roles, string? publisher)
    {
        ScenarioOptions options = OptionLines.Accept(HubScenarios.Posting.Options, line);
        Assert.Equal(roles.Split(' '), HubScenarios.Posting.RolesOf(options).Select(role => role.Name));
        Assert.Contains("-postingRate 1000 -postingLatencyRate 1000 ", Tell(HubScenarios.Posting, "consumer", options),
            StringComparison.Ordinal);
        if (publisher is not null)
            Assert.Contains(publisher, Tell(HubScenarios.Posting, "publisher", options), StringComparison.Ordinal);
        else
            Assert.StartsWith("-p 0 -niPort 0 -service TEST_FEED,1 ", Tell(HubScenarios.Posting, "hub", options), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--no-provider --args publisher=-reactor", "--args: the publisher takes no part in this run")]
    [InlineData("--no-provider --preload", "--preload needs a publisher")]
    public void Posting_WithoutProvider_RefusesWhatNeedsOne(string line, string problem) =>
        Assert.Equal(problem, OptionLines.Refuse(HubScenarios.Posting.Options, line));

    [Theory]
    [InlineData("direct", "--posting 50 --generic 70", "consumer",
        "-tickRate 50 -postingRate 50 -postingLatencyRate 50 -genericMsgRate 70 -genericMsgLatencyRate 50")]
    [InlineData("direct", "--posting 50 --generic 70", "provider", "-latencyUpdateRate 70 -tickRate 70")]
    [InlineData("hub-direct", "--generic 70 --rtt", "provider", "-tickRate 70")]
    [InlineData("hub-direct", "--generic 70 --rtt", "hub", "-maxPackCount 1 -rtt")]
    public void Conversations_OfLowRates_LowerTheTickRateWithThem(string scenario, string line, string role, string expected)
    {
        Scenario known = ScenarioList.All.Single(s => s.Name == scenario);
        Assert.Contains(expected, Tell(known, role, OptionLines.Accept(known.Options, line)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("posting", "--posting 50", "Warning: --posting 50 gives 500 latency samples in 10 s; p99 needs 1,000.")]
    [InlineData("posting", "", null)]
    [InlineData("direct", "--latency-rate 50 --threads 2", null)]
    [InlineData("direct", "--latency-rate 50", "Warning: --latency-rate 50 gives 500 latency samples in 10 s; p99 needs 1,000.")]
    public void SampleShortage_TooFewForTheP99_IsSaid(string scenario, string line, string? warning)
    {
        Scenario known = ScenarioList.All.Single(s => s.Name == scenario);
        Assert.Equal(warning, known.FindSampleShortage(OptionLines.Accept(known.Options, line)));
    }

    [Theory]
    [InlineData(1, "", "")]
    [InlineData(200, "", "-connections 200")]
    [InlineData(300, "-maxHandshakes 300", "-connections 300")]
    [InlineData(2_000, "-maxConnections 2000 -maxHandshakes 2000", "-connections 2000")]
    public void Connections_OfTransport_AreServedByOneThread(int connections, string server, string client)
    {
        ScenarioOptions options = OptionLines.Accept(TransportScenario.Transport.Options, $"--connections {connections}");
        Assert.Equal(server, Told("server", "-maxConnections", "-maxHandshakes", "-threads"));
        Assert.Equal(client, Told("client", "-connections", "-threads"));
        Assert.Equal(connections, RoleArgumentRules.CountConnections("client", options));
        string Told(string role, params string[] names) => string.Join(' ', Tell(TransportScenario.Transport, role, options).Split(' ')
            .Chunk(2).Where(pair => names.Contains(pair[0])).Select(pair => string.Join(' ', pair)));
    }

    [Theory]
    [InlineData("transport", "-appType server -p 0 -runTime 9 -msgRate 5000 -latencyMsgRate 1000 -msgSize 76 -pack 3",
        "-appType client -h localhost -p 4711 -runTime 10 -msgRate 0 -latencyMsgRate 0 -msgSize 76")]
    [InlineData("reflect", "-appType server -p 0 -runTime 9 -reflectMsgs",
        "-appType client -h localhost -p 4711 -runTime 10 -msgRate 5000 -latencyMsgRate 1000 -msgSize 76")]
    public void Transport_OneSideSends(string scenario, string server, string client)
    {
        Scenario transport = ScenarioList.All.Single(s => s.Name == scenario);
        ScenarioOptions options = new() { Rate = 5000, Pack = 3 };
        Assert.StartsWith(server, Tell(transport, "server", options, 9), StringComparison.Ordinal);
        Assert.StartsWith(client, Tell(transport, "client", options), StringComparison.Ordinal);
    }

    [Fact]
    public void AllScenarios_Defaults_AreAcceptedByTheRolesThemselves()
    {
        foreach (Scenario scenario in ScenarioList.All)
        {
            foreach (Role role in scenario.Roles)
                Assert.Null(ToolTable.Roles[role.Tool].FindProblem(role.CreateArguments(Context(scenario.Defaults, 110))));
        }
    }

    [Theory]
    [InlineData("direct", "--posting 500 --generic 700 --rtt")]
    [InlineData("direct", "--rate 90 --posting 5 --generic 7000")]
    [InlineData("hub-direct", "--generic 70 --rtt")]
    [InlineData("ni-hub", "--rate 20")]
    [InlineData("posting", "--rate 2000 --posting 20")]
    [InlineData("transport", "--rate 20")]
    [InlineData("reflect", "--rate 20")]
    public void LowRates_AreAcceptedByTheRolesThemselves(string name, string line)
    {
        Scenario scenario = ScenarioList.All.Single(s => s.Name == name);
        foreach (Role role in scenario.Roles)
        {
            Assert.Null(ToolTable.Roles[role.Tool].FindProblem(
                role.CreateArguments(Context(OptionLines.Accept(scenario.Options, line), 110))));
        }
    }

    public void Dispose() => _test.Dispose();

    private void AssertNoTrialCertificate(ScenarioOptions options)
    {
        TrialCertificateFiles.WriteIfNeeded(DirectScenario.Direct.Roles, options, _folder);
        Assert.False(File.Exists(_folder.PathOf("ca.pem")));
        Assert.DoesNotContain("-keyfile", Tell(DirectScenario.Direct, "provider", options), StringComparison.Ordinal);
        Assert.DoesNotContain("-castore", Tell(DirectScenario.Direct, "consumer", options), StringComparison.Ordinal);
    }

    private string Tell(Scenario scenario, string role, ScenarioOptions options, int runTimeSeconds = 1) =>
        string.Join(' ', scenario.Roles.Single(r => r.Name == role).CreateArguments(Context(options, runTimeSeconds)));

    private RoleContext Context(ScenarioOptions options, int runTimeSeconds)
    {
        IEnumerable<string> names = ScenarioList.All.SelectMany(scenario => scenario.Roles).Select(role => role.Name).Distinct();
        return new(options, _folder, names.ToDictionary(name => name, _ => new HostAddress("localhost", 4711)), runTimeSeconds);
    }
}
