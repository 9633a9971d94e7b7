using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>The histograms that <c>-hlogFile</c> writes in addition to the figures.</summary>
public class HistogramFileTests
{
    private const string Steady = "steady";

    [Fact]
    public void Logs_OfTwoThreads_HoldEverySampleAndAddUpToTheFigures()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000 -latencyUpdateRate 1000 -threads 2 -hlogFile p");
        RunningTool consumer = folder.StartConsumer(
            provider, "-steadyStateTime 10 -itemCount 200 -threads 2 -writeStatsInterval 1 -hlogFile c");
        consumer.ExpectExit(0);
        RunFolder.End(provider);

        JsonElement final = folder.Final("cons.json").GetProperty("overall");
        LongHistogram whole = Merge(folder, "c-updates.hlog"), steady = Merge(folder, "c-updates.hlog", Steady);
        ExpectFigures(final.GetProperty("whole").GetProperty("latency"), whole);
        ExpectFigures(final.GetProperty(Steady).GetProperty("latency"), steady);
        LongHistogram threads = Merge(folder, "c-updates1.hlog");
        threads.Add(Merge(folder, "c-updates2.hlog"));
        ExpectSame(whole, threads);
        long apart = Merge(folder, "c-updates1.hlog", Steady).TotalCount + Merge(folder, "c-updates2.hlog", Steady).TotalCount;
        // a thread's begins with its own last image, that of all with the last of all
        Assert.InRange(apart - steady.TotalCount, 0, whole.TotalCount - steady.TotalCount);
        ExpectFigures(folder.Final("prov.json").GetProperty("overall").GetProperty("sendLag"), Merge(folder, "p-sendLag.hlog"));

        using StringWriter distribution = new();
        whole.WriteDistribution(distribution);
        Assert.Equal(distribution.ToString(), File.ReadAllText(folder.PathOf("c-updates.hgrm")));
        Assert.False(File.Exists(folder.PathOf("c-generic.hlog"))); // nothing came
        ExpectIntervals(folder, "c-updates.hlog", "cons.json");
    }

    [Fact]
    public void Logs_OfNanoseconds_SayTheirUnitAndShowMicroseconds()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start("TransportPerf",
            "-p 0 -appType server -msgRate 2000 -latencyMsgRate all -tickRate 1000 -runTime 600 -hlogFile s");
        RunningTool client = folder.Start(
            "TransportPerf",
            $"-p {server.Port} -appType client -msgRate 0 -latencyMsgRate 0 -runTime 10 -writeStatsInterval 1 -jsonFile c.json -hlogFile c");
        client.ExpectExit(0);
        LongHistogram whole = Merge(folder, "c-messages.hlog");
        Assert.Equal(LatencyUnit.Nanoseconds, whole.Unit);
        ExpectFigures(folder.Final("c.json").GetProperty("overall").GetProperty("latency"), whole);
        using StringWriter micros = new();
        whole.WriteDistribution(micros, unitsPerValue: 1_000);
        Assert.Equal(micros.ToString(), File.ReadAllText(folder.PathOf("c-messages.hgrm")));
    }

    [Fact]
    public void Log_ThatCannotBeCreated_EndsTheStart()
    {
        using RunFolder folder = new();
        folder.Start("ProvPerf", "-p 0 -runTime 1 -hlogFile nowhere/p").ExpectExit(7,
            "nowhere/p-generic.hlog: cannot be created: no such folder");
    }

    // One line an interval, in the order of their start, each where the one before ends.
    private static void ExpectIntervals(RunFolder folder, string log, string json)
    {
        List<HistogramLogInterval> intervals = [.. Read(folder, log, tag: null)];
        Assert.Equal(folder.Lines(json).Length - 1, intervals.Count);
        Assert.All(intervals.Zip(intervals.Skip(1)), pair => Assert.Equal(pair.First.EndMillis, pair.Second.StartMillis));
    }

    private static void ExpectFigures(JsonElement latency, LongHistogram histogram)
    {
        double perMicro = histogram.Unit == LatencyUnit.Nanoseconds ? 1_000 : 1;
        Assert.Equal(latency.GetProperty("count").GetInt64(), histogram.TotalCount);
        double expected = Math.Min(histogram.GetValueAtPercentile(99) / perMicro, latency.GetProperty("maxMicros").GetDouble());
        Assert.Equal(expected, latency.GetProperty("p99Micros").GetDouble(), 1e-6);
    }

    private static void ExpectSame(LongHistogram expected, LongHistogram actual) => Assert.Equal(
        Enumerable.Range(0, expected.Layout.Length).Select(expected.CountAt),
        Enumerable.Range(0, actual.Layout.Length).Select(actual.CountAt));

    private static LongHistogram Merge(RunFolder folder, string log, string? tag = null) =>
        HistogramMerging.Merge([.. Read(folder, log, tag).Select(interval => interval.Histogram)])!;

    private static IEnumerable<HistogramLogInterval> Read(RunFolder folder, string log, string? tag) =>
        HistogramLogReader.ReadFile(folder.PathOf(log)).Where(interval => interval.Tag == tag);
}
