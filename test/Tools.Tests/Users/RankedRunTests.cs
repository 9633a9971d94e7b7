using System.Text.Json;
using PerfTools.Processes;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Ranks of one run with their rendezvous in a folder; here as threads, each with its processes.</summary>
public sealed class RankedRunTests : IDisposable
{
    private readonly RunDirectory _folder = new();

    [Fact]
    public async Task Run_ThreeRanks_AddUpToOneRun()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        (int Code, string Output, string Error)[] ranks = await Task.WhenAll(Enumerable.Range(0, 3).Select(rank => Run(
            "users-medium", "--rank", $"{rank}/3", "--run-id", "a", "--address", "127.0.0.1", "--meet-timeout", "120", "--start-in", "10",
            "--steps", "10,20", "--period", "2",
            "--warmup", "0", "--settle", "5", "--set", "subjects=100", "--set", "subscriptions=10")));

        // a machine that is busy may be slow, but it counts
        Assert.All(ranks, rank => Assert.True(rank.Code is 0 or 6, rank.Error + rank.Output));
        string ramp = _folder.File("users-medium-base");
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(Path.Combine(ramp, "run.json")));
        Assert.All(document.RootElement.GetProperty("links").EnumerateArray(),
            link => Assert.True(link.GetProperty("balanced").GetBoolean(), link.ToString()));
        Assert.Equal(3, document.RootElement.GetProperty("ranks").GetArrayLength());
        Assert.Equal(["hub", "source-1", "source-2", "users-1", "users-2"],
            document.RootElement.GetProperty("roles").EnumerateArray().Select(role => role.GetProperty("name").GetString()));
        string[] steps = File.ReadAllLines(Path.Combine(ramp, "steps.csv"));
        Assert.Equal(["10", "20"], steps.Skip(1).Select(line => line.Split(',')[4]));
        Assert.Equal(["10", "20"], steps.Skip(1).Select(line => line.Split(',')[5])); // users in, of both ranks
        foreach (string file in (string[])["suite.json", "report.html", "users-medium-base/merged-steps.hlog",
            "users-medium-base/merged-check-steps.hlog", "users-medium-base/rank-2/run.json"])
        {
            Assert.True(File.Exists(_folder.File(file)), file);
        }

        string again = _folder.File("again");
        Assert.Equal(5, Program("merge", Path.Combine(ramp, "rank-0"), Path.Combine(ramp, "rank-1"), "--out", again).Code);
        Assert.Contains("rank 2 of 3 left no results", File.ReadAllText(Path.Combine(again, "run.json")), StringComparison.Ordinal);
        Program("merge", Path.Combine(ramp, "rank-2"), Path.Combine(ramp, "rank-0"), Path.Combine(ramp, "rank-1"), "--out", again);
        Assert.Equal(File.ReadAllText(Path.Combine(ramp, "merged-steps.hlog")), File.ReadAllText(Path.Combine(again, "merged-steps.hlog")));
    }

    /// <summary>Each rank has a folder of its machine; rank 0 has the results of all.</summary>
    [Fact]
    public async Task Run_ThreeRanksWithoutASharedFolder_AddUpToOneRun()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        string port = $"127.0.0.1:{FreePort.Find()}";
        (int Code, string Output, string Error)[] ranks = await Task.WhenAll(Enumerable.Range(0, 3).Select(rank => RunInto(_folder.File($"out-{rank}"),
            "users-medium", "--rank", $"{rank}/3", "--run-id", "a", "--address", "127.0.0.1", "--meet", port, "--meet-token", "token-of-test",
            "--meet-timeout", "120", "--start-in", "10", "--place", "hub=1,source=0,users=0,users=2", "--steps", "10,20", "--period", "2",
            "--warmup", "0", "--settle", "5", "--set", "subjects=100", "--set", "subscriptions=10")));
        Assert.All(ranks, rank => Assert.True(rank.Code is 0 or 6, rank.Error + rank.Output));
        string ramp = _folder.File("out-0/users-medium-base");
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(Path.Combine(ramp, "run.json")));
        Assert.All(document.RootElement.GetProperty("links").EnumerateArray(),
            link => Assert.True(link.GetProperty("balanced").GetBoolean(), link.ToString()));
        Assert.Equal(["hub", "source-1", "source-2", "users-1", "users-2"],
            document.RootElement.GetProperty("roles").EnumerateArray().Select(role => role.GetProperty("name").GetString()).Order());
        Assert.All(document.RootElement.GetProperty("clocks").EnumerateArray(),
            clock => Assert.InRange(clock.GetProperty("errorMicros").GetDouble(), 0, 1e6));
        Assert.Equal(["10", "20"], File.ReadAllLines(Path.Combine(ramp, "steps.csv")).Skip(1).Select(line => line.Split(',')[5]));
        foreach (int rank in (int[])[1, 2])
        {
            Assert.False(File.Exists(_folder.File($"out-{rank}/suite.json")));
            Assert.False(Directory.Exists(Path.Combine(ramp, "meet-a", $"from-{rank}")));
            string[] own = Names(_folder.File($"out-{rank}/users-medium-base/rank-{rank}")), brought = Names(Path.Combine(ramp, $"rank-{rank}"));
            Assert.Contains("run.json", own);
            Assert.Equal(own, brought);
        }

        static string[] Names(string folder) => [.. Directory.GetFiles(folder).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];
    }

    [Theory]
    [InlineData("hub=1,source=1,users=2")]
    [InlineData("hub=0,source=1,users=2")] // their sources would fill the hub
    public async Task Run_RanksThatNeverCome_AreNamed(string place)
    {
        (int code, _, string error) = await Run("users-low", "--rank", "0/3", "--run-id", "a", "--place", place, "--meet-timeout", "1");
        Assert.Equal((4, "perftools: run users-low base: rank 0: ranks 1, 2 did not come; ranks 1, 2 of 3 left no results\n"),
            (code, error));
    }

    [Theory]
    [InlineData("--rank 0/2 --run-id a --place hub=0,source=2,users=1", "--place: there is no rank 2 among 2")]
    [InlineData("--rank 0/2", "--rank: --run-id must say what all ranks call the run")]
    [InlineData("--rank 2/2 --run-id a", "--rank: '2/2' is not auto, or a rank from 0 and their number such as 2/6")]
    [InlineData("--place hub=0,source=0,users=0", "--place, --run-id and --address need --rank")]
    public async Task Run_WrongRanks_AreRefused(string line, string problem)
    {
        (int code, _, string error) = await Run(["users-low", .. line.Split(' ')]);
        Assert.Equal((2, $"perftools: {problem}\n"), (code, error));
    }

    public void Dispose() => _folder.Dispose();

    // Each on a separate thread: the output of their processes arrives on those of the pool.
    private Task<(int Code, string Output, string Error)> Run(params string[] words) => RunInto(_folder.Path, words);

    private static Task<(int Code, string Output, string Error)> RunInto(string folder, params string[] words) => Task.Factory.StartNew(
        () => Program(["run", .. words, "--out", folder]), TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning,
        TaskScheduler.Default);

    private static (int Code, string Output, string Error) Program(params string[] words)
    {
        using StringWriter output = new(), error = new();
        return (PerfTools.Program.Run(words, output, error), output.ToString(), error.ToString());
    }
}
