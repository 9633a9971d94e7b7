using PerfCommon.Tests;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>A rank that is killed in one of the phases of a run: the other ends within its limit and names it, with its own results whole.</summary>
public sealed class RankPhasesTests : IDisposable
{
    private const string Line = "run direct --items 500 --rate 5000 --latency-rate 500 --seconds 6 --place provider=0,consumer=1 "
        + "--run-id a --address 127.0.0.1 --meet-timeout 60 --out run";

    private readonly TestFolder _folder = new();
    private readonly List<RunningTool> _started = [];

    public void Dispose()
    {
        _started.ForEach(process => process.Dispose());
        _folder.Dispose();
    }

    /// <summary>The file of the rendezvous with which a phase begins; a rank that is killed after its last one may have left everything.</summary>
    [LongTheory]
    [InlineData("rank-1.json", false)] // present
    [InlineData("clock-1", false)] // its clock is known
    [InlineData("start.json", false)] // the roles start
    [InlineData("provider.json", false)] // the consumer starts
    [InlineData("ended-consumer", true)] // all is measured, the results are being left
    public async Task Run_RankKilledAsAPhaseBegins_IsNamedAndTheOtherIsWhole(string file, bool mayBeWhole)
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        ToolProcess first = PerfToolsRuns.StartProcess($"{Line} --rank 0/2", _folder.FullPath), second = PerfToolsRuns.StartProcess($"{Line} --rank 1/2",
            _folder.FullPath);
        _started.AddRange([first, second]);
        string path = _folder.PathOf($"run/meet-a/{file}");
        for (int i = 0; i < 6_000 && !File.Exists(path); i++)
            await Task.Delay(20, TestContext.Current.CancellationToken);
        second.KillAtOnce();

        int code = first.WaitForExit();
        Assert.True(code is 4 or 5 || (mayBeWhole && code is 0 or 6), $"{code}: {first.Error}{first.Output}");
        RunDocument run = RunFile.Read(_folder.PathOf("run/run.json"));
        if (code is 4 or 5)
            Assert.Equal(("FAILED", true), (run.Verdict, first.Error.Contains("rank 1", StringComparison.Ordinal)));
        Assert.All(run.Roles, role => Assert.True(role.Final is not null, role.Name));
        Assert.False(File.Exists(_folder.PathOf("run/meet-a/clock.key")));
    }
}
