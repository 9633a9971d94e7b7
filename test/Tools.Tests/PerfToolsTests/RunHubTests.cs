using PerfTools;
using PerfTools.Processes;
using PerfTools.Results;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>A hub between the roles, all of them real processes on loopback.</summary>
[Collection("processes")]
public sealed class RunHubTests : IDisposable
{
    private static readonly string[] Small = ["--items", "500", "--rate", "5000", "--latency-rate", "500", "--seconds", "3"];
    private readonly TestFolder _folder = new();

    [Theory(Timeout = 180_000)]
    [InlineData("hub-direct")]
    [InlineData("hub-direct", "--pack", "10")]
    [InlineData("hub-direct", "--connection", "encrypted")]
    [InlineData("ni-hub")]
    [InlineData("ni-hub", "--preload")]
    public async Task Run_ThroughAHub_IsCompleteAndConserved(params string[] arguments)
    {
        (RunDocument run, string output) = await Run([.. arguments, .. Small]);

        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal(500, run.Figures!.Images!.Count);
        Assert.Equal(5000, run.Figures.RateAsked);
        Assert.True(run.Figures.LatencyMicros!.Count > 100, output);
        Assert.Equal(["hub"], run.Links.Where(link => link.What == "passed on").Select(link => link.From));
        Assert.Contains("HubPerf", run.Roles.Select(role => role.Tool));
        Assert.True(new FileInfo(_folder.PathOf("run/HubSummary.out")).Length > 0);
    }

    [Fact(Timeout = 180_000)]
    public async Task Run_ExternalHub_IsMeasuredAndLeftRunning()
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        int port = FreePort.Find();
        using ToolProcess hub = ToolProcess.Start("HubPerf", _folder.FullPath, $"-p {port} -niPort {port} -runTime 120");
        Assert.Equal(port, await hub.ListeningPort(cancel));
        (RunDocument run, _) = await Run(["ni-hub", .. Small, "--external", $"hub=127.0.0.1:{port}", "--ni-port", $"{port}"]);

        Assert.Equal(500, run.Figures!.Images!.Count);
        Assert.All(run.Links, link => Assert.False(link.Comparable));
        hub.Signal(ToolProcess.Terminate);
        Assert.Equal(143, await hub.ExitCode(cancel));
    }

    public void Dispose() => _folder.Dispose();

    private async Task<(RunDocument Run, string Output)> Run(string[] arguments)
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", .. arguments, "--out", _folder.PathOf("run")];
        int code = await Task.Run(() => Program.Run(args, output, error), TestContext.Current.CancellationToken);
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}"); // 6: the machine was too busy for the rate; all else must hold
        return (RunFile.Read(_folder.PathOf("run/run.json")), output.ToString());
    }
}
