using System.Net.Sockets;
using System.Net;
using System.Text.RegularExpressions;
using PerfCommon.Tests;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Ranks of one run as real processes on loopback, each with a separate folder: they connect to the port of rank 0.</summary>
public sealed partial class RanksWithoutFolderTests : IDisposable
{
    private const string Load = "--items 500 --rate 5000 --latency-rate 500";
    private const string MarketData = Load + " --seconds 6";
    private readonly TestFolder _folder = new();
    private readonly List<RunningTool> _started = [];
    private readonly int _port = FreePort.Find();

    [Theory]
    [InlineData("hub-direct", "provider=1,hub=1,consumer=0,consumer=2", "provider hub consumer-1 consumer-2", "")]
    public Task Run_ThreeFolders_AreOneRunThatAddsUp(string scenario, string place, string roles, string more) =>
        CheckFolders(scenario, place, roles, more);

    [LongTheory]
    [InlineData("direct", "provider=0,consumer=1-2", "provider consumer-1 consumer-2", "")]
    [InlineData("direct", "provider=1,consumer=0,consumer=2", "provider consumer-1 consumer-2", "--connection encrypted")]
    [InlineData("ni-hub", "hub=1,publisher=0,consumer=2", "hub publisher consumer", "--preload")]
    public Task Run_ThreeFoldersOfOtherScenarios_AreOneRunThatAddsUp(string scenario, string place, string roles, string more) =>
        CheckFolders(scenario, place, roles, more);

    /// <summary>The hub trusts the authority of the source's rank, the consumer that of the hub's; no rank has the private key of another.</summary>
    [Fact]
    public async Task Run_EncryptedInThreeFolders_KeepsEachKeyOnItsRank()
    {
        await CheckFolders("hub-direct", "provider=0,hub=1,consumer=2", "provider hub consumer", "--connection encrypted");
        string[] keys = [.. Directory.EnumerateFiles(_folder.FullPath, "*.key", SearchOption.AllDirectories).Order()];
        Assert.Equal(["run-0/server.key", "run-1/server.key"], keys.Select(key => Path.GetRelativePath(_folder.FullPath, key)));
        Assert.NotEqual(File.ReadAllText(keys[0]), File.ReadAllText(keys[1]));
        Assert.Equal([1, 2, 1], Enumerable.Range(0, 3).Select(rank =>
            Regex.Count(File.ReadAllText(_folder.PathOf($"run-{rank}/ca.pem")), "BEGIN CERTIFICATE")));
    }

    private async Task CheckFolders(string scenario, string place, string roles, string more)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool[] ranks = [.. Enumerable.Range(0, 3).Reverse().Select(rank => Start(scenario, rank, 3, $"{MarketData} {more} --place {place}"))];

