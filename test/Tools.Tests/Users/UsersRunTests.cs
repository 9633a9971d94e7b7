using System.Text.Json;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>A small ramp with all its processes.</summary>
public class UsersRunTests
{
    [Fact]
    public async Task Run_SmallRamp_AddsUpAndLeavesEveryFile()
    {
        using RunDirectory folder = new();
        (int code, string output, string error) = await PerfToolsRuns.Run(
            [
                "run", "users-medium", "--steps", "10,20", "--period", "2", "--warmup", "5", "--settle", "0", "--set", "subjects=100",
                "--set", "subscriptions=10",
                "--set", "users-processes=2", "--set", "burstMax=0.05", "--out", folder.Path,
            ]);

        Assert.True(code is 0 or 6, error + output); // a machine that is busy may be slow, but it counts
        string run = Path.Combine(folder.Path, "users-medium-base");
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(Path.Combine(run, "run.json")));
        Assert.All(document.RootElement.GetProperty("links").EnumerateArray(),
            link => Assert.True(link.GetProperty("balanced").GetBoolean(), link.ToString()));
        Assert.Contains(" -if 127.0.0.1", document.RootElement.GetProperty("roles")[0].GetProperty("command").GetString(),
            StringComparison.Ordinal);
        Assert.DoesNotContain("every address", output.ToString(), StringComparison.Ordinal);
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
}
