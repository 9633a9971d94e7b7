using System.Text.Json;
using PerfCommon.Tests;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Several runs of the same ranks, each with its processes, one after another.</summary>
public sealed class RankedSeriesTests : IDisposable
{
    private const string Load = "--items 500 --rate 5000 --latency-rate 500";
    private readonly TestFolder _folder = new();
    private readonly List<RunningTool> _started = [];
    private readonly int _port = FreePort.Find();

    [Fact]
    public async Task Run_Repeated_IsOneRunEachAndTheirComparison()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(2, $"run direct {Load} --seconds 5 --repeat 2 --place provider=0,consumer=1x2 --out run");
        ExpectGood(ranks);
        foreach (string name in (string[])["run-1", "run-2"])
        {
            RunDocument run = RunFile.Read(_folder.PathOf($"run/{name}/run.json"));
            Assert.Equal(["provider", "consumer-1", "consumer-2"], run.Roles.Select(role => role.Name));
            Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
            Assert.True(File.Exists(_folder.PathOf($"run/{name}/report.html")));
            Assert.True(File.Exists(_folder.PathOf($"run/{name}/meet-a/heard-1")) == (name == "run-1"), name);
        }

        Assert.Contains("Together, 2 runs", ranks[0].Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Together", ranks[1].Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--steps 2000,4000:4", 2)]
    public Task Run_ChangingRateOfTwoConsumers_HasStepsOfBoth(string rates, int steps) => CheckSteps(rates, steps);

    [LongTheory]
    [InlineData("--ramp 2000:6000:9", 3)]
    public Task Run_RampOfTwoConsumers_HasStepsOfBoth(string rates, int steps) => CheckSteps(rates, steps);

    private async Task CheckSteps(string rates, int steps)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(3, $"run direct --items 500 --latency-rate 500 {rates} --place provider=1,consumer=0,consumer=2 --out run");
        ExpectGood(ranks);
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(steps, run.Figures!.RateSteps!.Count);
        // On a busy machine one consumer may begin a step later than the other: what both ask for is seen where both are.
        Assert.All(run.Figures.RateSteps, step => Assert.True(step is { Seconds: > 0, RateAsked: > 1_900, LatencyMicros.Count: > 100 }, step.ToString()));
        Assert.Contains(run.Figures.RateSteps, step => step.RateAsked > 3_500);
        Assert.True(run.Figures.RateSteps[^1].RateAsked > 1.3 * run.Figures.RateSteps[0].RateAsked);
    }

    [Theory]
    [InlineData("hub-direct", "provider=0-1,hub=2,consumer=0x2")]
    [InlineData("ni-hub", "hub=2,publisher=0-1,consumer=1")]
    public Task Run_ChangingRateOfTwoSenders_IsAskedOfBothInEachStep(string scenario, string place) => CheckSenders(scenario, place);

    [LongTheory]
    [InlineData("direct", "provider=0-1,consumer=0,consumer=2")]
    public Task Run_ChangingRateOfOtherSenders_IsAskedOfBothInEachStep(string scenario, string place) => CheckSenders(scenario, place);

    private async Task CheckSenders(string scenario, string place)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(3, $"run {scenario} --items 500 --latency-rate 500 --steps 2000,4000:10 --place {place} --out run");
        ExpectGood(ranks);
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.All(run.Links.Concat(run.Pairs ?? []), link => Assert.True(link.Balanced, link.ToString()));
        IReadOnlyList<RateStep> steps = run.Figures!.RateSteps!;
        Assert.Equal([4_000.0, 8_000.0], steps.Select(step => Math.Round(step.RateAsked)));
        Assert.All(steps, step => Assert.True(step is { Seconds: > 0, LatencyMicros.Count: > 100 }, step.ToString()));
        Assert.Contains(steps, step => step.RateReached > 3_000);
    }

    [Fact]
    public async Task Run_ScenarioFileWithoutAFolder_IsOneTable()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(_folder.PathOf("my.json"), """
            { "runs": [
                { "name": "plain", "scenario": "direct", "options": { "items": 500, "rate": 5000, "seconds": 5, "place": "provider=1,consumer=0" } },
                { "name": "raw", "scenario": "transport", "options": { "rate": 5000, "seconds": 5 } } ] }
            """, TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(2, $"run my.json --meet 127.0.0.1:{_port} --meet-token token-of-test --out run-RANK");
        ExpectGood(ranks);
        Assert.Equal([2, 2], ((string[])["plain", "raw"]).Select(name => RunFile.Read(_folder.PathOf($"run-0/{name}/run.json")).Roles.Count));
        Assert.Equal([["consumer"], ["provider"]], RunFile.Read(_folder.PathOf("run-0/plain/run.json")).Ranks!.Select(rank => rank.Roles));
        Assert.True(File.Exists(_folder.PathOf("run-0/report.html")));
        Assert.False(File.Exists(_folder.PathOf("run-1/report.html")));
        Assert.Contains("Run 2 of 2: raw", ranks[1].Output, StringComparison.Ordinal);
        Assert.DoesNotContain("--meet: refused", ranks[0].Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_MatrixOfAScenarioFile_IsARunForEachCombination()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(_folder.PathOf("my.json"), """
            { "scenario": "transport", "options": { "seconds": 3, "latency-rate": 500 },
              "matrix": { "rate": [3000, 5000], "place": ["server=0,client=1", "server=1,client=0"] } }
            """, TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(2, "run my.json --out run");
        ExpectGood(ranks);
        string[] folders = ["rate-3000_place-server-0-client-1", "rate-3000_place-server-1-client-0", "rate-5000_place-server-0-client-1",
            "rate-5000_place-server-1-client-0"];
        RunDocument[] runs = [.. folders.Select(name => RunFile.Read(_folder.PathOf($"run/{name}/run.json")))];
        Assert.Equal([3_000.0, 3_000, 5_000, 5_000], runs.Select(run => run.Figures!.RateAsked!.Value));
        Assert.Equal(["server", "client", "server", "client"], runs.Select(run => run.Ranks![0].Roles[0]));
        Assert.Contains("Run 4 of 4: rate 5000, place server=1,client=0", ranks[1].Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    public Task Duel_TwoRates_AreComparedByTheFirstRank(bool meets) => CheckDuel(meets);

    [LongTheory]
    [InlineData(false)]
    public Task Duel_TwoRatesInASharedFolder_AreComparedByTheFirstRank(bool meets) => CheckDuel(meets);

    private async Task CheckDuel(bool meets)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        string meeting = meets ? $"--meet 127.0.0.1:{_port} --meet-token token-of-test --out run-RANK" : "--out run-0";
        RunningTool[] ranks = StartAll(2, $"duel transport --seconds 3 --latency-rate 500 --pairs 1 --a=--rate=3000 --b=--rate=5000 {meeting}");
        ExpectGood(ranks);
        RunDocument[] runs = [.. ((string[])["warm-up/a", "warm-up/b", "a/run-1", "b/run-1"]).Select(name =>
            RunFile.Read(_folder.PathOf($"run-0/{name}/run.json")))];
        Assert.Equal([3_000.0, 5_000, 3_000, 5_000], runs.Select(run => run.Figures!.RateAsked!.Value));
        Assert.All(runs, run => Assert.True(run.Links.All(link => link.Balanced == true) && run.Ranks!.Count == 2));
        Assert.Contains("Duel of transport, 1 runs each: A --rate=3000, B --rate=5000", ranks[0].Output, StringComparison.Ordinal);
        Assert.True(File.Exists(_folder.PathOf("run-0/comparison.json")));
        Assert.False(File.Exists(_folder.PathOf("run-1/comparison.json")));
        Assert.Contains("    report   ", ranks[0].Output, StringComparison.Ordinal);
        Assert.DoesNotContain("    report   ", ranks[1].Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Duel_SideThatFailsOnOneRank_EndsItOnBoth()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(2, "duel direct --items 500 --rate 5000 --seconds 3 --pairs 2 --b=--cons=-itemFile=missing.xml --out run");
        ranks[1].ExpectExit(3, "duel: B: run direct: rank 1: ConsPerf ended with exit code 3: ");
        ranks[0].ExpectExit(3, "duel: B: run direct: ended by rank 1: ConsPerf ended with exit code 3: ");
        Assert.Equal("FAILED", RunFile.Read(_folder.PathOf("run/warm-up/b/run.json")).Verdict);
        Assert.False(Directory.Exists(_folder.PathOf("run/a")));
        Assert.False(Directory.Exists(_folder.PathOf("run/b")));
    }

    [Fact]
    public async Task Matrix_ProgramsOfOneRank_AreOneTableOnTheFirst()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the programs are files without an extension");
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        string program = Path.Combine(AppContext.BaseDirectory, "TransportPerf");
        RunningTool[] ranks = StartAll(2,
            $"matrix transport --rate 5000 --latency-rate 500 --seconds 3 --rounds 2 --tools client=ours,other:{program} --place server=0,client=1 --out run");
        ExpectGood(ranks);
        string[] cells = [.. Directory.GetDirectories(_folder.PathOf("run")).Where(path => File.Exists(Path.Combine(path, "run-2", "run.json")))];
        Assert.Equal(2, cells.Length);
        Assert.Equal(4, cells.SelectMany(cell => Directory.GetFiles(cell, "run.json", SearchOption.AllDirectories)).Count());
        Assert.Equal(["other: ours", "ours: -"], cells.Order(StringComparer.Ordinal).Select(cell =>
        {
            RunDocument run = RunFile.Read(Path.Combine(cell, "run-1", "run.json"));
            return $"{Path.GetFileName(cell)}: {(run.Inputs.TryGetValue("tools", out JsonElement tools) ? tools.GetProperty("client").GetString() : "-")}";
        }));
        Assert.True(File.Exists(_folder.PathOf("run/matrix.json")));
        Assert.Contains("Matrix of transport: 2 combinations, 2 rounds", ranks[1].Output, StringComparison.Ordinal);
        Assert.Contains("    report   ", ranks[0].Output, StringComparison.Ordinal);
        Assert.DoesNotContain("    report   ", ranks[1].Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_RoleThatFails_EndsTheRunsOfEveryRank()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(3, $"run hub-direct {Load} --seconds 5 --repeat 3 --cons -itemFile=missing.xml --out run");
        ranks[2].ExpectExit(3, "run hub-direct: rank 2: ConsPerf ended with exit code 3: ");
        ranks[1].ExpectExit(3, "run hub-direct: rank 1: ended by rank 2: ConsPerf ended with exit code 3: ");
        ranks[0].ExpectExit(3, "run hub-direct: ended by rank 2: ConsPerf ended with exit code 3: ");
        Assert.Equal("FAILED", RunFile.Read(_folder.PathOf("run/run-1/run.json")).Verdict);
        Assert.False(Directory.Exists(_folder.PathOf("run/run-2")));
    }

    [Fact]
    public async Task Run_Served_ShowsTheRolesOfAllRanksOnTheFirst()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(2, $"run direct {Load} --seconds 8 --serve --place provider=0,consumer=0-1 --out run");
        const string Begin = "Live page: ";
        ranks[0].WaitForLine(Begin);
        string address = ranks[0].Output.Split('\n').First(line => line.StartsWith(Begin, StringComparison.Ordinal))[Begin.Length..].Trim();
        using HttpClient client = new() { Timeout = TimeSpan.FromMinutes(1) };
        List<string> contents = [];
        while (contents.LastOrDefault()?.Contains("data-last", StringComparison.Ordinal) != true)
            contents.Add(await client.GetStringAsync(new Uri(address + "next"), TestContext.Current.CancellationToken));
        ExpectGood(ranks);
        Assert.All((string[])["latency, consumer-1", "latency, consumer-2"], text => Assert.Contains(text, contents[^1], StringComparison.Ordinal));
        Assert.DoesNotContain(Begin, ranks[1].Output, StringComparison.Ordinal);
    }

    /// <summary>Rank 2 has nothing to do and waits for the next run, which rank 0 does not begin.</summary>
    [Fact]
    public async Task Run_RankThatIsKilled_EndsTheRunsOfTheOthers()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        ToolProcess[] ranks = StartProcesses(3, $"run direct {Load} --seconds 60 --repeat 2 --place consumer=0,provider=1 --meet-timeout 30 --out run");
        ranks[0].WaitForLine("images     500 in");
        ranks[1].KillAtOnce();
        ranks[0].ExpectExit(5, "rank 1 of 3 left no results");
        ranks[2].ExpectExit(5, "run direct: rank 2: ");
        Assert.False(Directory.Exists(_folder.PathOf("run/run-2")));
    }

    public void Dispose()
    {
        _started.ForEach(process => process.Dispose());
        _folder.Dispose();
    }

    // 6: the machine was too busy for the rate; everything else must hold then too
    private static void ExpectGood(RunningTool[] ranks)
    {
        int code = ranks[0].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[0].Error}{ranks[0].Output}");
        Assert.All(ranks.Skip(1), rank => rank.ExpectExit(0));
    }

    private RunningTool[] StartAll(int count, string line) =>
        Keep(Enumerable.Range(0, count).Select(rank => PerfToolsRuns.Start(LineOf(rank, count, line), _folder.FullPath)));

    private ToolProcess[] StartProcesses(int count, string line) =>
        Keep(Enumerable.Range(0, count).Select(rank => PerfToolsRuns.StartProcess(LineOf(rank, count, line), _folder.FullPath)));

    private static string LineOf(int rank, int count, string line) =>
        $"{line.Replace("RANK", $"{rank}", StringComparison.Ordinal)} --rank {rank}/{count} --run-id a --address 127.0.0.1";

    private T[] Keep<T>(IEnumerable<T> tools)
        where T : RunningTool
    {
        T[] started = [.. tools];
        _started.AddRange(started);
        return started;
    }
}
