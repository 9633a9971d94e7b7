using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Provider, hub and consumer, three processes on loopback, and what they count.</summary>
[Collection(ProgramRuns.Name)]
public class HubRunTests
{
    private const string Items = "-steadyStateTime 60 -itemCount 300 -writeStatsInterval 1";

    [Theory]
    [InlineData("", "", "")]
    [InlineData("-maxPackCount 10", "-maxPackCount 30", "")]
    [InlineData("-serviceId 300", "-sessionThreads 2 -sourceThreads 2", "-threads 2")]
    public void Run_ConsumerEndsFirst_ConservesEveryCount(string providerOptions, string hubOptions, string consumerOptions)
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 20000 " + providerOptions);
        ToolProcess hub = StartHub(folder, provider, hubOptions);
        ToolProcess consumer = folder.StartConsumer(hub, $"{Items} {consumerOptions}");
        consumer.WaitForSteadyState();
        End(consumer, hub, provider);

        Compare(folder);
        Assert.Equal(300, folder.Final("cons.json").Count("refreshesReceived"));
    }

    [Fact]
    public void Run_HubEndsFirst_ConservesEveryCount()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 20000");
        ToolProcess hub = StartHub(folder, provider);
        ToolProcess consumer = folder.StartConsumer(hub, Items);
        consumer.WaitForSteadyState();
        hub.Signal(ToolProcess.Terminate);
        hub.ExpectExit(143, "SIGTERM");
        Assert.Equal(5, consumer.WaitForExit());
        End(provider);

        Compare(folder);
        JsonElement gauges = folder.Final("hub.json").GetProperty("overall").GetProperty("gauges");
        Assert.Equal(
            (1, 1, 300, 300), (gauges.GetProperty("sources").GetDouble(), gauges.GetProperty("consumers").GetDouble(), gauges.GetProperty("items").GetDouble(), gauges.GetProperty("watchers").GetDouble()));
    }

    [Fact]
    public void Run_ProviderEndsFirst_ConservesEveryCount()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 20000");
        ToolProcess hub = StartHub(folder, provider);
        ToolProcess consumer = folder.StartConsumer(hub, Items);
        consumer.WaitForSteadyState();
        End(provider);
        hub.WaitForLine("is gone:");
        End(consumer, hub);

        Compare(folder);
        Assert.Equal(300, folder.Final("cons.json").Count("statusesReceived"));
    }

    [Fact]
    public void Items_OfTwoConsumers_AreAskedForOnce()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 5000");
        ToolProcess hub = StartHub(folder, provider);
        ToolProcess first = folder.StartConsumer(hub, Items);
        first.WaitForSteadyState();
        ToolProcess second = folder.Start("ConsPerf", $"-p {hub.Port} -jsonFile cons2.json -summaryFile c2.out -statsFile c2 {Items}");
        second.WaitForSteadyState();
        End(second, first, hub, provider);

        JsonElement counts = folder.Final("hub.json");
        Assert.Equal(300, counts.Count("requestsSent"));
        Assert.Equal(300, counts.Count("imagesReceived"));
        Assert.Equal(600, counts.Count("imagesSent"));
        Assert.Equal(
            counts.Count("updatesSent"), folder.Final("cons.json").Count("updatesReceived") + folder.Final("cons2.json").Count("updatesReceived"));
    }

    [Fact]
    public void Snapshot_OfAnItemNobodyWatches_EndsWithItsImage()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 5000");
        ToolProcess hub = StartHub(folder, provider);
        ToolProcess consumer = folder.RunConsumer(hub, $"{Items} -snapshot");

        consumer.ExpectExit(0);
        End(hub, provider);
        Compare(folder);
        Assert.Equal(0, folder.Final("hub.json").Count("updatesReceived"));
    }

    /// <summary>Starts HubPerf on a free port before a provider.</summary>
    internal static ToolProcess StartHub(RunFolder folder, ToolProcess provider, string options = "") =>
        folder.Start("HubPerf", $"-p 0 -niPort 0 -upstream localhost:{provider.Port} -jsonFile hub.json {options}");

    internal static void End(params ToolProcess[] inOrder)
    {
        foreach (ToolProcess process in inOrder)
        {
            process.Signal(ToolProcess.Terminate);
            process.ExpectExit(143, "SIGTERM");
        }
    }

    // What one side sent the other received, and what the hub received it delivered to its one consumer, or counted.
    private static void Compare(RunFolder folder)
    {
        (JsonElement provider, JsonElement hub, JsonElement consumer) = (folder.Final("prov.json"), folder.Final("hub.json"), folder.Final("cons.json"));
        Assert.Equal(provider.Count("updatesSent"), hub.Count("updatesReceived"));
        Assert.Equal(provider.Count("imagesSent"), hub.Count("imagesReceived"));
        Assert.Equal(consumer.Count("requestsSent"), hub.Count("requestsReceived"));
        Assert.Equal(hub.Count("requestsSent"), provider.Count("requestsReceived"));
        Assert.Equal(hub.Count("imagesSent"), consumer.Count("refreshesReceived"));
        Assert.Equal(hub.Count("updatesSent"), consumer.Count("updatesReceived"));
        Assert.Equal(hub.Count("updatesReceived"), hub.Count("updatesSent") + hub.Count("updatesNotSent") + hub.Count("updatesUnwatched"));
        Assert.Equal(0, hub.Count("messagesDropped") + hub.Count("requestsRejected") + hub.Count("connectionsCut"));
        Assert.True(hub.IsComparable());
    }
}
