using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Provider, hub and consumer, three processes on loopback, and their counts.</summary>
public class HubRunTests
{
    private static readonly string[] GaugeNames = ["sources", "consumers", "items", "watchers"];

    private const string Items = "-steadyStateTime 600 -itemCount 300 -writeStatsInterval 1";

    [Theory]
    [InlineData("", "", "")]
    [InlineData("-maxPackCount 10", "-maxPackCount 30", "")]
    [InlineData("-serviceId 300", "-sessionThreads 2 -sourceThreads 2", "-threads 2")]
    public void Run_ConsumerInterrupted_ConservesEveryCount(string providerOptions, string hubOptions, string consumerOptions)
    {
        using RunFolder folder = new();
        (RunningTool provider, RunningTool hub, RunningTool consumer) = StartSteady(folder, "-updateRate 20000 " + providerOptions,
            hubOptions, consumerOptions);
        RunFolder.End(consumer, hub, provider);

        Compare(folder);
        Assert.Equal(300, folder.Final("cons.json").Count("refreshesReceived"));
    }

    [Fact]
    public void Run_TimeOfTheConsumerOver_ConservesEveryKind()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000 -genericMsgRate 1000");
        RunningTool hub = StartHub(folder, provider);
        RunningTool consumer = folder.RunConsumer(hub, "-steadyStateTime 10 -itemCount 300 -postingRate 2000 -genericMsgRate 1000");
        consumer.ExpectExit(0);
        RunFolder.End(hub, provider);

