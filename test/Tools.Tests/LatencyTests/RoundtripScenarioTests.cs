using LatencyPerf.Options;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.LatencyTests;

public sealed class RoundtripScenarioTests : IDisposable
{
    private readonly RunDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("--transport shm", "-domainId 88 -nic 127.0.0.1 -transport 2 -peer shmem:// -waitTime 30 -subscribers 1 -numIter 100000")]
    [InlineData("--transport shm --subscribers 4 --reliable",
        "-transport 2 -peer shmem:// -reliable -waitTime 30 -subscribers 4 -numIter 100000")]
    [InlineData("", "-domainId 88 -nic 127.0.0.1 -transport 1 -waitTime 30 -peer 127.0.0.2 -subscribers 1 -numIter 100000")]
    [InlineData("--subscribers 4", "-peer 127.0.0.2 -peer 127.0.0.3 -peer 127.0.0.4 -peer 127.0.0.5 -subscribers 4")]
    [InlineData("--subscribers 4 --multicast", "-peer 127.0.0.5 -mcast_rcv_addr 225.1.2.3 -multicast_ttl 1 -subscribers 4")]
    [InlineData("--samples 500 --busy", "-busyRead -waitTime 30 -peer 127.0.0.2 -subscribers 1 -numIter 500")]
    [InlineData("--one-way", "-oneWay -jsonFile")]
    public void Tell_ScenarioOfTheGuide_SaysItsOptions(string line, string told)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the addresses of the loopback");
        ScenarioOptions options = Parse(line);
        foreach (Role role in RoundtripScenario.Roundtrip.RolesOf(options))
        {
            IReadOnlyList<string> arguments = Tell(role, options);
            Assert.Null(LatencyPerfOptionTable.Instance.Parse(arguments).Problem);
            if (role.Name == RoleNames.Publisher)
                Assert.Contains(told, string.Join(' ', arguments), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Tell_LastSubscriber_AloneEchoes()
    {
        ScenarioOptions options = Parse("--subscribers 3");
        bool[] silent = [.. RoundtripScenario.Roundtrip.RolesOf(options).Skip(1).Select(role => Tell(role, options).Contains("-noecho"))];
        Assert.Equal([true, true, false], silent);
        Assert.Equal(["data", "data", "data", "replies"], RoundtripScenario.Roundtrip.LinksOf(options).Select(link => link.What).Order());
    }

    [Theory]
    [InlineData("--transport ipx")]
    [InlineData("--transport udp,udp")]
    [InlineData("--subscribers 33")]
    [InlineData("--domain 233")]
    [InlineData("--transport shm --multicast")]
    [InlineData("--assert rate>=99%")]
    [InlineData("--assert images>=10")]
    [InlineData("--assert cpu@64<90")]
    [InlineData("--assert p99@x<80us")]
    [InlineData("--external publisher=192.0.2.1")]
    [InlineData("--external subscriber1=192.0.2.1")]
    [InlineData("--external subscriber1=192.0.2.1:21001 --domain 7")]
    [InlineData("--external subscriber2=192.0.2.1 --domain 7")]
    [InlineData("--external subscriber1=192.0.2.1 --domain 7 --transport shm")]
    public void Parse_WhatCannotBe_IsRefused(string line) =>
        Assert.NotNull(RoundtripScenario.Roundtrip.Options.Parse(OptionLines.Words(line)).Problem);

    [Fact]
    public void Tell_SubscriberElsewhere_IsAPeerAndNotStarted()
    {
        ScenarioOptions options = Parse("--subscribers 2 --external subscriber1=192.0.2.1");
        IReadOnlyList<string> told = Tell(RoundtripScenario.Roundtrip.RolesOf(options)[0], options);
        string line = string.Join(' ', told);
        Assert.Contains("-peer 192.0.2.1 -peer 127.0.0.3", line, StringComparison.Ordinal);
        Assert.DoesNotContain("-nic", told); // the route to that side is unknown here
        Assert.Equal("192.0.2.1", options.External["subscriber1"].ToString());
    }

    [Fact]
    public void Complete_NoDomain_DrawsOneAndKeepsOnesOwn()
    {
        Scenario scenario = RoundtripScenario.Roundtrip;
        Assert.InRange(scenario.Complete(new()).Roundtrip.Domain!.Value, 1, RoundtripOptions.MaxDomain);
        Assert.Equal(88, scenario.Complete(Parse("")).Roundtrip.Domain);
        Assert.NotNull(scenario.FindSeveralRuns(Parse("--transport udp,shm")));
        Assert.NotNull(scenario.FindSeveralRuns(Parse("--one-way --subscribers 2")));
        Assert.Null(scenario.FindSeveralRuns(Parse("--one-way")));
    }

    [Fact]
    public void Create_SeveralTransports_ShowsWhatEachLayerCosts()
    {
        SizedTimes size = new(16, 14, 20);
        string[] lines =
            [.. RoundtripTable.Create([("udp", [size]), ("tcp", [size with { P50Micros = 17.5 }]),
                ("rssl", [size with { P50Micros = 19, P99Micros = null }])])];
        Assert.Equal(
        [
            "round trips in microseconds; a difference is that of the p50",
            "  bytes   udp p50   udp p99   tcp p50   tcp p99  rssl p50  rssl p99   tcp-udp  rssl-tcp",
            "     16        14        20      17.5        20        19         -       3.5       1.5",
        ], lines);
    }

    [Fact]
    public void Create_OneWayTimes_AreAColumnOfTheConsole()
    {
        string[] lines = [.. RoundtripTable.Create([("udp", [new(16, 14, 20) { OneWayMicros = 7.25 }])])];
        Assert.Equal(
        [
            "round trips in microseconds, 1-way the mean of one way; a difference is that of the p50",
            "  bytes   udp p50   udp p99 udp 1-way",
            "     16        14        20       7.3",
        ], lines);
    }

    [Theory]
    [InlineData("p99@64<80us", true, 60.0)]
    [InlineData("p99@128<80us", false, 90.0)]
    [InlineData("p99<80us", false, 90.0)] // every size must hold
    [InlineData("lost<1", false, 2.0)]
    [InlineData("lost@64<1", true, 0.0)]
    [InlineData("resent@128<4", true, 3.0)]
    [InlineData("p99@256<80us", false, null)] // not measured
    [InlineData("memory<50", true, 40.0)]
    public void Compare_ThresholdOfASize_IsJudgedByThatSize(string text, bool isKept, double? figure)
    {
        ScenarioOptions options = Parse($"--assert {text}");
        RunAssertions assertions = new(RoundTripSamples.Figures(RoundTripSamples.Size(64, p99: 60), RoundTripSamples.Size(128, p99: 90, lost: 2, resent: 3)),
            [], [RoundTripSamples.Role(memoryMegabytes: 40)]);
        ThresholdResult result = Assert.Single(assertions.Compare(options.Thresholds));
        Assert.Equal((isKept, figure), (result.IsKept, result.Figure.Value));
    }

    private static ScenarioOptions Parse(string line)
    {
        ParsedCommandLine<ScenarioOptions> parsed = RoundtripScenario.Roundtrip.Options.Parse(OptionLines.Words(line + " --domain 88"));
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }

    private IReadOnlyList<string> Tell(Role role, ScenarioOptions options)
    {
        RunFolder folder = RunFolder.Open(_directory.File("r"), "roundtrip", DateTime.UtcNow, []);
        return role.CreateArguments(new RoleContext(options, folder, new Dictionary<string, HostAddress>(), 10));
    }
}
