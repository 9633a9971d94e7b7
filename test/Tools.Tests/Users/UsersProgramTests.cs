using System.Text.Json;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>UsersPerf from its command line to its exit code, against ProvPerf: the steps that it measures, and what ends it.</summary>
public sealed class UsersProgramTests : IDisposable
{
    private const string Lines = "users.json";
    private const string Ramp = "-steps 3,6 -loginRate 1000 -warmup 0 -settle 4 -period 1 -subjects 100 -subscriptions 2 -writeStatsInterval 1 -jsonFile " + Lines;

    private const int UpdateBytes = 54;

    private readonly RunFolder _folder = new();
    private readonly int _port;

    // An update of each item of each user, 20 times a second, each with a time stamp.
    public UsersProgramTests() =>
        _port = _folder.StartProvider($"-updateSize {UpdateBytes} -updateRate 40 -tickRate 20 -latencyUpdateRate all").Port;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Run_Ramp_MeasuresEachStepAndEndsAfterTheLast()
    {
        RunningTool users = Run(Ramp);
        users.ExpectExit(0);
        Assert.Contains("all steps were measured\n", users.Output, StringComparison.Ordinal);
        JsonElement[] steps = Steps();
        Assert.Equal([(1, 3, 3), (2, 6, 6)], steps.Select(step => (Int(step, "step"), Int(step, "users"), Int(step, "in"))));
        Assert.All(steps, step => Assert.Equal((1, 0), (Int(step, "seconds"), Int(step, "missing"))));
        Assert.All(steps, step => Assert.Equal(Int(step, "updates"), Int(step, "count")));
        Assert.All(steps, step => Assert.True(Int(step, "updates") > 0)); // how many a second has, a busy machine decides
        JsonElement final = _folder.Final(Lines);
        Assert.Equal(UpdateBytes * final.Count("updatesReceived"), final.Count("bytesReceived"));
    }

    [Theory]
    [InlineData("p50<1ns", "ended by step 1 with 3 users: p50<1ns: [0-9.,]+ ?ns", 1)]
    [InlineData("lost<1,p50<1ns", "ended by step 1 with 3 users: p50<1ns: [0-9.,]+ ?ns", 1)]
    [InlineData("p99.99<100s", "ended by step 1 with 3 users: p99.99<100s: too few samples", 1)]
    [InlineData("lost<1", "all steps were measured", 2)]
    [InlineData("p50<100s", "all steps were measured", 2)]
    public void Run_WithACondition_EndsWithTheStepThatMissesIt(string until, string end, int steps)
    {
        RunningTool users = Run($"{Ramp} -until {until}");
        users.ExpectExit(0);
        Assert.Matches($"\n{end}\n", users.Output);
        Assert.Equal(steps, Steps().Length);
    }

    [Fact]
    public void Run_ForATime_MeasuresNoStepAndSaysThatItIsOver()
    {
        RunningTool users = Run($"-users 2 -runTime 8 -subjects 100 -subscriptions 2 -loginRate 1000 -jsonFile {Lines}");
        users.ExpectExit(0);
        Assert.Contains("run time expired\n", users.Output, StringComparison.Ordinal);
        Assert.Empty(Steps());
    }

    // The provider ends first: all users are lost, whatever was measured before.
    [Fact]
    public void Run_UsersThatAreLost_IsIncomplete()
    {
        int port = _folder.StartProvider("-runTime 8 -summaryFile short.out -statsFile short").Port;
        RunningTool users = _folder.Start("UsersPerf", $"-p {port} -users 2 -runTime 12 -subjects 100 -subscriptions 2 -loginRate 1000 -jsonFile {Lines}");
        users.ExpectExit(5, "0 of 2 users are in: connection lost: ");
        Assert.Equal(2, _folder.Final(Lines).Count("usersLost"));
    }

    // The provider has no service of that name: no user is ever in.
    [Fact]
    public void Run_WithoutTheService_SaysWhatTheUsersWaitFor()
    {
        RunningTool users = Run("-users 2 -runTime 2 -serviceName NONE -subjects 100 -subscriptions 2 -loginRate 1000");
        users.ExpectExit(5, "0 of 2 users are in: ");
    }

    private RunningTool Run(string arguments)
    {
        RunningTool users = _folder.Start("UsersPerf", $"-p {_port} {arguments}");
        users.WaitForExit();
        return users;
    }

    private JsonElement[] Steps() => [.. _folder.Lines(Lines).Select(line => JsonDocument.Parse(line).RootElement)
        .Where(line => line.TryGetProperty("step", out _))];

    private static int Int(JsonElement line, string name) => line.GetProperty(name).GetInt32();
}
