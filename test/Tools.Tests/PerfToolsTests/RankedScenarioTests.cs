using PerfCommon.Measurement;
using PerfCommon.Tests;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Ranks of one run of a scenario, each with its processes, with their rendezvous in a folder.</summary>
public sealed class RankedScenarioTests : IDisposable
{
    private const string Load = "--items 500 --rate 5000 --latency-rate 500";
    private const string MarketData = Load + " --seconds 6";
    private readonly TestFolder _folder = new();
    private readonly List<RunningTool> _started = [];

    [Theory]
    [InlineData("direct", 2, MarketData + " --connection encrypted --posting 100", "consumer=0,provider=1", "provider consumer")]
    [InlineData("hub-direct", 3, MarketData, "provider=0,hub=1,consumer=2", "provider hub consumer")]
    [InlineData("reflect", 3, "--rate 5000 --latency-rate 500 --seconds 6", "server=0,client=1", "server client")]
    public Task Run_RanksOnLoopback_AreOneRunThatAddsUp(string scenario, int count, string options, string place, string roles) =>
        CheckScenario(scenario, count, options, place, roles);

    [LongTheory]
    [InlineData("direct", 2, MarketData, "provider=0,consumer=1", "provider consumer")]
    [InlineData("ni-hub", 3, MarketData + " --preload", "publisher=0,consumer=1,hub=2", "hub publisher consumer")]
    [InlineData("transport", 2, "--rate 5000 --latency-rate 500 --seconds 6", "client=0,server=1", "server client")]
    public Task Run_OtherScenariosOnLoopback_AreOneRunThatAddsUp(string scenario, int count, string options, string place, string roles) =>
        CheckScenario(scenario, count, options, place, roles);

    private async Task CheckScenario(string scenario, int count, string options, string place, string roles)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = [.. Enumerable.Range(0, count).Reverse().Select(rank => Start(scenario, rank, count, $"{options} --place {place}"))];

