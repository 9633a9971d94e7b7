using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Whatever ends <c>perftools run</c>, every role ends too, and has written its results.</summary>
public class OrphanTests
{
    private const int Kill = 9;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Theory]
    [InlineData(Kill)]
    [InlineData(RunningTool.HangUp)]
    [InlineData(RunningTool.Interrupt)]
    public async Task Run_EndedFromOutside_LeavesNoRoleAndWholeResults(int signal)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "children are found in /proc");
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        using RunFolder folder = new();
        ToolProcess run = folder.StartProcess("perftools", "run direct --items 200 --rate 5000 --seconds 60 --out run");
        run.WaitForLine("images");
        Process[] roles = [.. ChildrenOf(run.Id)];
        Assert.Equal(2, roles.Length);

        run.Signal(signal);
        run.WaitForExit();
        Assert.All(roles, role => Assert.True(role.WaitForExit(Limit), $"{role.Id} still runs"));
        foreach (string file in (string[])["run/ProvPerf.jsonl", "run/ConsPerf.jsonl"])
        {
            JsonElement final = folder.Final(file);
            Assert.True(final.GetProperty("final").GetBoolean(), file);
        }
    }

    private static IEnumerable<Process> ChildrenOf(int parent) =>
        from thread in Directory.EnumerateDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{parent}/task"))
        let path = Path.Combine(thread, "children")
        from id in File.ReadAllText(path).Split(' ', StringSplitOptions.RemoveEmptyEntries)
        select Process.GetProcessById(int.Parse(id, CultureInfo.InvariantCulture));
}
