using System.Text.Json;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using Tools.Tests.PerfToolsTests;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>A small ramp with all its processes.</summary>
public class UsersRunTests
{
    [Theory]
    [InlineData("socket", 0)]
    [InlineData("encrypted", 4)]
    public async Task Run_SmallRamp_AddsUpAndLeavesEveryFile(string connection, int trusting)
    {
        using RunDirectory folder = new();
        (int code, string output, string error) = await PerfToolsRuns.Run(
            [
                "run", "users-medium", "--steps", "10,20", "--period", "2", "--warmup", "5", "--settle", "0", "--set", "subjects=100",
                "--set", "subscriptions=10",
                "--set", "users-processes=2", "--set", "burstMax=0.05", "--set", $"connType={connection}", "--out", folder.Path,
            ]);

        Assert.True(code is 0 or 6, error + output); // a machine that is busy may be slow, but it counts
        string run = Path.Combine(folder.Path, "users-medium-base");
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(Path.Combine(run, "run.json")));
        Assert.All(document.RootElement.GetProperty("links").EnumerateArray(),
            link => Assert.True(link.GetProperty("balanced").GetBoolean(), link.ToString()));
        Assert.Contains(" -if 127.0.0.1", document.RootElement.GetProperty("roles")[0].GetProperty("command").GetString(),
            StringComparison.Ordinal);
        Assert.DoesNotContain("every address", output.ToString(), StringComparison.Ordinal);
        string[] commands = [.. document.RootElement.GetProperty("roles").EnumerateArray().Select(role => role.GetProperty("command").GetString()!)];
        Assert.Equal(trusting, commands.Count(command => command.Contains(" -castore ", StringComparison.Ordinal))); // two sources, two with users
        Assert.Equal(trusting > 0, commands[0].Contains(" -connType encrypted -cert ", StringComparison.Ordinal));
        string[] steps = File.ReadAllLines(Path.Combine(folder.Path, "steps.csv"));
        Assert.Equal(3, steps.Length);
        Assert.Equal(["10", "20"], steps.Skip(1).Select(line => line.Split(',')[4]));
        Assert.Equal(File.ReadAllText(Path.Combine(folder.Path, "steps.csv")), File.ReadAllText(Path.Combine(run, "steps.csv")));
        foreach (string file in (string[])["suite.json", "headline.csv", "scenarios.csv", "report.html", "charts/mean-medium.svg",
            "charts/range-medium.svg"])
        {
            Assert.True(File.Exists(Path.Combine(folder.Path, file)), file);
        }
    }

    // A hub of the test's: its worker is not pinned, and two processors suffice for those that are.
    [Fact]
    public async Task Run_Bound_PinsEachWorkerOrSaysThatItCannot()
    {
        using RunDirectory folder = new();
        using Runs.RunFolder place = new();
        int publishers = FreePort.Find();
        RunningTool hub = place.Start("HubPerf", $"-p 0 -niPort {publishers} -sessionThreads 1 -sourceThreads 0 -runTime 600");
        (int code, string output, string error) = await PerfToolsRuns.Run(
            "run", "users-low", "--bind", "auto", "--external", $"hub=127.0.0.1:{hub.Port}", "--ni-port", $"{publishers}", "--steps", "10",
            "--period", "10", "--warmup", "5", "--settle", "0", "--set", "subjects=100", "--set", "usersThreads=1", "--out", folder.Path);
        Assert.True(code is 0 or 6, error + output);

        RunDocument run = RunFile.Read(folder.File("users-low-base/run.json"));
        IReadOnlyList<int> usable = UsableProcessors.Find();
        bool isBound = usable.Count >= 2;
        Assert.Equal("auto", run.Inputs["bind"].GetString());
        Assert.Equal(!isBound, output.Contains("Warning: --bind auto: 2 workers need a processor each, 1 may be used", StringComparison.Ordinal));
        string[] pinned = isBound ? [$"source-1 {usable[0]}", $"users-1 {usable[1]}"] : [$"source-1 {usable[0]}", $"users-1 {usable[0]} (shared)"];
        Assert.Equal(string.Join(", ", pinned), run.Placement);
        Assert.Contains($"\n    processors   {run.Placement}\n", output, StringComparison.Ordinal);
        Assert.Equal(isBound ? 2 : 0, run.Roles.Count(role => role.Command.Contains(" -bindThread ", StringComparison.Ordinal)));
        Runs.RunFolder.End(hub);
    }
}