        int code = ranks[^1].WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {ranks[^1].Error}{ranks[^1].Output}");
        Assert.All(ranks.SkipLast(1), rank => rank.ExpectExit(0));
        RunDocument run = RunFile.Read(_folder.PathOf("run-0/run.json"));
        Assert.Equal(roles.Split(' '), run.Roles.Select(role => role.Name));
        Assert.All(run.Roles, role => Assert.True(role.Final is not null && role.ExitCode is 0 or 143, role.Name));
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.True(run.Links[0].Sent > 5_000, run.Links[0].ToString());
        Assert.True(run.Figures!.LatencyMicros!.Count > 100);
        Assert.Equal([0, 1, 2], run.Ranks!.Select(rank => rank.Rank));
        Assert.All(run.Roles, role => Assert.True(File.Exists(_folder.PathOf($"run-0/{role.Files!.JsonLines}")), role.Name));
        Assert.All(run.Clocks!, clock => Assert.True(clock is { ErrorMicros: >= 0 and < 1e6, Shift.Ticks: 0 }, clock.ToString()));
        Assert.Equal(3, run.Clocks!.Count);
        Assert.False(File.Exists(_folder.PathOf("run-1/run.json")));
        Assert.Empty(Directory.GetDirectories(_folder.PathOf("run-0/meet-a")));
        Assert.DoesNotContain("--meet:", ranks[^1].Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_AnotherToken_IsRefusedAndTheRunGoesOn()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool first = Start("direct", 0, 2, MarketData);
        Start("direct", 1, 2, MarketData, token: "another-token").ExpectExit(4, $"--meet 127.0.0.1:{_port}: refused by rank 0: another token");
        RunningTool second = Start("direct", 1, 2, MarketData);
        int code = first.WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {first.Error}{first.Output}");
        second.ExpectExit(0);
        Assert.Contains("Warning: --meet: refused a connection, the first from ", first.Output, StringComparison.Ordinal);
        Assert.Contains(": another token.", first.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_StrangersAtThePort_DoNotHoldItUp()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool first = Start("direct", 0, 2, MarketData);
        List<Socket> strangers = [];
        try
        {
            for (int i = 0; i < 40; i++)
            {
                strangers.Add(await Connect());
                if (i % 2 == 0)
                    await strangers[^1].SendAsync(i % 4 == 0 ? "GET / HTTP/1.1\r\n\r\n"u8.ToArray() : [0, 0, 4], TestContext.Current.CancellationToken);
            }

            RunningTool second = Start("direct", 1, 2, MarketData);
            int code = first.WaitForExit();
            Assert.True(code is 0 or 6, $"{code}: {first.Error}{first.Output}");
            second.ExpectExit(0);
            Assert.Contains("Warning: --meet: refused 40 connections, the first from ", first.Output, StringComparison.Ordinal);
        }
        finally
        {
            strangers.ForEach(stranger => stranger.Dispose());
        }
    }

    [Theory]
    [InlineData("consumer=1,provider=0", "provider")] // rank 0 has shown its lines: they are no results
    public Task Run_RankThatIsKilled_IsNamedAndTheOthersAreWhole(string place, string left) => CheckKilled(place, left);

    [LongTheory]
    [InlineData("consumer=0,provider=1", "consumer")]
    public Task Run_ProviderOfARankThatIsKilled_IsNamedAndTheConsumerIsWhole(string place, string left) => CheckKilled(place, left);

    private async Task CheckKilled(string place, string left)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        string options = $"{Load} --seconds 60 --place {place}";
        RunningTool first = Start("direct", 0, 2, options);
        ToolProcess second = StartProcess("direct", 1, 2, options);
        first.WaitForLine("images     500 in");
        second.KillAtOnce();
        first.ExpectExit(5, "rank 1 of 2 left no results");
        Assert.Equal([left], RunFile.Read(_folder.PathOf("run-0/run.json")).Roles.Select(role => role.Name));
    }

    /// <summary>The page of rank 0 has the figures of a consumer whose files it does not see.</summary>
    [Fact]
    public async Task Run_Served_ShowsTheRolesOfTheOthers()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        const string Place = Load + " --seconds 10 --place consumer=1,provider=0";
        RunningTool first = Start("direct", 0, 2, Place + " --serve"), second = Start("direct", 1, 2, Place);
        Uri next = new(first.WaitForLine("Live page: ").Split(' ')[^1] + "next");
        using HttpClient client = new() { Timeout = TimeSpan.FromSeconds(60) };
        List<string> contents = [];
        while (contents.LastOrDefault()?.Contains("data-last", StringComparison.Ordinal) != true)
            contents.Add(await client.GetStringAsync(next, TestContext.Current.CancellationToken));
        int code = first.WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {first.Error}{first.Output}");
        second.ExpectExit(0);

