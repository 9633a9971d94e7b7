using System.Globalization;
using System.Text.Json;
using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Non-interactive providers, hub and consumer on loopback, and their counts.</summary>
public class HubPublisherRunTests
{
    private const string ProvidersLine = "Listening for providers on port ";
    private const string Published = "-serviceName TEST_FEED -updateRate 5000 -runTime 600 -writeStatsInterval 1";
    private const string Consumed = "-serviceName TEST_FEED -itemCount 300 -steadyStateTime 600 -writeStatsInterval 1";

    [Theory]
    [InlineData(false, "", "")]
    [InlineData(true, "", "")]
    [InlineData(false, "-threads 2 -commonItemCount 20 -itemCount 320", "-sessionThreads 2 -sourceThreads 2")]
    [InlineData(true, "-threads 2 -commonItemCount 20 -itemCount 320", "-sessionThreads 2 -sourceThreads 2")]
    public void Publisher_ThroughTheHub_ConservesEveryCount(bool isOnePort, string providerOptions, string hubOptions)
    {
        using RunFolder folder = new();
        (RunningTool hub, int providersPort) = StartHub(folder, isOnePort, hubOptions);
        RunningTool provider = folder.Start("NIProvPerf",
            $"-p {providersPort} -jsonFile niprov.json {Published} {(providerOptions.Length == 0 ? "-itemCount 300" : providerOptions)}");
        provider.WaitForLine("- Sent ");
        RunningTool consumer = folder.StartConsumer(hub, Consumed);
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, provider, hub);

        (JsonElement sent, JsonElement through, JsonElement received) = (folder.Final("niprov.json"), folder.Final("hub.json"),
            folder.Final("cons.json"));
        Assert.Equal(sent.Count("updatesSent"), through.Count("updatesReceived"));
        Assert.Equal(sent.Count("imagesSent"), through.Count("imagesReceived"));
        Assert.Equal(through.Count("updatesSent"), received.Count("updatesReceived"));
        Assert.Equal(through.Count("imagesSent"), received.Count("refreshesReceived"));
        Assert.Equal(300, received.Count("refreshesReceived"));
        Assert.Equal(through.Count("updatesReceived"),
            through.Count("updatesSent") + through.Count("updatesNotSent") + through.Count("updatesUnwatched"));
        Assert.Equal(0, through.Count("messagesDropped"));
        Assert.Equal(sent.Count("updatesSent"), SumOfConnections(sent, "updatesSent"));
        foreach (string count in new[] { "updatesSent", "imagesSent", "updatesNotSent" })
            Assert.Equal(through.Count(count), SumOfConnections(through, count));

