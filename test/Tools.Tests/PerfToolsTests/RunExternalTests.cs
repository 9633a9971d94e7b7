using System.Text.Json;
using PerfTools;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>A role that was started outside of perftools replaces ours.</summary>
public sealed class RunExternalTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Run_ExternalProvider_IsMeasuredAndLeftRunning()
    {
        using Runs.RunFolder folder = new();
        RunningTool provider = folder.Start("ProvPerf", "-p 0 -updateRate 5000 -latencyUpdateRate 500 -runTime 600");
        int port = provider.Port;
        (RunDocument run, string output) = await Run("direct", "--items", "500", "--seconds", "10", "--external",
            $"provider=127.0.0.1:{port}");

        Assert.Contains($"direct, provider at 127.0.0.1:{port}: 500 items, 10 s\n", output, StringComparison.Ordinal);
        Assert.Equal(("OK", null), (run.Verdict, run.Reason));
        Assert.Equal((null, 500), (run.Figures!.RateAsked, run.Figures.Images!.Count));
        Assert.True(run.Figures.LatencyMicros!.Count > 100);
        Assert.All(run.Links, link => Assert.Equal((false, null), (link.Comparable, link.Balanced)));
        Assert.True(run.Links[0] is { What: "updates", Sent: null, Received: > 1000 }, run.Links[0].ToString());
        Assert.Equal((null, $"external 127.0.0.1:{port}", null), (run.Roles[0].Tool, run.Roles[0].Command, run.Roles[0].ExitCode));
        Assert.Contains("not comparable", output, StringComparison.Ordinal);

        Runs.RunFolder.End(provider);
    }

    [Theory]
    [InlineData("direct", "consumer", "ConsPerf", "-itemCount 100 -steadyStateTime 12")]
    [InlineData("transport", "client", "TransportPerf", "-appType client -msgRate 0 -latencyMsgRate 0 -runTime 12")]
    public async Task Run_ExternalThatConnects_IsWaitedForUntilItLeaves(string scenario, string role, string program, string arguments)
    {
        using Runs.RunFolder folder = new();
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        Task<(RunDocument Run, string Output)> running = Run(scenario, "--rate", "5000", "--seconds", "10", "--external", role);
        string log = _folder.PathOf($"run/{(scenario == "direct" ? "ProvPerf" : "TransportServer")}.log");
        string? listening = null;
        while (listening is null && !running.IsCompleted)
        {
            await Task.Delay(50, limit.Token);
            listening = File.Exists(log) ? ReadShared(log).Split('\n').FirstOrDefault(line => line.StartsWith("Listening on port ", StringComparison.Ordinal))
                : null;
        }

        folder.Start(program, $"{arguments} -h 127.0.0.1 -p {listening!.Split(' ')[3]} -jsonFile own.jsonl").WaitForExit();
        (RunDocument run, string output) = await running;
        Assert.True(run.Verdict is "OK" or "SLOW", run.Reason); // SLOW: the machine was too busy for the rate
        Assert.Contains($"Waiting for the {role}: connect it to port ", output, StringComparison.Ordinal);
        Assert.True(run.Links[0] is { Sent: > 1000, Received: null, Comparable: false }, run.Links[0].ToString());
        Assert.Equal((null, null), (run.Figures!.RateAsked, run.Figures.LatencyMicros));
        Assert.True(run.Figures.RateReached > 0);
        Assert.Equal("external elsewhere", run.Roles[1].Command);
        Assert.True(File.Exists(_folder.PathOf("run/report.html")));

        (int code, _, string error) = await PerfToolsRuns.Run("report", _folder.PathOf("run"), "--add", $"{role}={folder.Path}");
        Assert.True(code == 0, error);
        RunDocument whole = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.True(whole.Links[0] is { Received: > 1000, Balanced: true }, whole.Links[0].ToString());
        Assert.Equal(run.Links[0].Sent, whole.Links[0].Sent);
        Assert.True(whole.Figures is { RateAsked: 5000, LatencyMicros.Count: > 100 } || scenario == "transport", whole.Figures!.ToString());
        Assert.Equal((program, $"external, added from {folder.Path}"), (whole.Roles[1].Tool, whole.Roles[1].Command));
        Assert.NotEmpty(whole.Roles[1].Figures);
        (code, _, error) = await PerfToolsRuns.Run("report", _folder.PathOf("run"), "--add", $"{role}={folder.Path}");
        Assert.Equal(3, code);
        Assert.Contains("was added before", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Report_AddOfAnotherEdition_TakesItsFiles()
    {
        JsonElement sent = JsonElement.Parse("{\"overall\":{\"counts\":{\"updatesSent\":12345}}}");
        RunDocument waited = SampleFigures.Run with
        {
            Roles =
            [SampleFigures.Run.Roles[0] with { Final = sent }, RoleOutcome.OfExternal("consumer", HostAddress.Elsewhere)]
        };
        Directory.CreateDirectory(_folder.PathOf("own"));
        File.WriteAllText(_folder.PathOf("run.json"), RunFile.CreateText(waited));
        File.WriteAllText(_folder.PathOf("own/ConsSummary.out"),
            "--- TEST INPUTS ---\n\n--- OVERALL SUMMARY ---\nSteady State Statistics:\n  Sampling duration (sec): 5\n  Avg update rate: 777\nTest "
                + "Statistics:\n  Updates received: 12345\n");
        string[] words = ["report", _folder.FullPath, "--add", $"consumer={_folder.PathOf("own")}"];
        (int code, _, string error) = await PerfToolsRuns.Run(words);
        Assert.Equal(3, code);
        Assert.Contains("of another edition name it: --edition consumer=", error, StringComparison.Ordinal);
        (code, _, error) = await PerfToolsRuns.Run([.. words, "--edition", "consumer=java"]);
        Assert.True(code == 0, error);
        RunDocument run = RunFile.Read(_folder.PathOf("run.json"));
        Assert.Equal(("java", 12345, 777), (run.Roles[1].Edition, run.Links[0].Received, run.Figures!.RateReached));
        Assert.NotNull(run.Links[0].UnderWay);
    }

    [Theory]
    [InlineData(2, "report: --add needs the folder of one run", "a", "b", "--add", "consumer=c")]
    [InlineData(2, "--edition: consumer needs --add consumer=folder", "a", "--edition", "consumer=c")]
    [InlineData(2, "--add: 'x' is not role=folder", "a", "--add", "x")]
    public async Task Report_WrongWords_AreRefused(int expected, string problem, params string[] words)
    {
        (int code, _, string error) = await PerfToolsRuns.Run(["report", .. words]);
        Assert.Equal((expected, $"perftools: {problem}\n"), (code, error));
    }

    [Theory]
    [InlineData("--external: the consumer connects itself; give consumer alone", "consumer=h:1")]
    [InlineData("--external: give provider=host:port", "provider")]
    public async Task Run_ExternalInTheWrongForm_IsRefused(string problem, string external)
    {
        (int code, _, string error) = await PerfToolsRuns.Run("run", "direct", "--external", external);
        Assert.Equal((2, $"perftools: {problem}\n"), (code, error));
    }

    [Fact]
    public async Task Run_BothEndsExternal_IsRefused()
    {
        (int code, _, string error) = await PerfToolsRuns.Run("run", "direct", "--external", "provider=h:1", "--external", "consumer");
        Assert.Equal(2, code);
        Assert.Contains("both external", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("transport", "-msgRate 5000 -latencyMsgRate 500")]
    [InlineData("reflect", "-reflectMsgs")]
    public async Task Run_ExternalServer_IsMeasured(string scenario, string arguments)
    {
        using Runs.RunFolder folder = new();
        int port = folder.Start("TransportPerf", $"-appType server -p 0 -runTime 600 {arguments}").Port;
        (RunDocument run, string output) = await Run(scenario, "--rate", "5000", "--seconds", "10", "--external",
            $"server=localhost:{port}");

        // the client's own rate is judged where it sends
        Assert.True(run.Verdict is "OK" || (scenario == "reflect" && run.Verdict == "SLOW"), output);
        Assert.Equal(scenario == "reflect" ? 5000 : null, run.Figures!.RateAsked);
        Assert.True(run.Figures.RateReached > 0, output);
        Assert.All(run.Links, link => Assert.False(link.Comparable));
    }

    [Fact]
    public async Task Run_ExternalProviderThatIsNotThere_CouldNotStart()
    {
        string[] args = ["run", "direct", "--seconds", "1", "--external", "provider=127.0.0.1:1", "--args", "consumer=-steadyStateTime 10",
            "--out", _folder.PathOf("run")];
        (int code, string output, string error) = await PerfToolsRuns.Run(args);
        Assert.True(code == 4, output + error);
        Assert.StartsWith("perftools: run direct: ConsPerf ended with exit code 4", error, StringComparison.Ordinal);
    }

    [Theory(Timeout = 180_000)]
    [InlineData("-keypasswd secret -ppasswd=hidden",
        "Warning: -keypasswd, -ppasswd: everybody on this machine can read a password on the command line; @file reads it from a file.\n")]
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

    // The run writes it meanwhile.
    private static string ReadShared(string path)
    {
        using FileStream stream = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }

    private async Task<(RunDocument Run, string Output)> Run(params string[] arguments)
    {
        (int code, string output, string error) = await PerfToolsRuns.Run(["run", .. arguments, "--out", _folder.PathOf("run")]);
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}");
        return (RunFile.Read(_folder.PathOf("run/run.json")), output);
    }
}
