using System.Text.Json;
using PerfTools.Control;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>A run with all its processes whose settings are changed while it is in progress.</summary>
public class ControlledRunTests
{
    private const UnixFileMode OfOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact]
    public async Task Control_OfARamp_ChangesSourceUsersAndHubAndSaysSo()
    {
        using RunDirectory folder = new();
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        using StringWriter output = new(), error = new();
        Task<int> run = Task.Run(() => PerfTools.Program.Run(
            [
                "run", "users-medium", "--steps", "10", "--period", "600", "--warmup", "5", "--settle", "0", "--set", "subjects=100",
                "--set", "subscriptions=10",
                "--set", "sources=1", "--out", folder.Path,
            ],
            output, error));
        string of = folder.File("users-medium-base");
        await Until(() => Directory.Exists(of) && ControlledRole.FindIn(of).Count == 3 && UsersIn(of) == 10);
        UnixFileMode mode = OperatingSystem.IsWindows() ? OfOwner : File.GetUnixFileMode(Path.Combine(of, ControlToken.FileName));

        Control(folder.Path, "source", "rate=100");
        Control(folder.Path, "users", "users=15");
        Control(folder.Path, "hub", "burstMax=0.1", "burstMin=0.1");
        await Until(() =>
            UsersIn(of) == 15 && Last(of, "source-1", "overall.updateRate") is > 80 and < 120
            && Last(of, "hub", "overall.gauges.burstMicros") == 100_000);
        Control(folder.Path, "users", "users=5");
        await Until(() => UsersIn(of) == 5);
        Control(folder.Path, "users", "end=now");
        await run.WaitAsync(Limit, TestContext.Current.CancellationToken);

        Assert.Equal(OfOwner, mode);
        Assert.False(File.Exists(Path.Combine(of, ControlToken.FileName)));
        Assert.Contains("(changed by hand)", output.ToString(), StringComparison.Ordinal);
        RunDocument document = RecordedRun.Read(of).Document;
        Assert.Equal(["rate 100, was 50", "users 15, was 10", "burstMax 0.1, was 0", "burstMin 0.1, was 0", "users 5, was 15",
            "end now, was "], document.Changes!.Select(c => $"{c.Name} {c.Value}, was {c.Was}"));
        Assert.All(document.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.Contains("class=\"k\"", File.ReadAllText(Path.Combine(of, "report.html")), StringComparison.Ordinal);
        Assert.DoesNotContain(Directory.GetFiles(of),
            file => !file.EndsWith(".hlog", StringComparison.Ordinal)
            && File.ReadAllText(file).Contains("Bearer", StringComparison.Ordinal));
    }

    private static void Control(params string[] words)
    {
        using StringWriter output = new(), error = new();
        Assert.True(PerfTools.Program.Run(["control", .. words], output, error) == 0, error.ToString());
    }

    private static double? UsersIn(string folder) => Last(folder, "users-1", "overall.gauges.usersIn");

    private static double? Last(string folder, string role, string path)
    {
        IReadOnlyList<JsonElement> lines = new JsonLinesReader(Path.Combine(folder, role + ".jsonl")).ReadNew();
        return lines.Select(line => new JsonView(line)).LastOrDefault(line => line.Number("second") is not null).Number(path);
    }

    private static async Task Until(Func<bool> isReached)
    {
        DateTime limit = DateTime.UtcNow + Limit;
        while (!isReached())
        {
            Assert.True(DateTime.UtcNow < limit, "not reached in time");
            await Task.Delay(50, TestContext.Current.CancellationToken);
        }
    }
}
