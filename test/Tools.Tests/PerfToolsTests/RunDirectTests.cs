using System.Text.Json;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Real roles as real processes on loopback.</summary>
public sealed class RunDirectTests : IDisposable
{
    private static readonly string[] Small = ["--items", "500", "--rate", "5000", "--latency-rate", "500", "--seconds", "10"];
    private static readonly string[] Kept = ["--assert", "images>=100%,rate>1,lost<1,memory<4000MB"];
    private readonly TestFolder _folder = new();

    [Theory]
    [InlineData("")]
    [InlineData("-prime")]
    public async Task Run_Direct_IsCompleteAndConserved(string consumerOptions)
    {
        string[] args = ["run", "direct", .. Small, .. Kept, "--out", _folder.PathOf("run"), "--cons",
            $"-noDisplayStats {consumerOptions}"];
        (int code, string output, string error) = await PerfToolsRuns.Run(args);

        // 6: the machine was too busy for the rate; everything else must hold then too
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}");
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal(500, run.Figures!.Images!.Count);
        Assert.True(run.Figures.LatencyMicros!.Count > 100);
        Assert.Equal([true, true, true, true], run.Assertions.Select(assertion => assertion.Kept));
        Assert.Equal(143, run.Roles[0].ExitCode);
        Assert.DoesNotContain('\u001b', output);
        Assert.EndsWith($"report       {_folder.PathOf("run/report.html")}\n", output, StringComparison.Ordinal);
        Assert.Empty(RunSchemaTests.Load().FindProblems(JsonDocument.Parse(File.ReadAllText(_folder.PathOf("run/run.json"))).RootElement));
        foreach (string file in (string[])["ProvPerf.log", "ConsPerf.log", "ProvPerf.jsonl", "ConsPerf.jsonl", "ProvStats1.csv",
            "ProvSummary.out", "ConsStats1.csv", "ConsSummary.out", "intervals.csv", "report.html", "Cons-updates.hlog",
            "Cons-updates.hgrm", "Prov-sendLag.hlog"])
        {
            Assert.True(new FileInfo(_folder.PathOf("run/" + file)).Length > 0, file);
        }
    }

    [Fact]
    public async Task Run_BoundAndSmooth_RunsEachWorkerWhereItWasPut()
    {
        IReadOnlyList<int> usable = UsableProcessors.Find();
        Assert.SkipWhen(usable.Count < 2 || OperatingSystem.IsMacOS(), "nothing to bind to");
        string[] args = ["run", "direct", .. Small, "--bind", "auto", "--smooth", "--out", _folder.PathOf("run")];
        (int code, string output, string error) = await PerfToolsRuns.Run(args);
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}"); // 6: as above
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal($"provider {usable[0]}, consumer {usable[1]}", run.Placement);
        Assert.Contains($"    processors   {run.Placement}\n", output, StringComparison.Ordinal);
        JsonElement[] parts = [.. run.Roles.Select(role => role.Final!.Value.GetProperty("overall").GetProperty("placement"))];
        Assert.All(parts, part => Assert.Equal(100, part.GetProperty("processors")[0].GetProperty("percent").GetDouble()));
        Assert.All(parts, part => Assert.Equal(0, part.GetProperty("changes").GetInt64()));
        Assert.All(new RecordedRole(_folder.PathOf("run"), run.Roles[0]).Intervals,
            interval => Assert.True(interval.View.Part("overall").Part("placement").Exists)); // of each interval too
        Assert.Contains(" -tickRate 5000 ", run.Roles[0].Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_UpdatesPostsAndGenericMessagesBothWays_ConservesEachExactly()
    {
        string[] combined = ["--posting", "2000", "--generic", "2000", "--rtt", "--threads", "2", "--assert", "images>=100%,lost<1"];
        string[] args = ["run", "direct", .. Small, .. combined, "--out", _folder.PathOf("run")];
        (int code, string output, string error) = await PerfToolsRuns.Run(args);

        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}"); // 6: as above
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal(["generic msgs", "generic msgs", "posts", "refreshes", "requests", "updates"],
            run.Links.Select(link => link.What).Order());
        Assert.All(run.Links, link => Assert.True(link is { Balanced: true, Comparable: true, Sent: > 0, Lost: 0 }, link.ToString()));
        Assert.All(run.Assertions, assertion => Assert.True(assertion.Kept, assertion.Line));
    }

    [Fact]
    public async Task Run_ThresholdMissed_ExitsWithSixAndShowsEach()
    {
        string[] forPrograms = ["--json", "-", "--junit", _folder.PathOf("junit.xml"), "--markdown", _folder.PathOf("run.md")];
        string[] args = ["run", "direct", .. Small, .. forPrograms, "--out", _folder.PathOf("run"), "--assert",
            "images>=100%,p50<1ns,p99.99<1s"];
        (int code, string output, string error) = await PerfToolsRuns.Run(args);
        Assert.Equal(6, code);
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Equal([true, false, false], run.Assertions.Select(assertion => assertion.Kept));
        Assert.Contains("p50<1ns: p50 is ", error, StringComparison.Ordinal);
        Assert.All(run.Assertions,
            assertion => Assert.Contains($"assertion    {assertion.Line}", error, StringComparison.Ordinal));
        Assert.Equal(File.ReadAllText(_folder.PathOf("run/run.json")), output);
        Assert.Contains("tests=\"4\" failures=\"", File.ReadAllText(_folder.PathOf("junit.xml")), StringComparison.Ordinal);
        Assert.StartsWith($"**{run.Verdict}** direct: ", File.ReadAllText(_folder.PathOf("run.md")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_RoleRefusesAnOption_SaysWhatTheRoleSaid()
    {
        string[] args = ["run", "direct", .. Small, "--out", _folder.PathOf("run"), "--prov", "-nonsense 1"];
        (int code, string output, string error) = await PerfToolsRuns.Run(args);
        Assert.Equal(2, code);
        Assert.StartsWith(
            "perftools: run direct: ProvPerf ended before it listened with exit code 2: ProvPerf: -nonsense: unknown option",
            error, StringComparison.Ordinal);
        Assert.Contains("FAILED", output, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
