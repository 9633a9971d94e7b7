using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Provider and consumer, two processes on loopback, and their counts.</summary>
public class DirectRunTests
{
    // Ended by a signal once there is enough to see: a limit would fail where the machine is slow.
    private const string Long = "-steadyStateTime 600 -itemCount 300";

    private const string Snapshot = "-steadyStateTime 600 -itemCount 10 -snapshot";

    [Fact]
    public void Run_Default_ConservesEveryCount()
    {
        using RunFolder folder = new();
        (JsonElement provider, JsonElement consumer) = Run(folder, "-updateRate 20000", "-steadyStateTime 10 -itemCount 300", End.ByItself);

        Assert.Equal(300, consumer.Count("refreshesReceived"));
        Assert.True(consumer.Count("updatesReceived") > 0);
        Assert.Equal(0, consumer.Count("fieldsSkipped") + consumer.Count("messagesDropped") + consumer.Count("statusesReceived"));
        Assert.Equal(0, provider.Count("messagesDropped"));
        Assert.True(consumer.GetProperty("overall").GetProperty("steadyReached").GetBoolean());
        Assert.Equal(consumer.Number("overall", "whole", "latency", "count"), provider.Count("updateLatenciesSent"));
    }

    [Theory]
    [InlineData("-maxPackCount 10", "")]
    [InlineData("-maxPackCount 30 -packBufSize 3000 -directWrite", "")]
    [InlineData("-directWrite -tcpDelay", "-tcpDelay")]
    [InlineData("-tickRate 7 -latencyUpdateRate 7", "-tickRate 3 -requestRate 1000")]
    [InlineData("-updateRate 0 -latencyUpdateRate 0", "")]
    [InlineData("-highWaterMark 1", "-busyRead -highWaterMark 1")]
    [InlineData("-outputBufs 6", "-outputBufs 6")]
    [InlineData("-maxFragmentSize 300", "")]
    public void Run_Varied_ConservesEveryCount(string providerOptions, string consumerOptions)
    {
        using RunFolder folder = new();
        string rate = providerOptions.Contains("-updateRate", StringComparison.Ordinal) ? "" : "-updateRate 20000 ";
        Run(folder, rate + providerOptions, $"{Long} {consumerOptions}");
    }

    [Fact]
    public void Run_Packed_CarriesSeveralMessagesABuffer()
    {
        using RunFolder folder = new();
        (JsonElement provider, _) = Run(folder, "-updateRate 20000 -maxPackCount 10", Long);

        long messages = provider.Count("packedMessages");
        long buffers = provider.Count("packBuffers");
        Assert.True(messages > provider.Count("updatesSent"));
        Assert.InRange(messages, 3 * buffers, 10 * buffers);
    }

