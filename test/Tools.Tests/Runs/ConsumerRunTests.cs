using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Options of ConsPerf for a consumer's work other than measuring, between two processes.</summary>
public class ConsumerRunTests
{
    private const string Load = "-itemCount 300";

    [Theory]
    [InlineData("-prime", "")]
    [InlineData("-primeJVM -threads 2 -commonItemCount 20", "-threads 2 -maxPackCount 5")]
    [InlineData("-prime -postingRate 1000 -genericMsgRate 1000", "")]
    public void Run_Prime_AsksForEachItemTwiceAndCountsTheFirstApart(string consumerOptions, string providerOptions)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider($"-updateRate 5000 {providerOptions}");
        folder.RunSteadily(provider, $"{Load} {consumerOptions}");
        RunFolder.End(provider);

        (JsonElement sent, JsonElement received) = (folder.Final("prov.json"), folder.Final("cons.json"));
        long items = received.Count("requestsSent");
        Assert.True(items >= 300);
        Assert.Equal((items, items), (received.Count("primingRequestsSent"), received.Count("primingRefreshesReceived")));
        Assert.Equal((items, 2 * items, 2 * items),
            (received.Count("refreshesReceived"), sent.Count("requestsReceived"), sent.Count("imagesSent")));
        Assert.Equal(sent.Count("updatesSent") + sent.Count("postsReflected"), received.Count("updatesReceived"));
        Assert.Equal(0, sent.Count("requestsRejected") + received.Count("messagesDropped"));
        Assert.Contains($"  Requests sent ahead: {items}", folder.Lines("ConsSummary.out"));
    }

    [Fact]
    public void Run_PrimeOfSnapshots_EndsWithTheLastOfTheSecond()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        RunningTool consumer = folder.RunConsumer(provider, "-itemCount 500 -steadyStateTime 600 -snapshot -prime");
        consumer.ExpectExit(0);

        Assert.Contains("All snapshots received.", consumer.Output, StringComparison.Ordinal);
        Assert.Equal(500, folder.Final("cons.json").Count("refreshesReceived"));
        provider.WaitForLine("Connection ");
    }

    [Fact]
    public void Run_Parts_ShareTheItems()
    {
        using RunFolder first = new(), second = new();
        RunningTool provider = first.StartProvider("-updateRate 5000");
        second.RunSteadily(provider, "-itemCount 101 -commonItemCount 10 -threads 2 -part 2/2");
        first.RunSteadily(provider, "-itemCount 101 -commonItemCount 10 -threads 2 -part 1/2");

        Assert.Equal((51, 50), (first.Final("cons.json").Count("requestsSent"), second.Final("cons.json").Count("requestsSent")));
        Assert.Equal([25, 25],
            second.Final("cons.json").GetProperty("threads").EnumerateArray().Select(thread =>
                thread.Number("counts", "refreshesReceived")));
        Assert.Equal(50, second.Final("cons.json").Number("overall", "imageRetrieval", "items"));
    }

    [Fact]
    public void Run_MeasureDecode_HasASampleForEachUpdate()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000");
        RunningTool consumer = folder.RunSteadily(provider, $"{Load} -measureDecode");

        JsonElement received = folder.Final("cons.json");
        JsonElement times = received.GetProperty("overall").GetProperty("decodingTime");
        Assert.Equal(received.Count("updatesReceived"), times.Number("count"));
        Assert.InRange(times.GetProperty("p50Micros").GetDouble(), 0.001, 1_000);
        Assert.Contains("Update decode time (usec): Avg:", consumer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_DictionaryThatLacksFields_CountsEachOnceAndNamesThem()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000");
        RunningTool consumer = folder.RunSteadily(provider, $"{Load} -threads 2 -fieldDict {TakeSmallDictionary(folder)}");

        JsonElement received = folder.Final("cons.json");
        Assert.Equal(2, received.Count("unknownFields"));
        Assert.True(received.Count("fieldsSkipped") >= 600); // two of each image
        Assert.Contains("  Fields that the dictionary lacks: 22, 25", folder.Lines("ConsSummary.out"));
        Assert.Contains("is not in the dictionary; such fields are skipped and counted.", consumer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_DictionaryThatLacksFieldsAndStrict_IsFive()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        folder.RunConsumer(provider, $"{Load} -steadyStateTime 600 -strictFields -fieldDict {TakeSmallDictionary(folder)}").ExpectExit(5,
            "is not in the dictionary");
    }

    [Theory]
    [InlineData(1, "a connection was lost, and another took its place")]
    [InlineData(2, "connections were lost 2 times, and others took their place")]
    public void Run_ProviderEndsAndIsBack_IsNotComparableAndSaysWhy(int threads, string reason)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        RunningTool consumer = folder.StartConsumer(provider, $"{Load} -threads {threads} -steadyStateTime 600 -writeStatsInterval 1 -reactor");
        consumer.WaitForSteadyState();
        int port = provider.Port;
        RunFolder.End(provider);
        RunningTool again = folder.Start("ProvPerf", $"-p {port} -jsonFile again.json -summaryFile again.out -statsFile again");
        consumer.WaitForLine($"All {300 / threads} items are back.", threads);
        RunFolder.End(consumer, again);

        Assert.False(folder.Final("cons.json").IsComparable());
        Assert.Contains(reason, consumer.Output, StringComparison.Ordinal);
    }

    // That of the consumer alone: without bid and ask.
    private static string TakeSmallDictionary(RunFolder folder)
    {
        const string Name = "RDMFieldDictionary";
        folder.Take(Name,
            text => string.Join('\n',
                text.Split('\n').Where(line =>
                    !line.StartsWith("BID ", StringComparison.Ordinal) && !line.StartsWith("ASK ", StringComparison.Ordinal))));
        File.Move(folder.PathOf(Name), folder.PathOf("small"));
        return "small";
    }
}
