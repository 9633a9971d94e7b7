using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>ConsPerf with two providers of which one stands by.</summary>
public class StandbyRunTests
{
    private const string Items = "-itemCount 300 -steadyStateTime 300 -writeStatsInterval 1 -watchlist";

    [Theory]
    [InlineData("login", 1)]
    [InlineData("service", 2)]
    public void Run_ActiveProviderEnds_TheOtherTakesOverAndItIsCounted(string mode, int threads)
    {
        using RunFolder folder = new();
        RunningTool first = folder.Start("ProvPerf", "-p 0 -updateRate 20000 -runTime 300 -jsonFile first.json -summaryFile f.out -statsFile f");
        RunningTool other = folder.Start("ProvPerf", "-p 0 -updateRate 20000 -runTime 300 -jsonFile other.json -summaryFile o.out -statsFile o");
        JsonElement counts = SwitchOver(folder, first, other, mode, threads, "Standing by for another provider.");
        RunFolder.End(other);

        ExpectOneSwitch(folder, counts, threads);
        Assert.True(counts.Count("switchMicros") > 0 && counts.Count("switchGapMicros") > 0);
        Assert.Contains(folder.Lines("ConsSummary.out"), line => line.Contains("Warm standby switches: ", StringComparison.Ordinal));
    }

    // One provider feeds both hubs: the hubs sent what the consumer received.
    [Theory]
    [InlineData("login", 1)]
    [InlineData("service", 2)]
    public void Run_ActiveHubEnds_TheOtherTakesOverAndItIsCounted(string mode, int threads)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000 -runTime 300");
        string source = $"-p 0 -niPort 0 -upstream localhost:{provider.Port}";
        RunningTool first = folder.Start("HubPerf", $"{source} -jsonFile first.json -summaryFile f.out -statsFile f");
        RunningTool other = folder.Start("HubPerf", $"{source} -jsonFile other.json -summaryFile o.out -statsFile o");
        JsonElement counts = SwitchOver(folder, first, other, mode, threads, "Standing by for another server.");
        RunFolder.End(other, provider);

        ExpectOneSwitch(folder, counts, threads);
    }

    [Fact]
    public void Run_WithAView_GetsItsFieldsAlone()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000 -latencyUpdateRate 100 -runTime 300");
        using StreamEnds relay = new(provider.Port);
        RunningTool consumer = folder.Start("ConsPerf",
            $"-p {relay.Port} -itemCount 300 -steadyStateTime 300 -writeStatsInterval 1 -view 22,25,30 -jsonFile cons.json");
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, provider);

        JsonElement sent = folder.Final("prov.json"), received = folder.Final("cons.json");
        Assert.Equal(sent.Count("updatesSent"), received.Count("updatesReceived"));
        relay.Wait();
        double bytes = (double)relay.BytesOfServers / sent.Count("updatesSent");
        Assert.InRange(bytes, 14, 45); // half of them have the three fields, the others none; whole ones have 147 on average
        Assert.True(received.GetProperty("overall").GetProperty("whole").GetProperty("latency").GetProperty("count").GetInt64() > 0);
    }

    [Fact]
    public void Users_WithAView_GetItsFieldsAlone()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000 -latencyUpdateRate 100 -runTime 300");
        using StreamEnds relay = new(provider.Port);
        RunningTool users = folder.Start("UsersPerf",
            $"-p {relay.Port} -users 5 -loginRate 100 -subjects 300 -subscriptions 60 -writeStatsInterval 1 -view 22,25,30");
        users.WaitForLine("Users: 5 of 5", count: 2);
        RunFolder.End(users, provider);
        relay.Wait();
        Assert.InRange((double)relay.BytesOfServers / folder.Final("prov.json").Count("updatesSent"), 14, 45);
    }

    // The active one ends once the other stands by; the consumer when it has everything from that.
    private static JsonElement SwitchOver(
        RunFolder folder, RunningTool first, RunningTool other, string mode, int threads, string standingBy)
    {
        RunningTool consumer = folder.Start("ConsPerf",
            $"-startingPort {first.Port} -standbyPort {other.Port} -warmStandbyMode {mode} -threads {threads} -jsonFile cons.json {Items}");
        consumer.WaitForSteadyState();
        other.WaitForLine(standingBy, threads);
        RunFolder.End(first);
        consumer.WaitForLine(" images.", threads);
        consumer.WaitForLine("No updates for ", threads);
        consumer.Signal(RunningTool.Terminate);
        consumer.ExpectExit(143, "SIGTERM");
        return folder.Final("cons.json");
    }

    private static void ExpectOneSwitch(RunFolder folder, JsonElement counts, int threads)
    {
        Assert.Equal(threads, counts.Count("standbySwitches"));
        Assert.Equal((300, 300), (counts.Count("itemsLost"), counts.Count("itemsRecovered")));
        Assert.Equal((600, 300), (counts.Count("refreshesReceived"), counts.Count("standbyRefreshes")));
        Assert.Equal(0, counts.Count("standbyMessages"));
        Assert.Equal(folder.Final("first.json").Count("updatesSent") + folder.Final("other.json").Count("updatesSent"), counts.Count("updatesReceived"));
    }
}