        CompareAllKinds(folder);
    }

    [Fact]
    public void Run_HubInterrupted_ConservesEveryCount()
    {
        using RunFolder folder = new();
        (RunningTool provider, RunningTool hub, RunningTool consumer) = StartSteady(folder, "-updateRate 20000");
        RunFolder.End(hub);
        Assert.Equal(5, consumer.WaitForExit());
        RunFolder.End(provider);

        Compare(folder);
        JsonElement gauges = folder.Final("hub.json").GetProperty("overall").GetProperty("gauges");
        Assert.Equal("1 1 300 300", string.Join(' ', GaugeNames.Select(name => gauges.GetProperty(name).GetInt32())));
    }

    [Fact]
    public void Run_ProviderInterrupted_ConservesEveryCount()
    {
        using RunFolder folder = new();
        (RunningTool provider, RunningTool hub, RunningTool consumer) = StartSteady(folder, "-updateRate 20000");
        RunFolder.End(provider);
        hub.WaitForLine("is gone:");
        consumer.WaitForSum("- Items: ", " lost", 300);
        RunFolder.End(consumer, hub);

        Compare(folder);
        Assert.Equal(300, folder.Final("cons.json").Count("statusesReceived"));
        Assert.Equal(300, folder.Final("cons.json").Count("itemsLost"));
    }

    // Who is killed without unread bytes ends his stream like one that ends in good order; so he is stopped until there are some.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Run_HubOrConsumerKilled_IsNotComparableAtItsPeers(int killed)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000");
        RunningTool hub = killed == 1 ? folder.StartProcess("HubPerf", HubLine(provider)) : StartHub(folder, provider);
        RunningTool consumer = killed == 2 ? folder.StartConsumerProcess(hub, Items) : folder.StartConsumer(hub, Items);
        consumer.WaitForSteadyState();
        RunningTool[] roles = [provider, hub, consumer];
        string[] files = ["prov.json", "hub.json", "cons.json"];
        ToolProcess victim = (ToolProcess)roles[killed];
        victim.Signal(ToolProcess.Pause);
        Thread.Sleep(200); // some 200 ticks of updates
        victim.KillAtOnce();
        (killed == 1 ? provider : hub).WaitForLine("Connection ");
        for (int role = 2; role >= 0; role--)
        {
            if (role == 2 && killed == 1)
                Assert.Equal(5, consumer.WaitForExit()); // it has lost its connection
            else if (role != killed)
                RunFolder.End(roles[role]);
            if (Math.Abs(role - killed) == 1)
                Assert.False(folder.Final(files[role]).IsComparable(), files[role]);
        }
    }

    [Fact]
    public void Items_OfTwoConsumers_AreAskedForOnce()
    {
        using RunFolder folder = new();
        (RunningTool provider, RunningTool hub, RunningTool first) = StartSteady(folder, "-updateRate 5000");
        RunningTool second = folder.Start("ConsPerf", $"-p {hub.Port} -jsonFile cons2.json -summaryFile c2.out -statsFile c2 {Items}");
        second.WaitForSteadyState();
        RunFolder.End(second, first, hub, provider);

        JsonElement counts = folder.Final("hub.json");
        Assert.Equal(300, counts.Count("requestsSent"));
        Assert.Equal(300, counts.Count("imagesReceived"));
        Assert.Equal(600, counts.Count("imagesSent"));
        Assert.Equal(
            counts.Count("updatesSent"),
            folder.Final("cons.json").Count("updatesReceived") + folder.Final("cons2.json").Count("updatesReceived"));
    }

    [Fact]
    public void Snapshot_OfAnItemNobodyWatches_EndsWithItsImage()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000");
        RunningTool hub = StartHub(folder, provider);
        RunningTool consumer = folder.RunConsumer(hub, $"{Items} -snapshot");

        consumer.ExpectExit(0);
        RunFolder.End(hub, provider);
        Compare(folder);
        Assert.Equal(0, folder.Final("hub.json").Count("updatesReceived"));
    }

    /// <summary>Starts HubPerf on a free port before a provider.</summary>
    internal static RunningTool StartHub(RunFolder folder, RunningTool provider, string options = "") =>
        folder.Start("HubPerf", HubLine(provider, options));

    private static string HubLine(RunningTool provider, string options = "") =>
        $"-p 0 -niPort 0 -upstream localhost:{provider.Port} -jsonFile hub.json {options}";

    // Starts provider, hub and consumer, and waits until images and updates have come.
    private static (RunningTool Provider, RunningTool Hub, RunningTool Consumer) StartSteady(
        RunFolder folder, string providerOptions, string hubOptions = "", string consumerOptions = "")
    {
        RunningTool provider = folder.StartProvider(providerOptions);
        RunningTool hub = StartHub(folder, provider, hubOptions);
        RunningTool consumer = folder.StartConsumer(hub, $"{Items} {consumerOptions}");
        consumer.WaitForSteadyState();
        return (provider, hub, consumer);
    }

    // The same with posts, which come back from the provider as updates, and generic messages.
    private static void CompareAllKinds(RunFolder folder)
    {
        (JsonElement provider, JsonElement hub, JsonElement consumer) = (folder.Final("prov.json"), folder.Final("hub.json"),
            folder.Final("cons.json"));
        Assert.True(consumer.Count("postsSent") > 1_000 && consumer.Count("genericSent") > 500 && provider.Count("genericSent") > 500);
        Assert.Equal(provider.Count("updatesSent") + provider.Count("postsReflected"), hub.Count("updatesReceived"));
        Assert.Equal(hub.Count("updatesReceived"), hub.Count("updatesSent") + hub.Count("updatesNotSent") + hub.Count("updatesUnwatched"));
        Assert.Equal(hub.Count("updatesSent"), consumer.Count("updatesReceived"));
        Assert.Equal(consumer.Count("postsSent"), hub.Count("postsReceived"));
        Assert.Equal(hub.Count("postsReceived"), hub.Count("postsSent") + hub.Count("postsNotSent") + hub.Count("postsRefused"));
        Assert.Equal(hub.Count("postsSent"), provider.Count("postsReceived"));
        Assert.Equal(consumer.Count("genericSent"), hub.Count("consumerGenericReceived"));
        Assert.Equal(provider.Count("genericSent"), hub.Count("sourceGenericReceived"));
        Assert.Equal(hub.Count("genericReceived"), hub.Count("genericSent") + hub.Count("genericNotSent"));
        Assert.Equal(hub.Count("sourceGenericSent"), provider.Count("genericReceived"));
        Assert.Equal(hub.Count("consumerGenericSent"), consumer.Count("genericReceived"));
        Assert.True(hub.IsComparable());
    }

    // What one side sent the other received, and what the hub received it delivered to its one consumer, or counted.
    private static void Compare(RunFolder folder)
    {
        (JsonElement provider, JsonElement hub, JsonElement consumer) = (folder.Final("prov.json"), folder.Final("hub.json"),
            folder.Final("cons.json"));
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