        string[] measuring = [.. contents.Where(content => content.Contains("measuring, ", StringComparison.Ordinal)).Distinct()];
        Assert.InRange(measuring.Length, 5, int.MaxValue);
        string rate = Received().Match(measuring[^1]).Groups[1].Value;
        Assert.Contains($"\"updateRate\":{rate}", File.ReadAllText(_folder.PathOf("run-1/ConsPerf.jsonl")), StringComparison.Ordinal);
        Assert.All((string[])["provider", "consumer"], role => Assert.Contains($"data-figure=\"live.{role}.memory\"", measuring[^1], StringComparison.Ordinal));
        Assert.Contains($"<b id=verdict>{RunFile.Read(_folder.PathOf("run-0/run.json")).Verdict}</b>", contents[^1], StringComparison.Ordinal);
    }

    /// <summary>The rank with the port writes nothing any longer: the other finds it silent, and ends without it.</summary>
    [Fact]
    public async Task Run_FirstRankIsKilled_IsNamedByItsSilence()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        const string Place = Load + " --seconds 300 --place consumer=1,provider=0";
        ToolProcess first = StartProcess("direct", 0, 2, Place);
        RunningTool second = Start("direct", 1, 2, Place);
        second.WaitForLine("images     500 in");
        first.KillAtOnce();
        Assert.True(second.WaitForExit() is 5, second.Error + second.Output);
    }

    [Fact]
    public async Task Run_ResultFileThatCannotBeSent_MakesTheRankMissing()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        Directory.CreateDirectory(_folder.PathOf("run-1"));
        File.CreateSymbolicLink(_folder.PathOf("run-1/ConsPerf-notes.txt"), "/dev/zero");
        RunningTool first = Start("direct", 0, 2, MarketData), second = Start("direct", 1, 2, MarketData);
        first.ExpectExit(5, "rank 1 of 2 left no results");
        second.ExpectExit(7, $"the results were not sent to rank 0 (127.0.0.1:{_port}): ");
        Assert.False(File.Exists(_folder.PathOf("run-0/ConsPerf.jsonl")));
        Assert.Equal(["provider"], RunFile.Read(_folder.PathOf("run-0/run.json")).Roles.Select(role => role.Name));
    }

    [Fact]
    public async Task Run_FirstRankThatNeverComes_IsNamed()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        Start("direct", 1, 2, MarketData, meetSeconds: 2).ExpectExit(4, $"--meet 127.0.0.1:{_port}: rank 0 was not found within 2 s: ");
    }

    [Fact]
    public async Task Run_PortInUse_IsNamed()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        using TcpListener other = new(IPAddress.Loopback, _port);
        other.Start();
        Start("direct", 0, 2, MarketData, meetSeconds: 2).ExpectExit(4, $"--meet: cannot listen on 127.0.0.1:{_port}: ");
    }

    public void Dispose()
    {
        _started.ForEach(process => process.Dispose());
        _folder.Dispose();
    }

    [GeneratedRegex("data-figure=\"live.received\" data-value=\"([0-9.]+)\"")]
    private static partial Regex Received();

    private async Task<Socket> Connect()
    {
        for (int i = 0; ; i++)
        {
            Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                await socket.ConnectAsync(IPAddress.Loopback, _port, TestContext.Current.CancellationToken);
                return socket;
            }
            catch (SocketException) when (i < 600)
            {
                socket.Dispose();
                await Task.Delay(100, TestContext.Current.CancellationToken);
            }
        }
    }

    private RunningTool Start(string scenario, int rank, int count, string options, string token = "the-right-token", int meetSeconds = 120) =>
        Keep(PerfToolsRuns.Start(LineOf(scenario, rank, count, options, token, meetSeconds), _folder.FullPath));

    private ToolProcess StartProcess(string scenario, int rank, int count, string options) =>
        Keep(PerfToolsRuns.StartProcess(LineOf(scenario, rank, count, options, "the-right-token", 120), _folder.FullPath));

    private string LineOf(string scenario, int rank, int count, string options, string token, int meetSeconds) =>
        $"run {scenario} {options} --rank {rank}/{count} --run-id a --address 127.0.0.1 --meet 127.0.0.1:{_port} "
        + $"--meet-token {token} --meet-timeout {meetSeconds} --out run-{rank}";

    private T Keep<T>(T tool)
        where T : RunningTool
    {
        _started.Add(tool);
        return tool;
    }
}
