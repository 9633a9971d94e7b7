using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>What a run tells monitoring before, and after, its first collection.</summary>
[Trait("Category", "Fast")]
public sealed class RunTelemetryTests : IDisposable
{
    private readonly Role _role = new();

    public void Dispose() => _role.Dispose();

    [Fact]
    public void WriteMetrics_BeforeTheFirstCollection_NamesToolAndVersion()
    {
        string text = new RunTelemetry(_role, new() { MetricsPort = 0 }).WriteMetrics();
        string version = ProgramVersion.Of(typeof(RunTelemetryTests).Assembly)!;
        Assert.Contains($"tool=\"Sample\",version=\"{version}\"", text, StringComparison.Ordinal);
        Assert.DoesNotContain("perftools_messages", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Publish_Collections_AddUpInBucketsWhereMetricsAreRead(bool isRead)
    {
        RunTelemetry telemetry = new(_role, new() { MetricsPort = isRead ? 0 : null });
        using Collector collector = new(_role, CpuClock.Current.Read(), intervalSeconds: 1);
        for (int interval = 1; interval <= 2; interval++)
        {
            for (int worker = 0; worker < 2; worker++)
            {
                _role.Workers[worker].Recording.Counters.Add(Counter.MessagesSent, 5);
                _role.Workers[worker].Recording[Series.Messages].Record(10 * interval);
            }

            telemetry.Publish(collector.Collect([true, true]), collector);
        }

        string text = telemetry.WriteMetrics();
        Assert.Contains("perftools_messages_sent_total{", text, StringComparison.Ordinal);
        string[] buckets = [.. text.Split('\n').Where(line => line.Contains("_bucket{", StringComparison.Ordinal))];
        Assert.Equal(isRead ? LatencyDistribution.Bounds.Count + 1 : 0, buckets.Length);
        if (isRead)
            Assert.Equal((" 2", " 4", " 4"), (CountOf(buckets, "10.0"), CountOf(buckets, "20.0"), CountOf(buckets, "+Inf")));
    }

    [Theory]
    [InlineData(LatencyUnit.Nanoseconds, 5_002, "10.0")]
    [InlineData(LatencyUnit.Nanoseconds, 4_999, "5.0")]
    [InlineData(LatencyUnit.Microseconds, 5, "5.0")]
    [InlineData(LatencyUnit.Microseconds, 6, "10.0")]
    public void Distribution_OfEitherUnit_IsByMicroseconds(LatencyUnit unit, long sample, string bound)
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(unit);
        histogram.RecordValue(sample);
        Figures figures = new() { Latencies = { [(Series.Messages, null)] = new() { Count = 1, Average = 5, Max = 5 } } };
        LatencyDistribution found = new DistributionSums().Add((figures, []), _ => histogram)[Series.Messages];
        Assert.Equal(bound, FormattableString.Invariant($"{LatencyDistribution.Bounds[found.Counts.ToList().IndexOf(1)]:F1}"));
    }

    /// <summary>A worker without samples has no slowest one, though the slowest of another took no time.</summary>
    [Fact]
    public void Distribution_OfOneWorkerWithSamples_NamesItForTheSlowest()
    {
        Figures Of(int thread, long count) => new()
        {
            Info = new(1, DateTime.UnixEpoch, 1, thread, 2),
            Latencies = { [(Series.Messages, null)] = new() { Count = count } },
        };
        LatencyDistribution found = new DistributionSums().Add((Of(0, 1), [Of(1, 0), Of(2, 1)]), _ => null)[Series.Messages];
        Assert.Equal(new SlowestSample(0, DateTime.UnixEpoch, 2), found.Slowest);
        Assert.Null(new DistributionSums().Add((Of(0, 0), [Of(1, 0), Of(2, 0)]), _ => null)[Series.Messages].Slowest);
    }

    private static string CountOf(string[] buckets, string bound) =>
        Assert.Single(buckets, line => line.Contains($"le=\"{bound}\"", StringComparison.Ordinal)).Split('}')[1].Split('#')[0].TrimEnd();

    private sealed class Role() : ToolRole(CreateWorkers(new RunOptions { ListedThreads = ThreadPlan.Unbounded(2) }, CreateRecording), CreateReport())
    {
        public override long? EndNanos => null;

        public override void Begin(RunConsole console, long nowNanos)
        {
        }

        public override RunOutcome? FindEnd(long nowNanos) => null;

        private static WorkerRecording CreateRecording()
        {
            WorkerRecording recording = new();
            recording.Measure(Series.Messages, LatencyUnit.Microseconds);
            return recording;
        }

        private static Report CreateReport()
        {
            ReportTable table = new("Sample")
            {
                Steady = (Moment.Connected, Moment.End),
                IntervalParts = [JsonPart.Counts, JsonPart.Numbers, JsonPart.Latencies],
            };
            table.Section();
            table.Count("messagesSent", Counter.MessagesSent).Summary("Messages: {0}");
            table.Latency(Series.Messages).Json("latency").Summary("Average: {0:F0} us, {9} samples");
            table.Overall();
            return new Report(table);
        }
    }
}
