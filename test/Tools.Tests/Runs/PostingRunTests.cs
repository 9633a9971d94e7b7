using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Posts and generic messages between two processes: nothing is lost, and everything is counted, however the run ends.</summary>
public class PostingRunTests
{
    private const string ProviderLoad = "-updateRate 5000 -genericMsgRate 20000 -genericMsgLatencyRate 200";
    private const string ConsumerLoad =
        "-itemCount 300 -postingRate 20000 -postingLatencyRate 300 -genericMsgRate 10000 -genericMsgLatencyRate 100";
    private const string InSteadyState = "Image retrieval time for";

    [Theory]
    [InlineData("", "")]
    [InlineData("-maxPackCount 10 -stamp due", "-stamp due")]
    [InlineData("-genericMsgLatencyRate all", "-outputBufs 6 -maxOutputBuffer 6")]
    [InlineData("-outputBufs 6 -maxFragmentSize 300", "-tickRate 100 -requestRate 1000 -postingLatencyRate 100")]
    public void Run_EndedByTime_ConservesEveryKind(string providerOptions, string consumerOptions)
    {
        using RunFolder folder = new();
        string load = providerOptions.Contains("-genericMsgLatencyRate", StringComparison.Ordinal)
            ? "-updateRate 5000 -genericMsgRate 20000" : ProviderLoad;
        RunningTool provider = folder.StartProvider($"{load} {providerOptions}");
        string sent = consumerOptions.Contains("-postingLatencyRate", StringComparison.Ordinal)
            ? ConsumerLoad.Replace("-postingLatencyRate 300 ", "", StringComparison.Ordinal) : ConsumerLoad;
        folder.RunConsumer(provider, $"{sent} -steadyStateTime 10 {consumerOptions}").ExpectExit(0);
        RunFolder.End(provider);
        ExpectConserved(folder);
    }

