using System.Globalization;
using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Runs that are ended early: signals, kills, and refusals during the run.</summary>
public class InterruptedRunTests
{
    private const string Long = "-steadyStateTime 600 -itemCount 200 -writeStatsInterval 1 -latencyFile lat";
    private const int StallMillis = 900; // what is more than a second late is not sent at all
    private const double OneSecond = 1_000_000; // in microseconds
    private const string FirstUpdates = "Image retrieval time for";

    [Theory]
    [InlineData(RunningTool.Terminate, 143, "SIGTERM")]
    [InlineData(RunningTool.Interrupt, 130, "SIGINT")]
    [InlineData(RunningTool.HangUp, 129, "SIGHUP")]
    public void Consumer_Signalled_WritesAllAndTheProviderServesTheNext(int signal, int code, string name)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000");
        ToolProcess consumer = folder.StartConsumerProcess(provider, Long);
        consumer.WaitForLine(FirstUpdates);
        consumer.Signal(signal);
        consumer.ExpectExit(code, name);

        JsonElement ended = folder.Final("cons.json");
        Assert.Equal(code, ended.Number("exitCode"));
        Assert.True(ended.IsComparable());
        ExpectWholeFiles(folder);
        folder.RunConsumer(provider, "-steadyStateTime 600 -itemCount 50 -snapshot").ExpectExit(0);
        RunFolder.End(provider);
        Assert.Equal(ended.Count("updatesReceived"), folder.Final("prov.json").Count("updatesSent"));
    }

    [Theory]
    [InlineData(RunningTool.Terminate)]
    [InlineData(RunningTool.Interrupt)]
    public void Consumer_SignalledTwiceAtOnce_WritesAll(int second)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000");
        ToolProcess consumer = folder.StartConsumerProcess(provider, Long);
        consumer.WaitForLine(FirstUpdates);
        consumer.Signal(RunningTool.Terminate);
        consumer.Signal(second);

        // Of two that wait for a process, the kernel hands over the one of the lower number first.
        int code = consumer.WaitForExit();
        Assert.Contains(code, (int[])[128 + RunningTool.Terminate, 128 + second]);
        consumer.ExpectExit(code, code == 143 ? "SIGTERM" : "SIGINT");
        Assert.Equal(code, folder.Final("cons.json").Number("exitCode"));
        ExpectWholeFiles(folder);
    }

    [Fact]
    public void Provider_Terminated_ConservesAndTheConsumerIsFive()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess("-updateRate 20000");
        RunningTool consumer = folder.StartConsumer(provider, Long);
        consumer.WaitForLine(FirstUpdates);
        provider.Signal(RunningTool.Terminate);

        provider.ExpectExit(143, "SIGTERM");
        consumer.ExpectExit(5, "connection lost");
        Assert.Equal(folder.Final("prov.json").Count("updatesSent"), folder.Final("cons.json").Count("updatesReceived"));
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("ProvSummary.out"));
        ExpectWholeFiles(folder);
    }

    [Fact]
    public void Provider_Killed_ConsumerIsFiveAndNotComparable()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess("-updateRate 100000");
        RunningTool consumer = folder.StartConsumer(provider, Long);
        consumer.WaitForLine(FirstUpdates);
        provider.KillAtOnce();

        consumer.ExpectExit(5, "connection lost");
        Assert.False(folder.Final("cons.json").IsComparable());
        Assert.Contains("not comparable", consumer.Output, StringComparison.OrdinalIgnoreCase);
        ExpectWholeFiles(folder);
    }

    [Fact]
    public void Consumer_Killed_ProviderGoesOn()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 100000");
        ToolProcess consumer = folder.StartConsumerProcess(provider, Long);
        consumer.WaitForLine(FirstUpdates);
        consumer.KillAtOnce();
        provider.WaitForLine("Connection ");

        folder.RunConsumer(provider, "-steadyStateTime 600 -itemCount 50 -snapshot").ExpectExit(0);
        RunFolder.End(provider);
        folder.Final("prov.json");
    }

    [Theory]
    [InlineData("due", true)]
    [InlineData("sent", false)]
    public void Provider_Stalled_ShowsInTheConsumersLatencyWhenStampsAreDue(string stamp, bool isShown)
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess($"-updateRate 1000 -latencyUpdateRate all -stamp {stamp}");
        RunningTool consumer = folder.StartConsumer(
            provider, "-steadyStateTime 600 -itemCount 100 -writeStatsInterval 1 -latencyFile lat");
        consumer.WaitForSteadyState();
        provider.Signal(ToolProcess.Pause);
        Thread.Sleep(StallMillis);
        provider.Signal(ToolProcess.Continue);
        consumer.WaitForSteadyState();
        RunFolder.End(consumer);

        double p99 = folder.Final("cons.json").GetProperty("overall").GetProperty("steady").GetProperty("latency").GetProperty(
            "p99Micros").GetDouble();
        RunFolder.End(provider);
        double lag = folder.Final("prov.json").GetProperty("overall").GetProperty("sendLag").GetProperty("maxMicros").GetDouble();
        Assert.True(lag >= StallMillis * 900, $"send lag {lag} us");

        // Stamps of what was due go on through the stall, but for what was more than a second late; none was made in it when sent.
        double gap = LongestGap(folder.Lines("lat1.csv"));
        double unsent = Math.Max(0, lag - OneSecond);
        Assert.True(isShown ? gap < StallMillis * 500 + unsent : gap >= StallMillis * 900, $"stamps {gap} us apart, send lag {lag} us");
        Assert.True(!isShown || p99 >= StallMillis * 500, $"p99 {p99} us, send lag {lag} us"); // a tenth of all updates waited
    }

    /// <summary>The longest time, in microseconds, between two stamps of a latency file that follow each other.</summary>
    private static double LongestGap(string[] lines)
    {
        long[] stamps = [.. lines.Skip(1).Select(line => long.Parse(line.Split(", ")[1], CultureInfo.InvariantCulture)).Order()];
        return stamps.Zip(stamps.Skip(1), (one, next) => next - one).Max();
    }

    [Fact]
    public void Provider_RunTimeOver_IsZeroWithAllFiles()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-runTime 5 -writeStatsInterval 1");
        provider.ExpectExit(0);

        Assert.Equal("run time expired", folder.Final("prov.json").GetProperty("exitReason").GetString());
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("ProvSummary.out"));
        Assert.InRange(folder.Lines("ProvStats1.csv").Length, 4, 7);
    }

    [Fact]
    public void Consumer_SignalledBeforeItsProvider_EndsAtOnce()
    {
        using RunFolder folder = new();
        RunningTool consumer = folder.Start("ConsPerf", "-p 1 -steadyStateTime 600 -itemCount 10");
        consumer.WaitForLine("will retry");
        consumer.Signal(RunningTool.Terminate);

        consumer.ExpectExit(143, "SIGTERM");
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("ConsSummary.out"));
    }

    [Fact]
    public void Consumer_OverTheOpenLimit_IsFiveWithTheReason()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-openLimit 20");
        RunningTool consumer = folder.RunConsumer(provider, "-steadyStateTime 600 -itemCount 50");

        consumer.ExpectExit(5, "TooManyItems");
        provider.WaitForLine("Rejected item request");
        folder.RunConsumer(provider, "-steadyStateTime 600 -itemCount 20 -snapshot").ExpectExit(0);
    }

    private static void ExpectWholeFiles(RunFolder folder)
    {
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("ConsSummary.out"));
        string[] stats = folder.Lines("ConsStats1.csv");
        Assert.All(stats, line => Assert.Equal(stats[0].Split(", ").Length, line.Split(", ").Length));
        Assert.All(folder.Lines("lat1.csv"), line => Assert.Equal(4, line.Split(", ").Length));
    }
}