        // 6: the machine was too busy for the rate; everything else must hold then too
        int code = ranks[^1].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[^1].Error}{ranks[^1].Output}");
        Assert.All(ranks.SkipLast(1), rank => rank.ExpectExit(0));
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.NotEmpty(run.Links);
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.True(run.Links[0].Sent > 5_000, run.Links[0].ToString());
        Assert.True(run.Figures!.LatencyMicros!.Count > 100);
        Assert.Equal(roles.Split(' '), run.Roles.Select(role => role.Name));
        Assert.All(run.Roles, role => Assert.True(role.Final is not null && role.ExitCode is 0 or 143, role.Name));
        Assert.Equal(Enumerable.Range(0, count), run.Ranks!.Select(rank => rank.Rank));
        Assert.Equal(place.Split(',').Order(), run.Ranks!.SelectMany(rank => rank.Roles.Select(role => $"{role}={rank.Rank}")).Order());
        Assert.Null(run.Figures.Clock); // one machine has one clock
        Assert.Equal(Enumerable.Range(0, count), run.Clocks!.Select(clock => clock.Rank));
        Assert.All(run.Clocks!, clock => Assert.True(clock is { ErrorMicros: >= 0 and < 1e6, Shift.Ticks: 0 }, clock.ToString()));
        Assert.True(File.Exists(_folder.PathOf("run/report.html")));
        Assert.False(File.Exists(_folder.PathOf("run/meet-a/clock.key")));
        Assert.All(ranks, rank => Assert.DoesNotContain("every address", rank.Output, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("hub-direct", "provider=1,hub=1,consumer=0,consumer=2", "provider hub consumer-1 consumer-2")]
    public Task Run_ConsumersOnTwoRanks_AreAddedUp(string scenario, string place, string roles) => CheckConsumers(scenario, place, roles);

    [LongTheory]
    [InlineData("direct", "provider=0,consumer=1-2", "provider consumer-1 consumer-2")]
    [InlineData("direct", "provider=0,consumer=1x2,consumer=2", "provider consumer-1 consumer-2 consumer-3")]
    public Task Run_OtherConsumersOnTwoRanks_AreAddedUp(string scenario, string place, string roles) => CheckConsumers(scenario, place, roles);

    private async Task CheckConsumers(string scenario, string place, string roles)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = [.. Enumerable.Range(0, 3).Reverse().Select(rank => Start(scenario, rank, 3, $"{MarketData} --place {place}"))];

        int code = ranks[^1].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[^1].Error}{ranks[^1].Output}");
        Assert.All(ranks.SkipLast(1), rank => rank.ExpectExit(0));
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(roles.Split(' '), run.Roles.Select(role => role.Name));
        Assert.Equal(roles.Split(' ').Where(role => role.StartsWith("consumer", StringComparison.Ordinal)),
            run.Ranks!.SelectMany(rank => rank.Roles).Where(role => role.StartsWith("consumer", StringComparison.Ordinal)).Order());
        AssertSums(run, "updatesReceived", link => link is { What: "updates", To: "consumers" });
        AssertSums(run, "requestsSent", link => link is { What: "requests", From: "consumers" });
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));

        LongHistogram[] parts = [.. Consumers(run).Select(role => new RecordedRole(_folder.PathOf("run"), role).ReadWhole("updates")!)];
        Assert.All(parts, part => Assert.True(part.TotalCount > 100));
        LongHistogram merged = Assert.Single(ResultLog.Read(_folder.PathOf("run/merged-updates.hlog"), keepsOne: false)).Histogram;
        Assert.Equal(parts.Sum(part => part.TotalCount), merged.TotalCount);
        Assert.Equal(merged.TotalCount, run.Figures!.LatencyMicros!.Count);
        Assert.Equal(merged.ReportedMicros(50, run.Figures.LatencyMicros.Max), run.Figures.LatencyMicros.P50);
        string page = await File.ReadAllTextAsync(_folder.PathOf("run/report.html"), TestContext.Current.CancellationToken);
        Assert.All(roles.Split(' '), role => Assert.Contains(role, page, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("provider=0,provider=2,consumer=1x2,consumer=2", " --posting 100", "consumer-1, consumer-3; consumer-2")]
    public Task Run_ProvidersOnTwoRanks_AddUpWithTheirConsumersAndTogether(string place, string more, string groups) =>
        CheckPairs(place, more, groups);

    [LongTheory]
    [InlineData("provider=0-1,consumer=1-2", "", "consumer-1; consumer-2")]
    public Task Run_OneProviderOnEachRank_AddsUpWithItsConsumers(string place, string more, string groups) => CheckPairs(place, more, groups);

    private async Task CheckPairs(string place, string more, string groups)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = [.. Enumerable.Range(0, 3).Reverse().Select(rank => Start("direct", rank, 3, $"{MarketData}{more} --place {place}"))];

        int code = ranks[^1].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[^1].Error}{ranks[^1].Output}");
        Assert.All(ranks.SkipLast(1), rank => rank.ExpectExit(0));
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(["provider-1", "provider-2"], run.Roles.Select(role => role.Name).Where(name => name.StartsWith("provider", StringComparison.Ordinal)));
        AssertSums(run, "updatesReceived", link => link is { What: "updates", From: "providers", To: "consumers" });
        Assert.All(run.Links.Concat(run.Pairs!), link => Assert.True(link.Balanced, link.ToString()));
        LinkResult[] pairs = [.. run.Pairs!.Where(pair => pair.What == "updates")];
        Assert.Equal(groups.Split("; "), pairs.Select(pair => pair.To));
        Assert.Equal(["provider-1", "provider-2"], pairs.Select(pair => pair.From));
        Assert.All(pairs, pair => Assert.True(pair.Sent > 5_000, pair.ToString()));
        Assert.Equal(run.Links[0].Sent, pairs.Sum(pair => pair.Sent));
        Assert.Equal(more.Length > 0, run.Links.Any(link => link is { What: "posts", From: "consumers", To: "providers", Sent: > 100 }));

        long[] lags = [.. run.Roles.Where(role => role.Name.StartsWith("provider-", StringComparison.Ordinal)).Select(role =>
            new RecordedRole(_folder.PathOf("run"), role).ReadWhole("sendLag")!.TotalCount)];
        Assert.Equal(lags.Sum(), run.Figures!.SendLagMicros!.Count);
        Assert.NotNull(run.Figures.SendLagMicros.P50);
        string page = await File.ReadAllTextAsync(_folder.PathOf("run/report.html"), TestContext.Current.CancellationToken);
        Assert.Contains("Messages of each provider with its consumers", page, StringComparison.Ordinal);
        Assert.Contains("    pair         provider-1 to ", ranks[^1].Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ni-hub", MarketData + " --preload", "hub=0,publisher=0x2,consumer=1", "publishers hub", 2)]
    [InlineData("hub-direct", MarketData + " --posting 100", "provider=0-1,hub=1,consumer=0x3", "providers hub", 3)]
    [InlineData("transport", "--rate 5000 --latency-rate 500 --seconds 10", "server=0,client=0-1", "server clients", 2)]
    public Task Run_SeveralThatSendOrReceive_AddUp(string scenario, string options, string place, string ends, int times) =>
        CheckSeveral(scenario, options, place, ends, times);

    [LongTheory]
    [InlineData("posting", MarketData + " --posting 100", "hub=1,publisher=0-1,consumer=0", "publishers hub", 2)]
    [InlineData("reflect", "--rate 5000 --latency-rate 500 --seconds 10", "server=1,client=0x2", "clients server", 2)]
    public Task Run_SeveralOfOtherScenarios_AddUp(string scenario, string options, string place, string ends, int times) =>
        CheckSeveral(scenario, options, place, ends, times);

    private async Task CheckSeveral(string scenario, string options, string place, string ends, int times)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = [.. Enumerable.Range(0, 2).Reverse().Select(rank => Start(scenario, rank, 2, $"{options} --place {place}"))];

        int code = ranks[^1].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[^1].Error}{ranks[^1].Output}");
        Assert.All(ranks.SkipLast(1), rank => rank.ExpectExit(0));
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        LinkResult first = run.Links.First(link => $"{link.From} {link.To}" == ends);
        Assert.True(first.Sent > 10_000, first.ToString());
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.True(run.Figures!.LatencyMicros!.Count > 100);
        Assert.InRange(run.Figures.RateAsked!.Value, (times - 0.5) * 5_000, (times * 5_000) + 1_000); // copies of all the time, and returned posts
        Assert.All(run.Roles, role => Assert.True(role.Final is not null && role.ExitCode is 0 or 143, role.Name));
        Assert.Null(run.Pairs);
    }

    [Fact]
    public async Task Run_SameRankTwice_IsRefusedAndTheRunGoesOn()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool second = Start("direct", 1, 2, MarketData);
        await WaitForFile("run/meet-a/rank-1.json");
        Start("direct", 1, 2, MarketData).ExpectExit(4, "rank 1 is there already");
        int code = Start("direct", 0, 2, MarketData).WaitForExit();
        Assert.True(code is 0 or 6, $"{code}");
        second.ExpectExit(0);
        Assert.Equal(2, RunFile.Read(_folder.PathOf("run/run.json")).Roles.Count);
    }

    [Theory]
    [InlineData(0, 2)]
    [InlineData(1, 2)]
    public async Task Run_RankThatNeverComes_IsNamed(int rank, int count)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        Start("direct", rank, count, MarketData, meetSeconds: 2).ExpectExit(4, $"rank {1 - rank} did not come");
    }

    [Fact]
    public async Task Run_RoleThatFails_EndsEveryRankWithItsCode()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = [.. Enumerable.Range(0, 3).Select(rank => Start("hub-direct", rank, 3, MarketData + " --cons -itemFile=missing.xml"))];
        ranks[2].ExpectExit(3, "run hub-direct: rank 2: ConsPerf ended with exit code 3: ");
        ranks[1].ExpectExit(3, "run hub-direct: rank 1: ended by rank 2: ConsPerf ended with exit code 3: ");
        ranks[0].ExpectExit(3, "run hub-direct: ended by rank 2: ConsPerf ended with exit code 3: ");
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(("FAILED", 3, 3), (run.Verdict, run.Roles.Count, run.Ranks!.Count));
        Assert.All(run.Roles.SkipLast(1), role => Assert.NotNull(role.Final)); // results of the others are whole
    }

    [Fact]
    public async Task Run_RankThatIsKilled_IsNamedAndTheOthersEnd()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        const string Place = " --seconds 60 --place consumer=0,provider=1";
        RunningTool first = Start("direct", 0, 2, Load + Place, meetSeconds: 90);
        ToolProcess second = StartProcess("direct", 1, 2, Load + Place, meetSeconds: 90);
        first.WaitForLine("images     500 in");
        second.KillAtOnce();
        first.ExpectExit(5, "rank 1 of 2 left no results");
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(["consumer"], run.Roles.Select(role => role.Name));
        Assert.Equal([0, 1], run.Ranks!.Select(rank => rank.Rank));
    }

    /// <summary>The killed rank writes no file that says so, and its consumer continues without it.</summary>
    [Fact]
    public async Task Run_RankThatMeasuresIsKilled_IsNamedByItsSilence()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        const string More = " --seconds 300";
        RunningTool first = Start("direct", 0, 2, Load + More);
        ToolProcess second = StartProcess("direct", 1, 2, Load + More);
        second.WaitForLine("images     500 in");
        second.KillAtOnce();
        first.ExpectExit(5, "rank 1 was not heard of for 60 s; rank 1 of 2 left no results");
        Assert.Equal(["provider"], RunFile.Read(_folder.PathOf("run/run.json")).Roles.Select(role => role.Name));
    }

    [Fact]
    public async Task Run_RankThatIsTerminated_EndsTheOthers()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "no SIGTERM");
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        const string More = " --seconds 60";
        RunningTool first = Start("direct", 0, 2, Load + More), second = Start("direct", 1, 2, Load + More);
        first.WaitForLine("images     500 in");
        second.Signal(RunningTool.Terminate);
        second.ExpectExit(143, "rank 1: ended by SIGTERM");
        first.ExpectExit(5, "ended by rank 1: ended by SIGTERM");
        Assert.Equal(2, RunFile.Read(_folder.PathOf("run/run.json")).Roles.Count);
    }

    private static IEnumerable<RoleResult> Consumers(RunDocument run) => run.Roles.Where(role => role.Name.StartsWith("consumer-", StringComparison.Ordinal));

    private static void AssertSums(RunDocument run, string counter, Func<LinkResult, bool> isMeant)
    {
        LinkResult link = Assert.Single(run.Links, link => isMeant(link));
        long[] counts = [.. Consumers(run).Select(role => role.Final!.Value.GetProperty("overall").GetProperty("counts").GetProperty(counter).GetInt64())];
        Assert.All(counts, count => Assert.True(count > 0));
        Assert.Equal((counts.Sum(), counts.Sum()), (link.Sent, link.Received));
    }

    public void Dispose()
    {
        _started.ForEach(process => process.Dispose());
        _folder.Dispose();
    }

    private RunningTool Start(string scenario, int rank, int count, string options, int meetSeconds = 120) =>
        Keep(PerfToolsRuns.Start(LineOf(scenario, rank, count, options, meetSeconds), _folder.FullPath));

    private ToolProcess StartProcess(string scenario, int rank, int count, string options, int meetSeconds = 120) =>
        Keep(PerfToolsRuns.StartProcess(LineOf(scenario, rank, count, options, meetSeconds), _folder.FullPath));

    private static string LineOf(string scenario, int rank, int count, string options, int meetSeconds) =>
        $"run {scenario} {options} --rank {rank}/{count} --run-id a --address 127.0.0.1 --meet-timeout {meetSeconds} --out run";

    private T Keep<T>(T tool)
        where T : RunningTool
    {
        _started.Add(tool);
        return tool;
    }

    private async Task WaitForFile(string name)
    {
        for (int i = 0; i < 1_200 && !File.Exists(_folder.PathOf(name)); i++)
            await Task.Delay(100, TestContext.Current.CancellationToken);
        Assert.True(File.Exists(_folder.PathOf(name)), string.Concat(_started.Select(process => process.Error + process.Output)));
    }
}