    [Theory]
    [InlineData(RunningTool.Interrupt, 130, "SIGINT")]
    [InlineData(RunningTool.Terminate, 143, "SIGTERM")]
    public void Run_ConsumerSignalled_ConservesEveryKind(int signal, int code, string name)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider(ProviderLoad);
        RunningTool consumer = folder.StartConsumer(provider, $"{ConsumerLoad} -steadyStateTime 600");
        consumer.WaitForLine(InSteadyState);
        consumer.Signal(signal);
        consumer.ExpectExit(code, name);
        RunFolder.End(provider);
        ExpectConserved(folder);
    }

    [Theory]
    [InlineData(RunningTool.Interrupt, 130, "SIGINT")]
    [InlineData(RunningTool.Terminate, 143, "SIGTERM")]
    public void Run_ProviderSignalled_ConservesEveryKind(int signal, int code, string name)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider(ProviderLoad);
        RunningTool consumer = folder.StartConsumer(provider, $"{ConsumerLoad} -steadyStateTime 600");
        consumer.WaitForLine(InSteadyState);
        provider.Signal(signal);
        provider.ExpectExit(code, name);
        consumer.ExpectExit(5, "connection lost");
        ExpectConserved(folder, isComparable: false);
    }

    [Fact]
    public void Run_RunTimeOfTheProviderOver_ConservesEveryKind()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider($"{ProviderLoad} -runTime 20");
        RunningTool consumer = folder.StartConsumer(provider, $"{ConsumerLoad} -steadyStateTime 600");
        consumer.WaitForLine(InSteadyState);
        provider.ExpectExit(0);
        consumer.ExpectExit(5, "connection lost");
        ExpectConserved(folder, isComparable: false);
    }

    [Fact]
    public void Run_ProviderKilled_IsNotComparable()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess(ProviderLoad);
        RunningTool consumer = folder.StartConsumer(provider, $"{ConsumerLoad} -steadyStateTime 600");
        consumer.WaitForLine(InSteadyState);
        provider.KillAtOnce();

        consumer.ExpectExit(5, "connection lost");
        Assert.False(folder.Final("cons.json").IsComparable());
        Assert.Contains("Message counts: not comparable", consumer.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_ConsumerKilled_IsNotComparable()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider(ProviderLoad);
        ToolProcess consumer = folder.StartConsumerProcess(provider, $"{ConsumerLoad} -steadyStateTime 600");
        consumer.WaitForLine(InSteadyState);
        consumer.Signal(ToolProcess.Pause);
        Thread.Sleep(100); // of one that has read everything the system ends the stream in good order
        consumer.KillAtOnce();
        provider.WaitForLine("Connection ");

        RunFolder.End(provider);
        Assert.False(folder.Final("prov.json").IsComparable());
        Assert.Contains("Message counts: not comparable", provider.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_LatencyFiles_HaveARowForEachStampByItsKind()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider(ProviderLoad + " -latencyFile prov");
        folder.RunSteadily(provider, ConsumerLoad + " -latencyFile cons");
        RunFolder.End(provider);

        (JsonElement sent, JsonElement received) = (folder.Final("prov.json"), folder.Final("cons.json"));
        Assert.Equal(received.Number("overall", "postLatency", "count"), CountRows(folder, "cons1.csv", "Pst"));
        Assert.Equal(received.Count("genericLatenciesReceived"), CountRows(folder, "cons1.csv", "Gen"));
        Assert.Equal(received.Number("overall", "whole", "latency", "count"), CountRows(folder, "cons1.csv", "Upd"));
        Assert.Equal(sent.Count("genericLatenciesReceived"), CountRows(folder, "prov1.csv", "Gen"));
    }

    [Fact]
    public void Run_TwoThreadsOnBothSides_ShareItemsAndConserveEveryKind()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider(ProviderLoad + " -threads 2");
        string load = ConsumerLoad.Replace("-itemCount 300", "-itemCount 1001 -commonItemCount 100", StringComparison.Ordinal);
        folder.RunSteadily(provider, load + " -threads 2");
        RunFolder.End(provider);
        ExpectConserved(folder);

        JsonElement[] sending = [.. folder.Final("prov.json").GetProperty("threads").EnumerateArray()];
        JsonElement[] receiving = [.. folder.Final("cons.json").GetProperty("threads").EnumerateArray()];
        Assert.Equal([501, 500], receiving.Select(thread => thread.Number("counts", "refreshesReceived")));
        Assert.Equal([500, 501], sending.Select(thread => thread.Number("counts", "imagesSent")).Order()); // a connection each
        Assert.Equal(
            sending.Select(thread => thread.Number("counts", "updatesSent") + thread.Number("counts", "postsReflected")).Order(),
            receiving.Select(thread => thread.Number("counts", "updatesReceived")).Order());
    }

    [Fact]
    public void Run_ItemListWithoutMarks_IsThree()
    {
        using RunFolder folder = new();
        File.WriteAllText(folder.PathOf("items.xml"), "<itemList><item domain=\"MarketPrice\" name=\"A\" post=\"true\"/></itemList>");
        folder.Start("ConsPerf", "-p 1 -itemFile items.xml -itemCount 1 -genericMsgRate 1000").ExpectExit(3,
            "none of the first 1 items has generic=\"true\"");
    }

    private static long CountRows(RunFolder folder, string file, string kind) =>
        folder.Lines(file).Count(line => line.StartsWith(kind + ", ", StringComparison.Ordinal));

    private static void ExpectConserved(RunFolder folder, bool isComparable = true)
    {
        (JsonElement sent, JsonElement received) = (folder.Final("prov.json"), folder.Final("cons.json"));
        Assert.True(received.Count("postsSent") > 0 && received.Count("genericSent") > 0 && sent.Count("genericSent") > 0);
        Assert.Equal(received.Count("postsSent"), sent.Count("postsReceived"));
        Assert.Equal(sent.Count("postsReceived"), sent.Count("postsReflected") + sent.Count("postsNotReflected"));
        Assert.Equal(sent.Count("updatesSent") + sent.Count("postsReflected"), received.Count("updatesReceived"));
        Assert.Equal(received.Count("genericSent"), sent.Count("genericReceived"));
        Assert.Equal(sent.Count("genericSent"), received.Count("genericReceived"));
        Assert.Equal(sent.Count("imagesSent"), received.Count("refreshesReceived"));
        Assert.Equal(0,
            sent.Count("postsRefused") + sent.Count("messagesDropped") + received.Count("messagesDropped")
            + received.Count("fieldsSkipped"));
        if (!isComparable)
            return;
        Assert.True(sent.IsComparable() && received.IsComparable());
        Assert.Equal(received.Count("genericLatenciesSent"), sent.Count("genericLatenciesReceived"));
        Assert.Equal(sent.Count("genericLatenciesSent"), received.Count("genericLatenciesReceived"));
        if (sent.Count("postsNotReflected") == 0)
            Assert.Equal(received.Count("postLatenciesSent"), received.Number("overall", "postLatency", "count"));
    }
}
