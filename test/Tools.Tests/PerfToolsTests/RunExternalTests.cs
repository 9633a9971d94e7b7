using PerfTools;
using PerfTools.Results;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>A role that somebody else has started takes the place of ours.</summary>
[Collection("processes")]
public sealed class RunExternalTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact(Timeout = 120_000)]
    public async Task Run_ExternalProvider_IsMeasuredAndLeftRunning()
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        using ToolProcess provider = ToolProcess.Start("ProvPerf", _folder.FullPath,
            "-p 0 -updateRate 5000 -latencyUpdateRate 500 -runTime 100");
        int port = await provider.ListeningPort(cancel);
        (RunDocument run, string output) = await Run("direct", "--items", "500", "--seconds", "2", "--external",
            $"provider=127.0.0.1:{port}");

        Assert.Contains($"direct, provider at 127.0.0.1:{port}: 500 items, 2 s\n", output, StringComparison.Ordinal);
        Assert.Equal(("OK", null), (run.Verdict, run.Reason));
        Assert.Equal((null, 500), (run.Figures!.RateAsked, run.Figures.Images!.Count));
        Assert.True(run.Figures.LatencyMicros!.Count > 100);
        Assert.All(run.Links, link => Assert.Equal((false, null), (link.Comparable, link.Balanced)));
        Assert.True(run.Links[0] is { What: "updates", Sent: null, Received: > 1000 }, run.Links[0].ToString());
        Assert.Equal((null, $"external 127.0.0.1:{port}", null), (run.Roles[0].Tool, run.Roles[0].Command, run.Roles[0].ExitCode));
        Assert.Contains("not comparable", output, StringComparison.Ordinal);

        provider.Signal(ToolProcess.Terminate);
        Assert.Equal(143, await provider.ExitCode(cancel));
    }

    [Theory(Timeout = 120_000)]
    [InlineData("transport", "-msgRate 5000 -latencyMsgRate 500")]
    [InlineData("reflect", "-reflectMsgs")]
    public async Task Run_ExternalServer_IsMeasured(string scenario, string arguments)
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        using ToolProcess server = ToolProcess.Start("TransportPerf", _folder.FullPath, $"-appType server -p 0 -runTime 100 {arguments}");
        int port = await server.ListeningPort(cancel);
        (RunDocument run, string output) = await Run(scenario, "--rate", "5000", "--seconds", "2", "--external",
            $"server=localhost:{port}");

        // the client's own rate is judged where it sends
        Assert.True(run.Verdict is "OK" || (scenario == "reflect" && run.Verdict == "SLOW"), output);
        Assert.Equal(scenario == "reflect" ? 5000 : null, run.Figures!.RateAsked);
        Assert.True(run.Figures.RateReached > 0, output);
        Assert.All(run.Links, link => Assert.False(link.Comparable));
    }

    [Fact(Timeout = 60_000)]
    public async Task Run_ExternalProviderThatIsNotThere_CouldNotStart()
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", "direct", "--seconds", "1", "--external", "provider=127.0.0.1:1", "--args", "consumer=-steadyStateTime 3",
            "--out", _folder.PathOf("run")];
        int code = await Task.Run(() => Program.Run(args, output, error), TestContext.Current.CancellationToken);
        Assert.Equal(4, code);
        Assert.StartsWith("perftools: run direct: ConsPerf ended with exit code 4", error.ToString(), StringComparison.Ordinal);
    }

    [Theory(Timeout = 60_000)]
    [InlineData("-keypasswd secret -ppasswd=hidden", "Warning: -keypasswd, -ppasswd: everybody on this machine can read a password on the command line; @file reads it from a file.\n")]
    [InlineData("-ppasswd @nowhere", "")]
    public async Task Run_PasswordAmongTheArgumentsOfARole_IsWarnedOfOnceAndNeverShown(string given, string warning)
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", "direct", "--seconds", "1", "--external", "provider=127.0.0.1:1", "--args",
            $"consumer=-steadyStateTime 1 {given}", "--out", _folder.PathOf("run")];
        await Task.Run(() => Program.Run(args, output, error), TestContext.Current.CancellationToken);
        string[] said = output.ToString().Split('\n');
        Assert.Equal(warning, string.Concat(said.Where(line => line.Contains("password", StringComparison.Ordinal)).Select(line => line + "\n")));
        string all = output.ToString() + error + File.ReadAllText(_folder.PathOf("run/run.json"));
        Assert.DoesNotContain("secret", all, StringComparison.Ordinal);
        Assert.DoesNotContain("hidden", all, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private async Task<(RunDocument Run, string Output)> Run(params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", .. arguments, "--out", _folder.PathOf("run")];
        int code = await Task.Run(() => Program.Run(args, output, error), TestContext.Current.CancellationToken);
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}");
        return (RunFile.Read(_folder.PathOf("run/run.json")), output.ToString());
    }
}
