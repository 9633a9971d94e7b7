using PerfTools.Results.Documents;
using Tools.Tests.LatencyTests;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Whole runs by programs that the framework executes, each role in one of them: other tests may start native programs.</summary>
public sealed class FrameworkProgramsTests : IDisposable
{
    private const string Domain = "DOMAIN";

    private readonly Runs.RunFolder _folder = new();

    [Theory]
    [InlineData("direct --items 100 --rate 1000 --seconds 5", "ConsPerf ProvPerf")]
    [InlineData("ni-hub --items 100 --rate 1000 --seconds 5", "ConsPerf HubPerf NIProvPerf")]
    [InlineData("transport --rate 1000 --seconds 5", "TransportPerf")]
    [InlineData("roundtrip --transport tcp --samples 2000 --size 64 --domain DOMAIN", "LatencyPerf")]
    [InlineData("users-low --steps 10 --period 2 --warmup 5 --settle 0 --set subjects=100 --set subscriptions=10", "HubPerf UsersPerf")]
    public async Task Run_EveryRole_IsCompleteAndConserved(string arguments, string tools)
    {
        Assert.SkipUnless(ToolProcess.OtherFolder is null, "all programs are those of another folder");
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        if (arguments.Contains(Domain, StringComparison.Ordinal))
            arguments = arguments.Replace(Domain, $"{RoundtripRuns.NextDomain}", StringComparison.Ordinal); // a drawn one may be another test's
        ToolProcess run = _folder.StartOfFramework(ToolPrograms.PerfToolsName, $"run {arguments} --out run");

        Assert.True(run.WaitForExit() is 0 or 6, run.Error + run.Output); // 6: the machine was too busy for the rate
        string file = Assert.Single(Directory.EnumerateFiles(_folder.PathOf("run"), "run.json", SearchOption.AllDirectories));
        RunDocument document = RunFile.Read(file);
        Assert.All(document.Links, link => Assert.True(link.Balanced, link.ToString()));
        string[] used = tools.Split(' ');
        Assert.All(used, tool => Assert.Contains(document.Roles, role => role.Command.Contains($"{tool}.dll", StringComparison.Ordinal)));
        Assert.All(document.Roles, role => Assert.Contains(" exec ", role.Command, StringComparison.Ordinal));
    }

    public void Dispose() => _folder.Dispose();
}
