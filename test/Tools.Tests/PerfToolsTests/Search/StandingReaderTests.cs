using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>Parts of a run in progress, read from the lines that its roles have written so far.</summary>
public sealed class StandingReaderTests : IDisposable
{
    private static readonly DateTime Begin = new(2026, 11, 26, 9, 0, 0, DateTimeKind.Utc);

    private readonly TestFolder _folder = new();

    [Fact]
    public void Read_APart_HasTheFiguresOfItsCollectionsAlone()
    {
        Write(notSent: [9, 0, 0, 9], lost: [0, 0, 0, 0], rates: [1_000, 4_000, 4_020, 1_000]);
        RunDocument run = Read("p99<2ms,notSent<1");
        Assert.Equal(("OK", null, 4_010, 4_000), (run.Verdict, run.Reason, run.Figures!.RateReached, run.Figures.RateAsked));
        Assert.Equal((2, 2_000, 1_500), (run.Figures.SteadySeconds, run.Figures.LatencyMicros!.Count, run.Figures.LatencyMicros.Max));
        Assert.Equal((8_000, 8_020, 0), (run.Links[0].Sent, run.Links[0].Received, run.Links[0].NotSent));
        Assert.Equal("provider 0, consumer 1", run.Placement);
        Assert.Equal([30, 20], run.Roles.Select(role => role.CpuCorePercent));
        Assert.Equal([64, 64], run.Roles.Select(role => role.MemoryMegabytes));
    }

    [Fact]
    public void Read_MessagesNotSent_AreSlow()
    {
        Write(notSent: [0, 0, 5, 0], lost: [0, 0, 0, 0], rates: [4_000, 4_000, 4_000, 4_000]);
        RunDocument run = Read("notSent<1");
        Assert.Equal(("SLOW", "4,000/s reached, 4,000/s asked, 5 updates not sent; notSent<1: notSent is 5"), (run.Verdict, run.Reason));
    }

    [Fact]
    public void Read_MessagesLost_MissTheThreshold()
    {
        Write(notSent: [0, 0, 0, 0], lost: [0, 3, 0, 0], rates: [4_000, 4_000, 4_000, 4_000]);
        Assert.Equal(("MISSED", "lost<1: lost is 3"), (Read("lost<1").Verdict, Read("lost<1").Reason));
    }

    [Fact]
    public void Read_RateNotReached_IsSlow()
    {
        Write(notSent: [0, 0, 0, 0], lost: [0, 0, 0, 0], rates: [4_000, 3_000, 3_000, 4_000]);
        Assert.Equal("SLOW", Read("lost<1").Verdict);
    }

    // Of the two threads of the consumer one posts.
    [Fact]
    public void Read_PostsThatReturn_AreAskedToo()
    {
        Write(notSent: [0, 0, 0, 0], lost: [0, 0, 0, 0], rates: [4_000, 4_500, 4_500, 4_000],
            threads: """[{"counts":{"postsSent":500}},{"counts":{"updatesReceived":9}}]""");
        ScenarioOptions options = new() { Rate = 2_000, Posting = 500, Threads = 2, Thresholds = Threshold.TryParseList("lost<1", Threshold.Metrics)! };
        RunDocument run = Read(options);
        Assert.Equal(("OK", 4_500, 4_500), (run.Verdict, run.Figures!.RateAsked, run.Figures.RateReached));
    }

    [Fact]
    public void Read_NoCollectionInIt_HasNoFigures()
    {
        Write(notSent: [], lost: [], rates: []);
        Assert.Equal(("FAILED", null), (Read("lost<1").Verdict, Read("lost<1").Figures));
    }

    public void Dispose() => _folder.Dispose();

    // The second and the third of four seconds.
    private RunDocument Read(string until) => Read(new ScenarioOptions { Rate = 4_000, Thresholds = Threshold.TryParseList(until, Threshold.Metrics)! });

    private RunDocument Read(ScenarioOptions options) =>
        new StandingReader(DirectScenario.Direct, options, _folder.FullPath).Read(Begin.AddSeconds(1), Begin.AddSeconds(3), 3.5);

    private void Write(int[] notSent, int[] lost, int[] rates, string threads = "[]")
    {
        WriteSamples(rates.Length);
        File.WriteAllLines(_folder.PathOf("ProvPerf.jsonl"), notSent.Select((count, i) => Line(i, 0, 30, "[]",
            $$"""{"counts":{"updatesSent":4000,"updatesNotSent":{{count}}},"sendLag":{"count":0},""")));
        File.WriteAllLines(_folder.PathOf("ConsPerf.jsonl"), rates.Select((rate, i) => Line(i, 1, 20, threads,
            $$"""{"counts":{"updatesReceived":{{rate}},"messagesDropped":{{lost[i]}}},"updateRate":{{rate}},"updateLatency":{"count":1000,"avgMicros":500,"maxMicros":1500,"minMicros":90,"p50Micros":400,"p99Micros":900},""")));
    }

    private void WriteSamples(int intervals)
    {
        using StreamWriter log = new(_folder.PathOf("Cons-updates.hlog")) { NewLine = "\n" };
        long begin = new DateTimeOffset(Begin).ToUnixTimeMilliseconds();
        HistogramLogWriter.WriteHeader(log, begin, LatencyUnit.Microseconds);
        for (int i = 0; i < intervals; i++)
        {
            LongHistogram samples = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
            for (int sample = 0; sample < 1_000; sample++)
                samples.RecordValue(i is 1 or 2 ? 900 : 9_000);
            HistogramLogWriter.WriteInterval(log, begin + (i * 1_000), begin + ((i + 1) * 1_000), samples);
        }
    }

    private static string Line(int second, int processor, int cpu, string threads, string overall) => string.Create(CultureInfo.InvariantCulture,
        $"{{\"final\":false,\"utc\":\"{Begin.AddSeconds(second + 1):yyyy-MM-dd'T'HH:mm:ss.fff'Z'}\",\"intervalSeconds\":1,\"threads\":{threads},\"overall\":{overall}")
        + $$$"""
        "placement":{"processors":[{"processor":{{{processor}}},"percent":100}],"changes":0}},"process":{"coreCpuPercent":{{{cpu}}},"workingSetBytes":67108864} }
        """.Trim();
}
