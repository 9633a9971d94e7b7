using System.Text.Json;
using System.Text.RegularExpressions;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using Tools.Tests.Reports;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>What monitoring reads of every tool.</summary>
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
    public void Dashboard_EveryQuery_NamesMetricsThatAToolExports()
    {
        using JsonDocument dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "etc/grafana/perftools.json")));
        string[] queries = [.. dashboard.RootElement.GetProperty("panels").EnumerateArray().Where(panel => panel.TryGetProperty("targets", out _))
            .SelectMany(panel => panel.GetProperty("targets").EnumerateArray()).Select(target => target.GetProperty("expr").GetString()!)];
        string[] named = [.. queries.SelectMany(query => MetricName.Matches(query)).Select(match => match.Value).Distinct()];
        // every figure of every tool has a value there
        HashSet<string> exported = [.. Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, "Reports", "Expected"), "Distinct*.txt").SelectMany(File.ReadLines)
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
            + "# TYPE perftools_latency_microseconds gauge\n# UNIT perftools_latency_microseconds microseconds\nperftools_latency_microseconds{figure=\"avg\"} 1.5\nperftools_latency_microseconds{figure=\"max\"} +Inf\n"
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
