using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>ConsPerf against a provider that accepts its login and then floods it. Every kind, and longer: test/hostile-provider.sh.</summary>
public class HostileProviderTests
{
    private const long MaxWorkingSetBytes = (60 + 64) << 20; // what a run of few items takes, and what a flood may add

    [Theory]
    [InlineData("fragments", "")]
    [InlineData("login-statuses", "")]
    [InlineData("websocket-pings", "-connType websocket")]
    public void Consumer_Flooded_EndsWithItsResults(string kind, string options)
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProcess("Floods", $"provider {kind}");
        string own = AppContext.BaseDirectory;
        ToolProcess consumer = folder.StartConsumerProcess(
            provider, $"-itemCount 100 -steadyStateTime 8 -fieldDict {own}RDMFieldDictionary -enumDict {own}enumtype.def {options}");
        consumer.ExpectExit(5, "failed to receive all images within 8 seconds: 0 of 100 arrived");

        JsonElement final = folder.Final("cons.json");
        Assert.Equal(5, final.Number("exitCode"));
        Assert.InRange(final.Number("process", "peakWorkingSetBytes"), 1, MaxWorkingSetBytes);
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("ConsSummary.out"));
        Assert.InRange(consumer.Output.Length, 1, 100_000);
    }

    [Theory]
    [InlineData("restarts", "0 of 40 users are in: ")] // unfinished messages, up to the number that is kept
    [InlineData("statuses", "0 of 40 users are in: images are missing")]
    [InlineData("bad-messages", "0 of 40 users are in: the provider sent a message that cannot be decoded")]
    public void Users_Flooded_EndWithTheirResults(string kind, string reason)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProcess("Floods", $"provider {kind}");
        ToolProcess users = folder.StartProcess("UsersPerf",
            $"-p {provider.Port} -users 40 -loginRate 100 -subjects 100 -subscriptions 10 -runTime 10 -jsonFile users.json");
        users.WaitForExit();
        users.ExpectExit(5, reason);

        JsonElement final = folder.Final("users.json");
        Assert.Equal(5, final.Number("exitCode"));
        Assert.InRange(final.Number("process", "peakWorkingSetBytes"), 1, MaxWorkingSetBytes);
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("UsersSummary.out"));
        Assert.InRange(users.Output.Length, 1, 100_000);
    }
}
