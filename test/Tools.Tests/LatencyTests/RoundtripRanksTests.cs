using LatencyPerf.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Tools.Tests.PerfToolsTests;
using Tools.Tests.Runs;
using Xunit;
using RunFolder = PerfTools.Results.Documents.RunFolder;

namespace Tools.Tests.LatencyTests;

/// <summary>Round trips between ranks: each side is found at the address of its rank, in the one domain that rank 0 names.</summary>
public sealed class RoundtripRanksTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly List<RunningTool> _started = [];
    private readonly int _port = FreePort.Find();

    public void Dispose()
    {
        _started.ForEach(process => process.Dispose());
        _folder.Dispose();
    }

    [Theory]
    [InlineData(0, "127.0.0.1", "-nic 127.0.0.1 -transport 1 -waitTime 30 -peer 10.9.8.7 -peer 127.0.0.1 -subscribers 2")]
    [InlineData(0, "other.name", "-domainId 7 -transport 1 -waitTime 30 -peer 10.9.8.7 -peer other.name -subscribers 2")] // each interface
    [InlineData(1, "127.0.0.1", "-domainId 9 -nic 127.0.0.1 -transport 1 -waitTime 30 -peer 10.9.8.7 -cookie 1 -noecho")]
    public void CreateArguments_SidesOnTwoRanks_NameTheirAddressesAndOneDomain(int rank, string address, string told)
    {
        ScenarioOptions options = new() { Roundtrip = new() { Subscribers = 2, Domain = 7 } };
        RankPlacement place = RankPlacement.TryParse("publisher=0,subscriber1=1,subscriber2=0", RoundtripScenario.Roundtrip.Roles.Select(role => role.Name))!;
        options = options with { Ranks = options.Ranks with { Place = place, Address = address, MeetSeconds = 60 } };
        Rendezvous other = Join(1 - rank, "10.9.8.7");
        other.PublishTools([]);
        other.PublishClock("another");
        if (rank == 1)
            other.PublishStart(new(DateTime.UtcNow, Domain: 9)); // that of rank 0 counts
        using ScenarioRanks ranks = new(RoundtripScenario.Roundtrip, options, Join(rank, address));
        options = ranks.Meet(StopRequest.None, () => { }, _ => { });
        Role role = RoundtripScenario.Roundtrip.Roles[rank];
        IReadOnlyList<string> arguments = role.CreateArguments(new(options, Open(), new Dictionary<string, HostAddress>(), 10) { Ranks = ranks });
        Assert.Contains(told, string.Join(' ', arguments), StringComparison.Ordinal);
        Assert.Null(LatencyPerfOptionTable.Instance.Parse(arguments).Problem);
        Assert.Equal(rank == 0 ? 7 : 9, (rank == 0 ? other.FindStart()!.Domain : options.Roundtrip.Domain));
    }

    [Fact]
    public void CreateArguments_SidesOnOneRank_AreOnTheLoopback()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the addresses of the loopback");
        ScenarioOptions options = new() { Roundtrip = new() { Domain = 7 } };
        RankPlacement place = RankPlacement.TryParse("publisher=1,subscriber1=1", RoundtripScenario.Roundtrip.Roles.Select(role => role.Name))!;
        using ScenarioRanks ranks = new(RoundtripScenario.Roundtrip, options with { Ranks = options.Ranks with { Place = place } }, Join(1, "10.9.8.7"));
        string arguments = string.Join(' ', RoundtripScenario.Roundtrip.Roles[0].CreateArguments(
            new(options, Open(), new Dictionary<string, HostAddress>(), 10) { Ranks = ranks }));
        Assert.Contains("-nic 127.0.0.1 -transport 1 -waitTime 30 -peer 127.0.0.2 ", arguments, StringComparison.Ordinal);
    }

    /// <summary>A test for each transport, and one more for its baseline where one-way times of several subscribers are asked for.</summary>
    [Theory]
    [InlineData("", 1)]
    [InlineData("--one-way", 1)]
    [InlineData("--one-way --subscribers 2", 2)]
    [InlineData("--transport udp,tcp,rssl", 3)]
    [InlineData("--transport udp,tcp --one-way --subscribers 3", 4)]
    public void CountRuns_IsTheNumberOfTests(string line, int count) =>
        Assert.Equal(count, RoundtripScenario.Roundtrip.CountRuns(OptionLines.Accept(RoundtripScenario.Roundtrip.Options, line)));

    /// <summary>What a rank goes on to does not depend on figures that only rank 0 has; a test that fails is the last on every rank.</summary>
    [Theory]
    [InlineData(nameof(ExitCode.Success), nameof(ExitCode.Success), "udp-baseline,udp,tcp-baseline,tcp", nameof(ExitCode.Success))]
    [InlineData(nameof(ExitCode.AssertionMissed), nameof(ExitCode.Success), "udp-baseline,udp,tcp-baseline,tcp", nameof(ExitCode.AssertionMissed))]
    [InlineData(nameof(ExitCode.Success), nameof(ExitCode.AssertionMissed), "udp-baseline,udp,tcp-baseline,tcp", nameof(ExitCode.AssertionMissed))]
    [InlineData(nameof(ExitCode.Incomplete), nameof(ExitCode.Success), "udp-baseline", nameof(ExitCode.Incomplete))]
    [InlineData(nameof(ExitCode.Success), nameof(ExitCode.Incomplete), "udp-baseline,udp", nameof(ExitCode.Incomplete))]
    public void Run_TestsOfARank_GoOnUntilOneFails(string baseline, string test, string runs, string code)
    {
        List<string> made = [];
        bool isOver = false;
        RunOutcome? RunOnce(ScenarioOptions options)
        {
            if (isOver)
                return null;
            made.Add(Path.GetFileName(options.Out!));
            string own = options.Out!.EndsWith("udp-baseline", StringComparison.Ordinal) ? baseline
                : options.Out.EndsWith("udp", StringComparison.Ordinal) ? test : nameof(ExitCode.Success);
            isOver = own == nameof(ExitCode.Incomplete);
            return new(Enum.Parse<ExitCode>(own), "why");
        }

        ScenarioOptions options = OptionLines.Accept(
            RoundtripScenario.Roundtrip.Options, $"--one-way --subscribers 2 --transport udp,tcp --out {_folder.PathOf("all")}");
        using RunSignals signals = RunSignals.OfThread();
        RunOutcome outcome = RoundtripScenario.Roundtrip.Series!.Run(options, new(new RunConsole(TextWriter.Null), signals), RunOnce, null);
        Assert.Equal((code, runs), (outcome.Code.ToString(), string.Join(',', made)));
    }

    [Fact]
    public async Task Run_PublisherOnTheSecondRank_IsJudgedByTheFirst()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll("--samples 2000 --size 64 --subscribers 2 --place publisher=1,subscriber1=0,subscriber2=2 --out run", 3);
        ExpectGood(ranks);
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(["publisher", "subscriber1", "subscriber2"], run.Roles.Select(role => role.Name));
        Assert.Equal(["data", "data", "replies"], run.Links.Select(link => link.What).Order());
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal([2_000L], run.Figures!.RoundTrips!.Select(size => size.Samples));
        Assert.Equal([["subscriber1"], ["publisher"], ["subscriber2"]], run.Ranks!.Select(rank => rank.Roles));
        Assert.All(run.Roles, role => Assert.Equal($"{run.Inputs["domain"].GetInt32()}", OptionOf(role, "Domain")));
        Assert.Null(run.Figures.Clock); // there and back on one clock
    }

    [Fact]
    public async Task Run_TransportsWithoutAFolder_AreOneTableOnTheFirstRank()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll(
            $"--transport udp,tcp --samples 2000 --size 64 --place publisher=1,subscriber1=0 --meet 127.0.0.1:{_port} --meet-token token-of-test --out run-RANK", 2);
        ExpectGood(ranks);
        Assert.Equal(["tcp", "udp"], Directory.GetDirectories(_folder.PathOf("run-0")).Select(path => Path.GetFileName(path)).Order());
        Assert.All((string[])["tcp", "udp"], transport =>
            Assert.True(RunFile.Read(_folder.PathOf($"run-0/{transport}/run.json")).Links.All(link => link.Balanced == true)));
        Assert.Matches(@"bytes +udp p50 +udp p99 +tcp p50 +tcp p99 +tcp-udp\n +64 ", ranks[0].Output);
        Assert.DoesNotContain("udp p50", ranks[1].Output, StringComparison.Ordinal);
        Assert.Equal((true, false), (File.Exists(_folder.PathOf("run-0/report.html")), File.Exists(_folder.PathOf("run-1/report.html"))));
    }

    /// <summary>The baseline is that of the rank with the publisher, which has its own files only.</summary>
    [Fact]
    public async Task Run_OneWayOfTwoSubscribers_IsByABaselineOfTheSameRanks()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll("--one-way --samples 2000 --size 64 --subscribers 2 --place publisher=1,subscriber1=0,subscriber2=1 "
            + $"--meet 127.0.0.1:{_port} --meet-token token-of-test --out run-RANK", 2);
        ExpectGood(ranks);
        Assert.Equal(["publisher", "subscriber1"], RunFile.Read(_folder.PathOf("run-0/udp-baseline/run.json")).Roles.Select(role => role.Name));
        RunDocument run = RunFile.Read(_folder.PathOf("run-0/udp/run.json"));
        Assert.Equal(["publisher", "subscriber1", "subscriber2"], run.Roles.Select(role => role.Name));
        Assert.Matches("run-1.udp-baseline.LatencyPublisher.jsonl$", OptionOf(run.Roles[0], "Baseline"));
        Assert.Contains("bytes, ave us, 50% us (estimate)", File.ReadAllText(_folder.PathOf("run-1/udp/LatencyPublisher.log")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_TestThatFailsOnOneRank_IsTheLastOnAll()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = StartAll("--transport udp,tcp --samples 2000 --size 64 --args subscriber1=-noecho --out run", 2);
        Assert.All(ranks, rank => Assert.Equal(4, rank.WaitForExit())); // both sides refuse: the first to say so ends the other
        Assert.All(ranks, rank => Assert.True(rank.Error.Contains("start the one with cookie 1 without -noecho", StringComparison.Ordinal), rank.Error));
        Assert.Equal("FAILED", RunFile.Read(_folder.PathOf("run/udp/run.json")).Verdict);
        Assert.False(Directory.Exists(_folder.PathOf("run/tcp")));
    }

    private static string OptionOf(RoleResult role, string label) => role.Final!.Value.GetProperty("options").GetProperty(label).GetString()!;

    private static void ExpectGood(RunningTool[] ranks)
    {
        int code = ranks[0].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[0].Error}{ranks[0].Output}");
        Assert.All(ranks.Skip(1), rank => rank.ExpectExit(0));
    }

    private RunFolder Open() => RunFolder.Open(_folder.PathOf("run"), "", DateTime.UtcNow, []);

    private Rendezvous Join(int rank, string address) => Rendezvous.Join(Open().FullPath, "a", ThisRank.Describe(rank, 2, [$"role-{rank}"], address));

    // Rank 0 is given a domain that no other test has, which a drawn one may be; the other ranks have it from rank 0.
    private RunningTool[] StartAll(string options, int count)
    {
        RunningTool[] ranks = [.. Enumerable.Range(0, count).Select(rank => PerfToolsRuns.Start(
            $"run roundtrip {options.Replace("RANK", $"{rank}", StringComparison.Ordinal)} --rank {rank}/{count} --run-id a --address 127.0.0.1 --meet-timeout 120"
                + (rank == 0 ? $" --domain {RoundtripRuns.NextDomain}" : ""), _folder.FullPath))];
        _started.AddRange(ranks);
        return ranks;
    }
}
