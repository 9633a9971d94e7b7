using PerfTools;
using PerfTools.Results;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Real roles as real processes on loopback.</summary>
[Collection("processes")]
public sealed class RunDirectTests : IDisposable
{
    private static readonly string[] Small = ["--items", "500", "--rate", "5000", "--latency-rate", "500", "--seconds", "3"];
    private readonly TestFolder _folder = new();

    [Fact(Timeout = 120_000)]
    public async Task Run_Direct_IsCompleteAndConserved()
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", "direct", .. Small, "--out", _folder.PathOf("run")];
        int code = await Task.Run(() => Program.Run(args, output, error), TestContext.Current.CancellationToken);

        // 6: the machine was too busy for the rate; everything else must hold then too
        Assert.True(code is 0 or 6, $"exit code {code}: {error}{output}");
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Equal(500, run.Figures!.Images!.Count);
        Assert.True(run.Figures.LatencyMicros!.Count > 100);
        Assert.Equal(143, run.Roles[0].ExitCode);
        Assert.DoesNotContain('\u001b', output.ToString());
        foreach (string file in (string[])["ProvPerf.log", "ConsPerf.log", "ProvPerf.jsonl", "ConsPerf.jsonl", "ProvStats1.csv", "ProvSummary.out", "ConsStats1.csv", "ConsSummary.out"])
            Assert.True(new FileInfo(_folder.PathOf("run/" + file)).Length > 0, file);
    }

    [Fact(Timeout = 60_000)]
    public async Task Run_RoleRefusesAnOption_SaysWhatTheRoleSaid()
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", "direct", .. Small, "--out", _folder.PathOf("run"), "--prov", "-nonsense 1"];
        int code = await Task.Run(() => Program.Run(args, output, error), TestContext.Current.CancellationToken);
        Assert.Equal(2, code);
        Assert.StartsWith(
            "perftools: run direct: ProvPerf ended before it listened with exit code 2: ProvPerf: -nonsense: unknown option",
            error.ToString(), StringComparison.Ordinal);
        Assert.Contains("FAILED", output.ToString(), StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
