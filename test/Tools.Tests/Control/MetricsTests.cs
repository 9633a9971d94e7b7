using System.Text.Json;
using System.Text.RegularExpressions;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Tools.Tests.Reports;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>The metrics of every tool, as monitoring reads them.</summary>
[Trait("Category", "Fast")]
public class MetricsTests
{
    private static readonly Regex MetricName = new("perftools_[a-z0-9_]+", RegexOptions.None, TimeSpan.FromSeconds(10));

    private static readonly Report[] Reports =
        [WrittenReports.Consumer, WrittenReports.BusyProvider, WrittenReports.Publisher, WrittenReports.Hub, WrittenReports.Users,
            WrittenReports.Transport];

    [Fact]
    public void Metrics_OfEveryTool_AreValidWithAndWithoutACollection()
    {
        foreach (Report report in Reports)
        {
            Assert.Equal([$"perftools_run_info{{tool=\"{report.Tool}\",version=\"1.2\"}}"],
                OpenMetricsText.Read(Write(report, null)).Keys);
            Dictionary<string, double> samples = OpenMetricsText.Read(Write(report, ConsumerSamples.Run));
            Assert.Contains("perftools_process_cpu_seconds_total", samples.Keys);
            Assert.InRange(samples.Count, 20, 200);
        }
    }

