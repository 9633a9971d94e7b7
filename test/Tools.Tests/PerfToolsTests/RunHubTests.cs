using PerfTools.Processes;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>A hub between the roles, all of them real processes on loopback.</summary>
public sealed class RunHubTests : IDisposable
{
    private static readonly string[] Small = ["--items", "500", "--rate", "5000", "--latency-rate", "500", "--seconds", "10"];
    private readonly TestFolder _folder = new();

    [Theory]
    [InlineData("hub-direct", 5000)]
    [InlineData("hub-direct", 5000, "--connection", "encrypted")]
    [InlineData("ni-hub", 6250, "--preload", "--args", "consumer=-threads 2 -commonItemCount 100")] // 400 items, 100 of them twice
    public async Task Run_ThroughAHub_IsCompleteAndConserved(string scenario, double rateAsked, params string[] arguments)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        (RunDocument run, string output) = await Run([scenario, .. arguments, .. Small]);

        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal(500, run.Figures!.Images!.Count);
        double spread = arguments.Contains("--args") ? 0.02 * rateAsked : 0; // updates from before the last watcher have fewer copies
        Assert.Equal(rateAsked, run.Figures.RateAsked!.Value, spread);
        Assert.True(run.Figures.LatencyMicros!.Count > 100, output);
        Assert.Equal(["hub"], run.Links.Where(link => link.What == "passed on").Select(link => link.From));
        AssertUnwatched(run, isPublished: scenario == "ni-hub");
        Assert.Contains("HubPerf", run.Roles.Select(role => role.Tool));
        Assert.True(new FileInfo(_folder.PathOf("run/HubSummary.out")).Length > 0);
    }

    [Theory]
    [InlineData("hub-direct", 6500, "updates", "--pack", "10", "--posting", "1500", "--generic", "1000", "--rtt")]
    [InlineData("posting", 6000, "updates")]
    [InlineData("posting", 1000, "posts", "--no-updates", "--preload")]
    [InlineData("posting", 2000, "posts", "--no-provider", "--posting", "2000")]
    public async Task Run_PostsThroughAHub_ComeBackAndAreConserved(string scenario, int rateAsked, string first, params string[] arguments)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        (RunDocument run, string output) = await Run([scenario, .. Small, .. arguments]);

        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal(first, run.Links[0].What);
        AssertUnwatched(run, isPublished: scenario == "posting" && first == "updates");
        Assert.Equal(rateAsked, run.Figures!.RateAsked);
        Assert.InRange(run.Figures.RateReached, rateAsked * 0.5, rateAsked * 1.5);
        Assert.True(run.Figures.LatencyMicros!.Count > 100, output);
        string[] routes =
            [.. run.Links.Where(link =>
                link.What is "posts" or "generic msgs" && link.Sent > 0).Select(link => $"{link.What} {link.From} {link.To}").Order()];
        Assert.Equal(
            scenario == "posting" ? ["posts consumer hub"] : [
                "generic msgs consumer hub", "generic msgs hub consumer", "generic msgs hub provider", "generic msgs provider hub",
                "posts consumer hub", "posts hub provider",
            ],
            routes);
    }

    [Fact]
    public async Task Run_OrderBooksPublished_AreCompleteAndConserved()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        string items = string.Concat(Enumerable.Range(1, 50).Select(i => $"<item domain=\"{DomainOf(i)}\" name=\"I{i}\"/>"));
        File.WriteAllText(_folder.PathOf("items.xml"), $"<itemList>{items}</itemList>");
        string files = $"-itemFile {_folder.PathOf("items.xml")} -msgFile {Path.Combine(AppContext.BaseDirectory, "MarketByOrder.xml")}";
        (RunDocument run, string output) = await Run(
            ["ni-hub", "--items", "50", "--rate", "5000", "--latency-rate", "1000", "--seconds", "10", "--args", "publisher=" + files,
                "--args", "consumer=" + files]);

        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal(50, run.Figures!.Images!.Count);
        Assert.True(run.Figures.LatencyMicros!.Count > 100, output);
    }

    [Fact]
    public async Task Run_ExternalHub_IsMeasuredAndLeftRunning()
    {
        using Runs.RunFolder folder = new();
        int port = FreePort.Find();
        RunningTool hub = folder.Start("HubPerf", $"-p {port} -niPort {port} -runTime 600");
        Assert.Equal(port, hub.Port);
        string[] words = ["ni-hub", .. Small, "--external", $"hub=127.0.0.1:{port}", "--ni-port", $"{port}"];
        (RunDocument run, _) = await Run(words);

        Assert.Equal(500, run.Figures!.Images!.Count);
        Assert.All(run.Links, link => Assert.False(link.Comparable));
        Runs.RunFolder.End(hub);
    }

    public void Dispose() => _folder.Dispose();

    private static string DomainOf(int item) => item % 2 == 0 ? "MarketPrice" : "MarketByOrder";

    private async Task<(RunDocument Run, string Output)> Run(string[] arguments)
    {
        (int code, string output, string error) = await PerfToolsRuns.Run(["run", .. arguments, "--out", _folder.PathOf("run")]);
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}"); // 6: the machine was too busy for the rate; all else must hold
        return (RunFile.Read(_folder.PathOf("run/run.json")), output);
    }

    // A publisher sends before the consumer is there; a provider may send after it has left. The last posts of a consumer may come back from
    // another thread of the hub when it has left.
    private static void AssertUnwatched(RunDocument run, bool isPublished)
    {
        LinkResult? passed = run.Links.FirstOrDefault(link => link.What == "passed on");
        LinkResult? posts = run.Links.FirstOrDefault(link => link.What == "posts passed on");
        Assert.InRange(passed?.Unwatched ?? 0, isPublished ? 1 : 0, passed?.Lost ?? 0);
        Assert.InRange(posts?.Unwatched ?? 0, 0, posts?.Lost ?? 0);
        Assert.All(run.Links.Where(link => link != passed && link != posts), link => Assert.Equal(0, link.Unwatched));
    }
}