        static long SumOfConnections(JsonElement role, string count) =>
            role.GetProperty("connections").EnumerateArray().Sum(connection => connection.Number(count));
    }

    [Fact]
    public void Consumer_BeforeThePublisher_GetsItsImagesOnceItComes()
    {
        using RunFolder folder = new();
        (RunningTool hub, int providersPort) = StartHub(folder, isOnePort: false);
        RunningTool consumer = folder.StartConsumer(hub, Consumed);
        consumer.WaitForLine("not up. Waiting for service to be up");
        RunningTool provider = folder.Start("NIProvPerf", $"-p {providersPort} -jsonFile niprov.json -itemCount 300 {Published}");
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, provider, hub);

        Assert.InRange(folder.Final("cons.json").Count("refreshesReceived"), 300, 600); // some were temporary
    }

    [Fact]
    public void Publisher_KilledAndBack_EndsNoConsumer()
    {
        using RunFolder folder = new();
        (RunningTool hub, int providersPort) = StartHub(folder, isOnePort: false);
        ToolProcess provider = folder.StartProcess("NIProvPerf", $"-p {providersPort} -jsonFile niprov.json -itemCount 300 {Published}");
        provider.WaitForLine("- Sent ");
        RunningTool consumer = folder.StartConsumer(hub, Consumed);
        consumer.WaitForSteadyState();
        provider.KillAtOnce();
        hub.WaitForLine("Connection ");
        RunningTool again = folder.Start("NIProvPerf",
            $"-p {providersPort} -jsonFile again.json -summaryFile again.out -statsFile again -itemCount 300 {Published}");
        again.WaitForLine("- Sent ");
        RunFolder.End(consumer, again, hub);

        JsonElement received = folder.Final("cons.json");
        Assert.Equal(300, received.Count("statusesReceived"));
        Assert.Equal(600, received.Count("refreshesReceived"));
    }

    [Theory]
    [InlineData("status", 0)]
    [InlineData("closed", 5)]
    public void Uncached_AnItemNobodyPublishes_IsAnsweredAsAsked(string answer, int code)
    {
        using RunFolder folder = new();
        (RunningTool hub, int providersPort) = StartHub(folder, isOnePort: false, $"-uncached {answer}");
        RunningTool provider = folder.Start("NIProvPerf",
            $"-p {providersPort} -jsonFile niprov.json -serviceName TEST_FEED -itemCount 100 -updateRate 5000 -runTime 600");
        provider.WaitForLine(" images (total: 100)");
        RunningTool consumer = folder.StartConsumer(hub, "-serviceName TEST_FEED -itemCount 101 -steadyStateTime 10");

        Assert.Equal(5, consumer.WaitForExit()); // an image is missing, or an item was closed
        Assert.Equal(code == 0 ? 1 : 0, folder.Final("cons.json").Count("statusesReceived") - (code == 0 ? 0 : 1));
        RunFolder.End(provider, hub);
    }

    [Fact]
    public void Uncached_AsAnEmptyImage_IsTheReasonTheConsumerGives()
    {
        using RunFolder folder = new();
        (RunningTool hub, int providersPort) = StartHub(folder, isOnePort: false, "-uncached image");
        RunningTool provider = folder.Start("NIProvPerf",
            $"-p {providersPort} -jsonFile niprov.json -serviceName TEST_FEED -itemCount 100 -updateRate 5000 -runTime 600");
        provider.WaitForLine(" images (total: 100)");
        RunningTool consumer = folder.StartConsumer(hub, "-serviceName TEST_FEED -itemCount 103 -steadyStateTime 15");

        consumer.ExpectExit(5, "failed to receive all images within 15 seconds: 100 of 103 arrived; "
            + "suspect images received, which do not count: 3");
        RunFolder.End(provider, hub);
    }

    [Fact]
    public void Publisher_OfMoreItemsThanTheLimit_IsSaidWithTheOption()
    {
        using RunFolder folder = new();
        (RunningTool hub, int providersPort) = StartHub(folder, isOnePort: false, "-openLimit 100");
        RunningTool provider = folder.Start("NIProvPerf",
            $"-p {providersPort} -jsonFile niprov.json -serviceName TEST_FEED -itemCount 120 -runTime 600");
        Assert.EndsWith("further images are only counted. See -openLimit.", hub.WaitForLine("more items than the limit of 100"), StringComparison.Ordinal);
        RunFolder.End(provider, hub);
    }

    [Fact]
    public void Service_WithoutASource_TakesPosts()
    {
        using RunFolder folder = new();
        RunningTool hub = folder.Start("HubPerf", "-p 0 -niPort 0 -service TEST_FEED,7 -jsonFile hub.json");
        RunningTool consumer = folder.StartConsumer(hub,
            "-serviceName TEST_FEED -itemCount 200 -steadyStateTime 600 -postingRate 2000 -postingLatencyRate 100");
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, hub);

        (JsonElement through, JsonElement received) = (folder.Final("hub.json"), folder.Final("cons.json"));
        Assert.Equal(200, received.Count("refreshesReceived"));
        Assert.True(received.Count("postsSent") > 0);
        Assert.Equal(received.Count("postsSent"), through.Count("postsReceived"));
        Assert.Equal(through.Count("postsSent"), received.Count("updatesReceived"));
        Assert.True(received.GetProperty("overall").Number("postLatency", "count") > 0);
    }

    private static (RunningTool Hub, int ProvidersPort) StartHub(RunFolder folder, bool isOnePort, string options = "")
    {
        string ports = isOnePort ? OnePort() : "-p 0 -niPort 0";
        RunningTool hub = folder.Start("HubPerf", $"{ports} -jsonFile hub.json {options}");
        return (hub, isOnePort
            ? hub.Port : int.Parse(hub.WaitForLine(ProvidersLine)[ProvidersLine.Length..], CultureInfo.InvariantCulture));
    }

    private static string OnePort()
    {
        int port = FreePort.Find();
        return string.Create(CultureInfo.InvariantCulture, $"-p {port} -niPort {port}");
    }
}