    [Fact]
    public void Metrics_OfACollection_HaveTotalsOfCountsAndTheLastIntervalOfTheRest()
    {
        CounterSnapshot Counts(long updates) => CountsWith(Counter.UpdatesSent, updates);
        Figures figures = new()
        {
            Info = new(7, new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc), 2, 0, 1),
            Counts = Counts(500),
            Totals = Counts(12_345)
        };
        Dictionary<string, double> samples = OpenMetricsText.Read(Write(WrittenReports.Publisher, figures));
        Assert.Equal(12_345, samples["perftools_updates_sent_total"]);
        Assert.Equal(250, samples["perftools_update_rate"]);
        Assert.Equal(2, samples["perftools_interval_seconds"]);
        Assert.Equal(0, samples["perftools_send_lag_samples{series=\"sendLag\"}"]);
    }

    [Fact]
    public void Metrics_OfTwoThreads_AreThoseOfAllAndOfEachWithItsNumber()
    {
        Figures Of(int thread, long updates) => new()
        {
            Info = new(7, new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc), 2, thread, 2),
            Counts = CountsWith(Counter.UpdatesSent, updates),
            Totals = CountsWith(Counter.UpdatesSent, 10 * updates),
        };
        Dictionary<string, double> samples = OpenMetricsText.Read(Write(WrittenReports.Publisher, Of(0, 500), Of(1, 200), Of(2, 300)));
        Assert.Equal((5_000, 250), (samples["perftools_updates_sent_total"], samples["perftools_update_rate"]));
        Assert.Equal((2_000, 100), (samples["perftools_thread_updates_sent_total{thread=\"1\"}"], samples["perftools_thread_update_rate{thread=\"1\"}"]));
        Assert.Equal((3_000, 150), (samples["perftools_thread_updates_sent_total{thread=\"2\"}"], samples["perftools_thread_update_rate{thread=\"2\"}"]));
        Assert.Equal(0, samples["perftools_thread_send_lag_samples{thread=\"2\",series=\"sendLag\"}"]);
    }

    [Fact]
    public void Metrics_WithLabelsOfARun_HaveThemInEverySample()
    {
        (string, string)[] labels = [("run", "a b"), ("role", "consumer"), ("host", "h\"1")];
        string text = MetricsText.Write(WrittenReports.Consumer.CollectMetrics("1.2", ConsumerSamples.Run, []), labels);
        string[] samples = [.. OpenMetricsText.Read(text).Keys];
        Assert.True(samples.Length > 20);
        Assert.All(samples, sample => Assert.Contains("{run=\"a b\",role=\"consumer\",host=\"h\\\"1\"", sample, StringComparison.Ordinal));
    }

    [Fact]
    public void Metrics_OfADistribution_AreBucketsWithTheSlowestSample()
    {
        long[] counts = new long[LatencyDistribution.Bounds.Count + 1];
        (counts[0], counts[7], counts[^1]) = (4, 5, 1);
        LatencyDistribution distribution = new(counts, 12_345, new(431.25, new(2026, 11, 22, 10, 0, 0, 250, DateTimeKind.Utc), 2));
        Figures figures = ConsumerSamples.Run with { Distributions = new Dictionary<Series, LatencyDistribution> { [Series.Updates] = distribution } };
        string text = Write(WrittenReports.Consumer, figures);
        Dictionary<string, double> samples = OpenMetricsText.Read(text);
        const string Name = "perftools_update_latency_distribution_microseconds";
        Assert.Equal((4, 4, 9, 9, 10),
            (samples[Bucket("1.0")], samples[Bucket("100.0")], samples[Bucket("200.0")], samples[Bucket("10000000.0")], samples[Bucket("+Inf")]));
        Assert.Equal((10, 12_345), (samples[Name + "_count{series=\"updates\"}"], samples[Name + "_sum{series=\"updates\"}"]));
        Assert.Contains(Bucket("500.0") + " 9 # {thread=\"2\"} 431.25 1795341600.250\n", text, StringComparison.Ordinal);
        Assert.Single(text.Split('\n'), line => line.Contains(" # {", StringComparison.Ordinal));

        static string Bucket(string bound) => $"{Name}_bucket{{series=\"updates\",le=\"{bound}\"}}";
    }

    [Fact]
    public void Bounds_OfADistribution_AreThreeOfEachPowerOfTenUpToTenSeconds()
    {
        Assert.Equal([1, 2, 5, 10, 20], LatencyDistribution.Bounds.Take(5));
        Assert.Equal([500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000], LatencyDistribution.Bounds.TakeLast(5));
        Assert.Equal(22, LatencyDistribution.Bounds.Count);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void Metrics_OfAFlag_AreOneWhereItIsSet(int items, double value)
    {
        ReportTable table = new("Sample") { Steady = (Moment.Connected, Moment.End) };
        table.Section();
        table.Flag(figures => figures.Items > 1).Json("hasMany");
        Assert.Equal(value, OpenMetricsText.Read(Write(new Report(table), new Figures { Items = items }))["perftools_has_many"]);
    }

    [Theory]
    [InlineData(null, "host=here")]
    [InlineData("", "host=here")]
    [InlineData("perftools.run=r1,perftools.scenario=direct,perftools.role=consumer", "run=r1 scenario=direct role=consumer host=here")]
    [InlineData("x=y,,=,perftools.role=a%20b%2Cc+d, host.name = there ,nonsense", "role=a b,c+d host=there")]
    [InlineData("perftools.run=%zz", "run=%zz host=here")]
    public void Labels_OfTheVariable_AreItsAttributes(string? variable, string expected) =>
        Assert.Equal(expected, string.Join(' ', RunLabels.Of(variable, "here").Select(label => $"{label.Name}={label.Value}")));

    [Fact]
    public void Labels_LongOnes_HaveTwoHundredCharactersOfThem()
    {
        string whole = new('a', 200), longer = new('b', 201);
        Assert.Equal([("run", whole), ("host", longer[..200])], RunLabels.Of($"perftools.run={whole}", longer));
    }

    [Fact]
    public void Labels_WrittenAndRead_AreTheSame()
    {
        (string, string)[] attributes = [("perftools.run", "a,b=c %41+ \u00e9"), ("perftools.role", "hub")];
        Assert.Equal([("run", "a,b=c %41+ \u00e9"), ("role", "hub"), ("host", "here")], RunLabels.Of(RunLabels.Write(attributes), "here"));
    }

    [Fact]
    public void Distributions_OfIntervals_AddUpToAllSamplesWithTheSlowestOfTheLast()
    {
        DistributionSums sums = new();
        LongHistogram first = LongHistogram.CreateForTimes(LatencyUnit.Microseconds), second = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        foreach (long micros in (long[])[1, 2, 3, 150])
            first.RecordValue(micros);
        second.RecordValueWithCount(20_000_000, 2);
        sums.Add(Collected(4, 39, 150, slowestThread: 1), _ => first);
        LatencyDistribution all = sums.Add(Collected(2, 20_000_000, 20_000_001, slowestThread: 2), _ => second)[Series.Updates];
        Assert.Equal((6, 40_000_156), (all.Count, all.SumMicros));
        Assert.Equal((1, 1, 1, 1, 2), (all.Counts[0], all.Counts[1], all.Counts[2], all.Counts[7], all.Counts[^1]));
        Assert.Equal((20_000_001, 2), (all.Slowest!.Value.Micros, all.Slowest.Value.Thread));
        Assert.Equal(6, sums.Add(Collected(2, 1, 1, slowestThread: 1), _ => null)[Series.Updates].Count); // a worker that is stalled

        static (Figures, IReadOnlyList<Figures>) Collected(long count, double average, double max, int slowestThread)
        {
            Figures Of(int thread, double most) => new()
            {
                Info = new(1, DateTime.UnixEpoch, 1, thread, 2),
                Latencies = new() { [(Series.Updates, null)] = new() { Count = count, Average = average, Max = most } },
            };
            return (Of(0, max), [Of(1, slowestThread == 1 ? max : max / 2), Of(2, slowestThread == 2 ? max : max / 2)]);
        }
    }

    [Fact]
    public void Dashboard_EveryQuery_NamesMetricsThatAToolExports()
    {
        using JsonDocument dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "etc/grafana/perftools.json")));
        string[] queries = [.. dashboard.RootElement.GetProperty("panels").EnumerateArray().Where(panel => panel.TryGetProperty("targets", out _))
            .SelectMany(panel => panel.GetProperty("targets").EnumerateArray()).Select(target => target.GetProperty("expr").GetString()!)];
        string[] named = [.. queries.SelectMany(query => MetricName.Matches(query)).Select(match => match.Value).Distinct()];
        // every figure of every tool has a value there
        HashSet<string> exported = [.. Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, "Reports", "Expected"), "Distinct*.txt")
            .SelectMany(File.ReadLines)
            .Where(line => line.StartsWith(MetricsText.Prefix, StringComparison.Ordinal)).Select(line => line.Split('{', ' ')[0])];
        Assert.True(queries.Length >= 12 && named.Length >= 12, $"{queries.Length} {named.Length}");
        Assert.Empty(named.Except(exported));
        int[] ids = [.. dashboard.RootElement.GetProperty("panels").EnumerateArray().Select(panel => panel.GetProperty("id").GetInt32())];
        Assert.Equal(ids.Distinct(), ids);
    }

    [Fact]
    public void Labels_WithEverySpecialCharacter_AreEscaped()
    {
        MetricSet text = new();
        text.Info("run", [("tool", "a\"b\\c\nd")]);
        text.Gauges("latencyMicroseconds", "figure", [("avg", 1.5), ("p99", null), ("max", double.PositiveInfinity)]);
        text.Gauge("absent", null);
        text.Counter("twice", 1);
        text.Counter("twice", 2);
        Assert.Equal(
            "# TYPE perftools_run info\nperftools_run_info{tool=\"a\\\"b\\\\c\\nd\"} 1\n"
            + "# TYPE perftools_latency_microseconds gauge\n# UNIT perftools_latency_microseconds "
            + "microseconds\nperftools_latency_microseconds{figure=\"avg\"} 1.5\nperftools_latency_microseconds{figure=\"max\"} +Inf\n"
            + "# TYPE perftools_twice counter\nperftools_twice_total 1\n# EOF\n",
            MetricsText.Write(text, []));
    }

    private static string Write(Report report, Figures? collected, params Figures[] threads) =>
        MetricsText.Write(report.CollectMetrics("1.2", collected, threads), []);

    private static CounterSnapshot CountsWith(Counter counter, long amount)
    {
        CounterSet counters = new();
        counters.Add(counter, amount);
        return counters.Snapshot();
    }
}
