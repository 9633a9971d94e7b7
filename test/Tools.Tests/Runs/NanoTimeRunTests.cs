using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Stamps in nanoseconds, of every kind and in both directions, and their treatment where the sides do not agree.</summary>
public class NanoTimeRunTests
{
    private const string Rates = "-genericMsgRate 1000 -genericMsgLatencyRate 500";
    private const string ConsumerLoad = "-itemCount 300 -postingRate 1000 -postingLatencyRate 500 " + Rates;
    private const long LongestMeasuredNanos = 3_610_000_000_000;
    private const double LongestMicros = 30_000_000; // a run takes less; microseconds taken for nanoseconds would be thousands of years

    [Fact]
    public void Run_BothSides_MeasuresEveryKindInMicroseconds()
    {
        using RunFolder folder = new();
        long before = Clock.NowNanos;
        RunningTool provider = folder.StartProvider($"-nanoTime -updateRate 5000 -latencyFile prov {Rates}");
        folder.RunSteadily(provider, $"-nanoTime -latencyFile cons {ConsumerLoad}");
        RunFolder.End(provider);

        JsonElement received = folder.Final("cons.json").GetProperty("overall");
        ExpectSane(received.GetProperty("whole").GetProperty("latency"));
        ExpectSane(received.GetProperty("postLatency"));
        ExpectSane(received.GetProperty("genericLatency"));
        ExpectSane(folder.Final("prov.json").GetProperty("overall").GetProperty("genericLatency"));
        foreach (string file in (string[])["cons1.csv", "prov1.csv"])
            Assert.All(folder.Lines(file).Skip(1), row => ExpectNanos(row, before, Clock.NowNanos));
        Assert.Equal(["Gen", "Pst", "Upd"], folder.Lines("cons1.csv").Skip(1).Select(row => row[..3]).Distinct().Order());
    }

    [Fact]
    public void Run_OneSideOnly_SaysThatLatenciesAreNegative()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-nanoTime -updateRate 5000");
        RunningTool consumer = folder.RunSteadily(provider, "-itemCount 300");

        Assert.True(folder.Final("cons.json").GetProperty("overall").GetProperty("whole").GetProperty("latency").GetProperty(
            "maxMicros").GetDouble() < 0);
        Assert.Contains("negative", consumer.Output, StringComparison.Ordinal);
    }

    // Stamps in microseconds, taken for nanoseconds, are nearly as old as the machine is up.
    [Fact]
    public void Run_StampsOfOtherClocks_AboveAnHourAreSaidAndInNoPercentile()
    {
        Assert.SkipUnless(Clock.NowNanos > LongestMeasuredNanos, "needs a machine that is up for more than an hour");
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000 -latencyUpdateRate all");
        RunningTool consumer = folder.RunConsumer(provider, "-nanoTime -itemCount 300 -steadyStateTime 12 -writeStatsInterval 1 -hlogFile cons");
        consumer.ExpectExit(0);

        JsonElement latency = folder.Final("cons.json").GetProperty("overall").GetProperty("whole").GetProperty("latency");
        Assert.Equal((latency.Number("count"), JsonValueKind.Null), (latency.Number("overflow"), latency.GetProperty("p50Micros").ValueKind));
        Assert.True(latency.GetProperty("minMicros").GetDouble() > 3.6e9);
        Assert.Contains("Warning: latencies above 1 hour: ", consumer.Output, StringComparison.Ordinal);
        string[] summary = folder.Lines("ConsSummary.out");
        Assert.Contains("  Latency p50 (usec): -", summary);
        Assert.Contains(summary, line => line.EndsWith(
            $"Warning: {latency.Number("overflow")} latencies were above 1 hour; no percentile shows them, and the clocks of the two sides probably differ.",
            StringComparison.Ordinal));
        Assert.All(folder.Lines("ConsStats1.csv").Skip(1), row => Assert.EndsWith(", -, -, -, -, -", row, StringComparison.Ordinal));
        Assert.DoesNotContain(folder.Lines("cons-updates.hgrm").Where(line => line.Length > 0 && line[0] != '#').Skip(1),
            line => line.Contains("3600", StringComparison.Ordinal));
    }

    private static void ExpectSane(JsonElement latency)
    {
        Assert.True(latency.Number("count") > 0);
        Assert.InRange(latency.GetProperty("minMicros").GetDouble(), 0, LongestMicros);
        Assert.InRange(latency.GetProperty("maxMicros").GetDouble(), 0, LongestMicros);
    }

    // kind, send time, receive time in nanoseconds, latency in microseconds
    private static void ExpectNanos(string row, long from, long to)
    {
        string[] cells = row.Split(", ");
        (long sent, long received) = (long.Parse(cells[1], null), long.Parse(cells[2], null));
        Assert.InRange(sent, from, to);
        Assert.InRange(received, sent, to);
        Assert.Equal(((received - sent) / 1000.0).ToString("F3", CultureInfo.InvariantCulture), cells[3]);
    }
}
