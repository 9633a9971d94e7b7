using System.Globalization;
using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Guide;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Screen;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Editions;

/// <summary>Whole runs in which substitutes for programs of other editions play roles.</summary>
public sealed class EditionRunTests : IDisposable
{
    private static readonly string Program = Path.Combine(AppContext.BaseDirectory, "StandIn.dll");
    private static readonly string[] Small = ["--rate", "10000", "--seconds", "10", "--items", "500"];
    private readonly TestFolder _folder = new();

    [Theory]
    [InlineData("c", false)]
    [InlineData("java", false)]
    [InlineData("csharp", false)]
    [InlineData("ema-cpp", false)] // by its name
    [InlineData("ema-java", false)]
    [InlineData("ema-csharp", true)]
    public async Task Run_Direct_IsJudgedAndReportedAsOurs(string edition, bool mustBeSaid)
    {
        Skip();
        string[] said = mustBeSaid ? ["--edition", $"provider={edition}", "--edition", $"consumer={edition}"] : [];
        RunDocument run = await Run("direct",
            [.. Small, "--threads", "2", Tool("provider", edition, "ProvPerf"), Tool("consumer", edition, "ConsPerf"), .. said]);

        Assert.Equal([edition, edition], run.Roles.Select(role => role.Edition));
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal([true, false, false], run.Links.Take(3).Select(link => link.UnderWay > 0)); // what is asked for once is exact
        Assert.Equal(500, run.Links[1].Received);
        Assert.Null(run.Links[0].NotSent); // no program counts it
        Assert.Null(run.Figures!.SendLagMicros);
        Assert.Equal(500, run.Figures.Images!.Count);
        Assert.Equal(20_000, run.Figures.RateAsked);
        Assert.True(run.Figures.LatencyMicros is { Count: > 100, P50: > 0 });
        Assert.All(run.Roles, role => Assert.True(role.CpuCorePercent > 0 && role.MemoryMegabytes > 10 && role.Outside!.CpuSeconds > 0, role.Name));
        Assert.Contains(run.Roles[1].Figures, figure => figure is { Name: "own.cpuPercent", Value: > 0 });
        Assert.True(new RecordedRole(_folder.PathOf("run"), run.Roles[1]).Intervals.Count >= 3);
        Assert.Empty(RunSchemaTests.Load().FindProblems(JsonDocument.Parse(File.ReadAllText(_folder.PathOf("run/run.json"))).RootElement));
        Assert.Equal(run.Figures.LatencyMicros.Count, new RecordedRole(_folder.PathOf("run"), run.Roles[1]).ReadWhole("updates")!.TotalCount);
        string page = await File.ReadAllTextAsync(_folder.PathOf("run/report.html"), TestContext.Current.CancellationToken);
        Assert.Contains($"ConsPerf ({edition})", page, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("c", "java")]
    [InlineData("csharp", "c")]
    [InlineData("java", "csharp")]
    public async Task Run_Transport_IsJudgedAsOurs(string server, string client)
    {
        Skip();
        RunDocument run = await Run("transport",
            ["--rate", "10000", "--seconds", "10", Tool("server", server, "TransportPerf"), Tool("client", client, "TransportPerf")]);
        Assert.True(run.Links[0] is { Balanced: true, Received: > 10_000 }, run.Links[0].ToString());
        Assert.True(run.Figures!.LatencyMicros is { Count: > 100, P50: > 0 });
    }

    [Theory]
    [InlineData("c")]
    [InlineData("java")]
    [InlineData("csharp")]
    [InlineData("ema-cpp")]
    [InlineData("ema-java")]
    [InlineData("ema-csharp")]
    public async Task Run_Published_GoesThroughOurHub(string edition)
    {
        Skip();
        RunDocument run = await Run("ni-hub", [.. Small, Tool("publisher", edition, "NIProvPerf"), "--edition", $"publisher={edition}"]);
        Assert.Equal(["publisher"], run.Roles.Where(role => role.Edition is not null).Select(role => role.Name));
        Assert.All(run.Links, link => Assert.True(link.Balanced != false, link.ToString()));
        Assert.True(run.Links[0].Received > 10_000);
    }

    [Fact]
    public async Task Run_PublisherStartsSlowly_ConsumerIsStartedWhenTheHubHasItsImages()
    {
        Skip();
        RunDocument run = await Run("ni-hub", [.. Small, $"--tool=publisher={DotNet} {Program} c NIProvPerf fault=slow", "--edition", "publisher=c"]);
        Assert.True(run.Links[0] is { Balanced: not false, Received: > 10_000 }, run.Links[0].ToString());
    }

    [Fact]
    public async Task Run_LatencyFile_SaysWhatTheHistogramOfTheSameRunSays()
    {
        Skip();
        await Run("direct", [.. Small, Tool("consumer", "c", "ConsPerf")]);
        string folder = _folder.PathOf("run/consumer-files");
        JsonElement last = JsonElement.Parse(File.ReadLines(Path.Combine(folder, "standin.jsonl")).Last());
        RunLatency histogram = RunLatency.Read(new JsonView(last).Part("overall.whole.latency"))!;
        LatencyFile file = LatencyFile.TryRead(Path.Combine(folder, "Latency1.csv"), maxPoints: 1)!;
        PerfCommon.Measurement.LatencyFigures figures = file.Rows.Single().Figures;
        Assert.Equal(histogram.Count, figures.Count);
        Assert.Equal(histogram.Max, figures.Max);
        AssertWithinACell(histogram.P50, figures.P50);
        AssertWithinACell(histogram.P90, figures.P90);
    }

    [Theory]
    [InlineData("crash", 5, "ConsPerf (the Java edition) ended with exit code 139: Segmentation fault at address 0x0")]
    [InlineData("refuse", 5, "ConsPerf (the Java edition) ended with exit code 255: Unknown option: -serviceName")]
    [InlineData("images", 5, "ConsPerf (the Java edition): Error: Failed to receive all images within 7 seconds.")]
    [InlineData("silent", 5, "ConsPerf (the Java edition): left no closing figures: \"")]
    public async Task Run_Fault_IsNamed(string fault, int expected, string reason)
    {
        Skip();
        RunDocument run = await Run("direct", [.. Small, $"--tool=consumer={DotNet} {Program} java ConsPerf fault={fault}"], expected);
        Assert.Equal("FAILED", run.Verdict);
        Assert.StartsWith(reason, run.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_NobodyListens_IsNamedThoughItExitsWithZero()
    {
        Skip();
        RunDocument run = await Run("direct", [.. Small, "--external", "provider=127.0.0.1:1", Tool("consumer", "java", "ConsPerf")], 5);
        Assert.StartsWith("ConsPerf (the Java edition): ", run.Reason, StringComparison.Ordinal);
        Assert.Equal(0, run.Roles[1].ExitCode);
    }

    [Fact]
    public async Task Run_ProviderThatGoes_IsNamedThoughItsConsumerHangs()
    {
        Skip();
        RunDocument run = await Run("direct", ["--rate", "1000", "--seconds", "20", "--items", "100", Tool("consumer", "java", "ConsPerf"),
            $"--tool=provider={DotNet} {Program} c ProvPerf fault=gone"], 5);
        Assert.Equal("FAILED", run.Verdict);
        Assert.Contains("ProvPerf (the C edition) had ended", run.Reason, StringComparison.Ordinal);
        Assert.Equal([0, 130], run.Roles.Select(role => role.ExitCode));
    }

    [Theory]
    [InlineData("mute", "ProvPerf (the C edition) did not listen within 2 s")]
    [InlineData("stuck", "ProvPerf (the C edition) did not end within 1 s of SIGTERM and was killed: ")]
    public async Task Run_ProgramThatHangs_IsEndedWithinTheLimits(string fault, string reason)
    {
        Skip();
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        ScenarioOptions options = new()
        {
            Rate = 1000,
            Items = 100,
            Seconds = 10,
            Editions = new EditionOptions().WithTool($"provider={DotNet} {Program} c ProvPerf fault={fault}")!,
        };
        RunFolder folder = RunFolder.Open(_folder.PathOf("run"), "direct", DateTime.UtcNow, []);
        ScenarioRun run = new(DirectScenario.Direct, options, folder, new RunScreen(new RunConsole(TextWriter.Null), null, "upd/s"))
        {
            Limits = RunLimits.For(10) with
            {
                Port = TimeSpan.FromSeconds(fault == "mute" ? 2 : 60),
                Ask = TimeSpan.FromSeconds(1),
                Terminate = TimeSpan.FromSeconds(1)
            },
        };
        RunDocument document = run.Run(StopRequest.None);
        Assert.Equal("FAILED", document.Verdict);
        Assert.StartsWith(reason, document.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4, "ProvPerf cannot be started: /no/such/provperf: no such file", "--tool", "provider=/no/such/provperf")]
    [InlineData(2, "--tool provider: the answer to -help (\"ready -help\") is that of no edition: add --edition provider= with one of ours, c, java, "
        + "csharp, ema-cpp, ema-java, ema-csharp", "--tool", "provider=echo ready")]
    [InlineData(2, "ProvPerf (the C edition): the C edition knows no --stamp", "--tool", "provider=echo", "--edition", "provider=c", "--stamp", "due")]
    public async Task Run_WhatCannotBegin_SaysWhy(int code, string reason, params string[] words)
    {
        Skip();
        RunDocument run = await Run("direct", [.. Small, .. words], code);
        Assert.Equal(("FAILED", reason), (run.Verdict, run.Reason));
    }

    [Theory]
    [InlineData("--tool: hub: unknown role;", "--tool", "hub=echo")]
    [InlineData("--edition: provider needs --tool provider=\"command\"", "--edition", "provider=c")]
    [InlineData("--tool: the provider is external and is not started here", "--tool", "provider=echo", "--external", "provider=h:1")]
    [InlineData("--data: /no/such: no such folder", "--data", "/no/such", "--tool", "provider=echo")]
    [InlineData("--data is of the programs that --tool names", "--data", "/")]
    [InlineData("--edition", "--edition", "provider=cobol", "--tool", "provider=echo")]
    public async Task Run_WrongWords_AreRefused(string problem, params string[] words)
    {
        (int code, _, string error) = await PerfToolsRuns.Run(["run", "direct", .. words]);
        Assert.Equal(2, code);
        Assert.StartsWith($"perftools: {problem}", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_OurProgramOfAnotherPlace_IsTakenAsOurs()
    {
        Skip();
        RunDocument run = await Run("direct", [.. Small, $"--tool=consumer={DotNet} {Path.Combine(AppContext.BaseDirectory, "ConsPerf.dll")}"]);
        Assert.All(run.Roles, role => Assert.Null(role.Edition));
        Assert.Null(run.Links[0].UnderWay);
        Assert.NotNull(run.Figures!.SendLagMicros);
    }

    public void Dispose() => _folder.Dispose();

    private static string DotNet => Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet";

    private static void Skip() => Assert.SkipWhen(OperatingSystem.IsWindows(), "programs of other editions are ended by signals");

    private static string Tool(string role, string edition, string tool) => $"--tool={role}={DotNet} {Program} {edition} {tool}";

    // A cell of the histogram is 1/128 wide, or one microsecond.
    private static void AssertWithinACell(double? expected, double? actual) =>
        Assert.True(Math.Abs(expected!.Value - actual!.Value) <= Math.Max(1, expected.Value / 64),
            string.Create(CultureInfo.InvariantCulture, $"{expected} {actual}"));

    private async Task<RunDocument> Run(string scenario, string[] words, int? expected = null)
    {
        (int code, string output, string error) = await PerfToolsRuns.Run(["run", scenario, "--out", _folder.PathOf("run"), .. words]);
        Assert.True(expected is { } known ? code == known : code is 0 or 6, $"exit code {code}: {error}{output}"); // 6: the machine was too busy for the rate
        return RunFile.Read(_folder.PathOf("run/run.json"));
    }
}