    [Fact]
    public void Run_RateAll_StampsEveryUpdate()
    {
        using RunFolder folder = new();
        (JsonElement provider, JsonElement consumer) = Run(folder, "-updateRate 5000 -latencyUpdateRate all", Long);

        Assert.Equal(provider.Count("updatesSent"), provider.Count("updateLatenciesSent"));
        Assert.Equal(consumer.Count("updatesReceived"), consumer.Number("overall", "whole", "latency", "count"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-maxPackCount 10")]
    public void Run_PreEncoded_ConservesEveryCountAndMeasuresWhatItEncodes(string packing)
    {
        using RunFolder folder = new();
        (JsonElement provider, JsonElement consumer) = Run(folder,
            $"-updateRate 20000 -latencyUpdateRate 500 -preEnc -measureEncode {packing}", Long);

        JsonElement times = provider.GetProperty("overall").GetProperty("encodingTime");
        Assert.Equal(provider.Count("updateLatenciesSent"), times.Number("count"));
        Assert.True(times.GetProperty("maxMicros").GetDouble() > 0);
        Assert.Equal(provider.Count("updateLatenciesSent"), consumer.Number("overall", "whole", "latency", "count"));
        Assert.Equal(0, consumer.Count("fieldsSkipped") + consumer.Count("messagesDropped"));
        Assert.Contains(folder.Lines("ProvSummary.out"),
            line => line.Contains("Message encode time (usec): Avg:", StringComparison.Ordinal));
    }

    [Fact]
    public void Run_TwoThreadsOnBothSides_ShareItemsAndCommonItems()
    {
        using RunFolder folder = new();
        (JsonElement provider, JsonElement consumer) = Run(
            folder, "-updateRate 10000 -threads 2", "-steadyStateTime 600 -itemCount 101 -commonItemCount 10 -threads 2");

        Assert.Equal(101, consumer.Count("refreshesReceived"));
        Assert.Equal([51, 50],
            consumer.GetProperty("threads").EnumerateArray().Select(thread => thread.Number("counts", "refreshesReceived")));
        Assert.All(provider.GetProperty("threads").EnumerateArray(), thread => Assert.True(thread.Number("counts", "updatesSent") > 0));
        Assert.True(File.Exists(folder.PathOf("ConsStats2.csv")) && File.Exists(folder.PathOf("ProvStats2.csv")));
    }

    [Fact]
    public void Run_Snapshot_EndsAtOnceWithEveryImage()
    {
        using RunFolder folder = new();
        (JsonElement provider, JsonElement consumer) = Run(folder, "-updateRate 20000", "-steadyStateTime 600 -itemCount 300 -snapshot",
            End.ByItself);

        Assert.Equal(300, consumer.Count("refreshesReceived"));
        Assert.Equal(0, provider.Count("updatesSent"));
        Assert.True(consumer.GetProperty("overall").GetProperty("whole").GetProperty("seconds").GetDouble() < 30);
    }

    [Fact]
    public void Run_ManyImagesBesideManyUpdates_ImagesArrive()
    {
        using RunFolder folder = new();
        (JsonElement provider, JsonElement consumer) = Run(
            folder, "-updateRate 200000 -refreshBurstSize 1", "-steadyStateTime 600 -itemCount 5000 -tickRate 100");

        Assert.Equal(5_000, consumer.Count("refreshesReceived"));
        Assert.Equal(5_000, provider.Count("imagesSent"));
    }

    [Fact]
    public void Run_ThreeConsumersInTurnAndTogether_TheProviderServesAll()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 2000 -threads 2");
        List<RunningTool> consumers = [.. Enumerable.Range(1, 3).Select(number => folder.Start(
            "ConsPerf", $"-p {provider.Port} {Long} -jsonFile c{number}.json -statsFile s{number}_ -summaryFile s{number}.out -writeStatsInterval 1"))];
        consumers.ForEach(consumer => consumer.WaitForSteadyState());
        consumers.ForEach(consumer => consumer.Signal(RunningTool.Terminate));
        consumers.ForEach(consumer => consumer.ExpectExit(143, "SIGTERM"));
        folder.RunConsumer(provider, "-steadyStateTime 600 -itemCount 7 -snapshot").ExpectExit(0);
        RunFolder.End(provider);

        long received = Enumerable.Range(1, 3).Sum(number => folder.Final($"c{number}.json").Count("updatesReceived"));
        Assert.Equal(received, folder.Final("prov.json").Count("updatesSent"));
        Assert.Equal(907, folder.Final("prov.json").Count("imagesSent"));
    }

    [Fact]
    public void Run_DictionaryInTheWorkingDirectory_DownloadsNothing()
    {
        using RunFolder folder = new();
        folder.Take("RDMFieldDictionary");
        folder.Take("enumtype.def");
        RunningTool provider = folder.StartProvider();
        ToolProcess consumer = folder.StartConsumerProcess(provider, Snapshot);

        consumer.ExpectExit(0);
        Assert.DoesNotContain("downloading", consumer.Output, StringComparison.Ordinal);
        RunFolder.End(provider);
        Assert.DoesNotContain("Received Dictionary Request", provider.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_NoDictionary_DownloadsTheProviders()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        ToolProcess consumer = folder.StartConsumerProcess(provider, Snapshot + " -strictFields");

        consumer.ExpectExit(0);
        Assert.Contains("downloading", consumer.Output, StringComparison.Ordinal);
        provider.WaitForLine("Received Dictionary Request");
    }

    [Theory]
    [InlineData("RDMFieldDictionary", "No file of enum tables: downloading")]
    [InlineData("enumtype.def", "No file of field definitions: downloading")]
    public void Run_LoneDictionaryFile_DownloadsTheOther(string file, string notice)
    {
        using RunFolder folder = new();
        folder.Take(file);
        RunningTool provider = folder.StartProvider();
        ToolProcess consumer = folder.StartConsumerProcess(provider, Snapshot + " -strictFields");

        consumer.ExpectExit(0);
        Assert.Contains(notice, consumer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_LoneEnumFileThatContradictsTheProvider_IsThree()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        Assert.NotEqual(0, provider.Port); // it listens: its own dictionary is read, and the file is the consumer's alone
        folder.Take("enumtype.def", text => text.Replace("BID_TICK_1 ", "WRONG_NAME ", StringComparison.Ordinal));

        folder.StartConsumerProcess(provider, Snapshot).ExpectExit(3, "enumtype.def(");
    }

    private enum End
    {
        BySignal,
        ByItself,
    }

    private static (JsonElement Provider, JsonElement Consumer) Run(
        RunFolder folder, string providerOptions, string consumerOptions, End end = End.BySignal)
    {
        RunningTool provider = folder.StartProvider(providerOptions);
        RunningTool consumer = folder.StartConsumer(provider, consumerOptions + " -writeStatsInterval 1");
        if (end == End.ByItself)
        {
            consumer.ExpectExit(0);
        }
        else
        {
            consumer.WaitForSteadyState();
            RunFolder.End(consumer);
        }

        RunFolder.End(provider);
        (JsonElement sent, JsonElement received) = (folder.Final("prov.json"), folder.Final("cons.json"));
        Assert.Equal(sent.Count("updatesSent"), received.Count("updatesReceived"));
        Assert.Equal(sent.Count("imagesSent"), received.Count("refreshesReceived"));
        Assert.Equal(received.Count("requestsSent"), sent.Count("requestsReceived"));
        Assert.True(sent.IsComparable() && received.IsComparable());
        return (sent, received);
    }
}
