using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Telemetry;
using Tools.Tests.Reports;
using Tools.Tests.Telemetry.Wire;
using Xunit;

namespace Tools.Tests.Telemetry;

/// <summary>Every figure of every collection arrives at a collector, and a faulty collector never keeps a run from ending.</summary>
public sealed class OtlpPushTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(180);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Offer_CollectionsOfEveryTool_ArriveFigureByFigure(bool byGrpc)
    {
        foreach (Report report in new[] { WrittenReports.Consumer, WrittenReports.BusyProvider, WrittenReports.Hub, WrittenReports.Users,
            WrittenReports.Transport })
        {
            using CollectorStandIn collector = new();
            OtlpPush push = Open(byGrpc ? collector.Grpc : collector.Http, byGrpc ? OtlpTransport.Grpc : OtlpTransport.Http);
            MetricSet[] sets = [.. Enumerable.Range(1, 3)
                .Select(second => report.CollectMetrics("1.2", At(second), [At(second), At(second) with { Info = At(second).Info with { Thread = 2 } }]))];
            foreach (MetricSet set in sets)
                push.Offer(() => set, []);
            Assert.Null(push.Complete(Patience));
            Assert.Null(push.DequeueNotice());
            MetricsRequest[] arrived = [.. collector.Metrics.Where(request => Points(request).Any())];
            Assert.Equal(sets.Length, arrived.Length);
            for (int i = 0; i < sets.Length; i++)
            {
                Assert.Equal(Expect(sets[i]), Points(arrived[i]).Order(StringComparer.Ordinal));
                Dictionary<string, string> resource = CollectorStandIn.Read(arrived[i].ResourceMetrics.Single().Resource.Attributes);
                Assert.Equal(("Tool", "perftools", "1.2", Environment.MachineName),
                    (resource["service.name"], resource["service.namespace"], resource["service.version"], resource["host.name"]));
            }

            Assert.True(Points(arrived[0]).Count() > 20, report.Tool);
        }
    }

    [Fact]
    public void Offer_Counters_AreMonotonicSumsAndFiguresGauges()
    {
        using CollectorStandIn collector = new();
        OtlpPush push = Open(collector.Grpc);
        push.Offer(() => WrittenReports.Consumer.CollectMetrics("1", At(1), []), []);
        Assert.Null(push.Complete(Patience));
        Metric[] metrics = [.. collector.Metrics.First().ResourceMetrics.SelectMany(one => one.ScopeMetrics).SelectMany(scope => scope.Metrics)];
        Metric count = metrics.Single(metric => metric.Name == "perftools.updates_received");
        Assert.True(count.Sum.IsMonotonic);
        Metric cpu = metrics.Single(metric => metric.Name == "perftools.process_cpu");
        Assert.Equal(("s", true), (cpu.Unit, cpu.Sum.IsMonotonic));
        Assert.Equal("By", metrics.Single(metric => metric.Name == "perftools.process_working_set").Unit);
        Assert.Equal("1/s", metrics.Single(metric => metric.Name == "perftools.update_rate").Unit);
        Metric latency = metrics.Single(metric => metric.Name == "perftools.update_latency");
        Assert.Equal("s", latency.Unit);
        Assert.All(latency.Gauge.DataPoints, point => Assert.Equal("updates", CollectorStandIn.Read(point.Attributes)["series"]));
    }

    [Fact]
    public void Offer_Samples_ArriveAsAnExponentialHistogramThatHasThemAll()
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        Random random = new(4);
        long[] nanos = [.. Enumerable.Range(0, 5_000).Select(_ => (long)(1_000 * Math.Exp(random.NextDouble() * 9)))];
        Array.ForEach(nanos, histogram.RecordValue);
        using CollectorStandIn collector = new();
        OtlpPush push = Open(collector.Grpc);
        push.Offer(() => new MetricSet(), [SampleCells.Of("update", "2", histogram)]);
        Assert.Null(push.Complete(Patience));
        ExponentialPoint point = collector.Metrics.First().ResourceMetrics.SelectMany(one => one.ScopeMetrics).SelectMany(scope => scope.Metrics)
            .Single(metric => metric.Name == "perftools.latency").ExponentialHistogram.DataPoints.Single();
        Assert.Equal((5_000UL, 0UL), (point.Count, point.ZeroCount));
        Assert.Equal(("update", "2"), (CollectorStandIn.Read(point.Attributes)["series"], CollectorStandIn.Read(point.Attributes)["thread"]));
        Assert.InRange(point.Sum / (nanos.Sum() * 1e-9), 0.999, 1.001);
        Assert.Equal(5_000UL, point.Positive.BucketCounts.Aggregate(0UL, (sum, count) => sum + count));
        double growth = Math.Pow(2, Math.Pow(2, -point.Scale));
        for (int i = 0; i < point.Positive.BucketCounts.Count; i++)
        {
            double upper = Math.Pow(growth, point.Positive.Offset + i + 1) * 1e9;
            long expected = nanos.Count(value => value <= upper),
                seen = (long)point.Positive.BucketCounts.Take(i + 1).Aggregate(0UL, (sum, count) => sum + count);
            Assert.InRange(seen - expected, -100, 100); // a cell at the edge, of 5,000
        }
    }

    [Fact]
    public void Complete_CollectorThatHangs_IsLeftInTimeAndSaid()
    {
        using TcpListener mute = new(IPAddress.Loopback, 0);
        mute.Start();
        OtlpPush push = Open($"http://127.0.0.1:{((IPEndPoint)mute.LocalEndpoint).Port}");
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < 100; i++)
            push.Offer(() => new MetricSet(), []);
        Assert.InRange(Stopwatch.GetElapsedTime(begin), TimeSpan.Zero, TimeSpan.FromSeconds(10)); // offering never waits
        Assert.Matches("^OpenTelemetry: [0-9] of 100 collections arrived at http://127.0.0.1:[0-9]+\\.$", push.Complete(TimeSpan.FromSeconds(1)));
        Assert.InRange(Stopwatch.GetElapsedTime(begin), TimeSpan.Zero, TimeSpan.FromSeconds(30));
    }

    [Fact]
    public void Offer_NobodyListens_IsSaidOnce()
    {
        using TcpListener closed = new(IPAddress.Loopback, 0);
        closed.Start();
        string address = $"http://127.0.0.1:{((IPEndPoint)closed.LocalEndpoint).Port}";
        closed.Stop();
        OtlpPush push = Open(address);
        push.Offer(() => new MetricSet { Thread = null }, []);
        MetricSet set = new();
        set.Gauge("figure", 1);
        push.Offer(() => set, []);
        Assert.Contains($"collections arrived at {address}", push.Complete(Patience), StringComparison.Ordinal);
        Assert.StartsWith($"OpenTelemetry: {address}: ", push.DequeueNotice(), StringComparison.Ordinal);
        Assert.Null(push.DequeueNotice());
    }

    /// <summary>A defect ends the sending: it is said, once, and what is missing is counted.</summary>
    [Fact]
    public void Offer_CollectionThatCannotBeMade_IsSaidAndMissing()
    {
        using CollectorStandIn collector = new();
        OtlpPush push = Open(collector.Http, OtlpTransport.Http);
        push.Offer(() => throw new InvalidOperationException("no such figure"), []);
        push.Offer(() => new MetricSet(), []);
        Assert.StartsWith("OpenTelemetry: 0 of 2 collections arrived at ", push.Complete(Patience), StringComparison.Ordinal);
        Assert.EndsWith(": no such figure", push.DequeueNotice(), StringComparison.Ordinal);
    }

    [Fact]
    public void Offer_NobodyListensAgain_IsNotSaidTwice()
    {
        using Socket taken = Runs.FreePorts.Refuse(out int port);
        OtlpPush push = Open($"http://127.0.0.1:{port}");
        MetricSet set = new();
        set.Gauge("figure", 1);
        push.Offer(() => set, []);
        Assert.True(SpinWait.SpinUntil(() => push.DequeueNotice() is not null, Patience));
        push.Offer(() => set, []);
        Assert.StartsWith("OpenTelemetry: 0 of 2 ", push.Complete(Patience), StringComparison.Ordinal);
        Assert.Null(push.DequeueNotice());
    }

    [Fact]
    public void Names_OfAllMetricsOfATool_AreDifferent()
    {
        foreach (Report report in new[] { WrittenReports.Consumer, WrittenReports.BusyProvider, WrittenReports.Publisher, WrittenReports.Hub,
            WrittenReports.Users, WrittenReports.Transport })
        {
            string[] names = [.. report.CollectMetrics("1", ConsumerSamples.Run, []).Families
                .Where(family => family.Kind is MetricKind.Counter or MetricKind.Gauge).Select(family => OtlpNames.Of(family).Name)];
            Assert.Equal(names.Distinct(), names);
            Assert.All(names, name => Assert.Matches("^perftools(\\.[a-z][a-z0-9_]*)+$", name));
        }
    }

    [Theory]
    [InlineData(null, 2_000)]
    [InlineData("", 2_000)]
    [InlineData("0", 2_000)]
    [InlineData("-5", 2_000)]
    [InlineData("600001", 2_000)]
    [InlineData("soon", 2_000)]
    [InlineData("1", 1)]
    [InlineData("600000", 600_000)]
    public void AnswerMillis_AreThoseOfTheVariable(string? value, int millis) => Assert.Equal(millis, OtlpTarget.FindAnswerMillis(value));

    private static OtlpPush Open(string address, OtlpTransport transport = OtlpTransport.Grpc) =>
        OtlpPush.Open(new OtlpOptions { Endpoint = new Uri(address), Transport = transport }, "Tool", "1.2")!;

    private static Figures At(int second) => ConsumerSamples.Run with
    {
        Info = ConsumerSamples.Run.Info with { Second = second, Seconds = 1 + (second / 10.0), Thread = 1, Threads = 2 },
    };

    private static IEnumerable<string> Points(MetricsRequest request) =>
        from resource in request.ResourceMetrics
        from scope in resource.ScopeMetrics
        from metric in scope.Metrics
        from point in (metric.Gauge ?? metric.Sum)?.DataPoints ?? []
        select Describe(metric.Name, CollectorStandIn.Read(point.Attributes), point.AsDouble);

    private static IEnumerable<string> Expect(MetricSet set) =>
        (from family in set.Families
         where family.Kind is MetricKind.Counter or MetricKind.Gauge
         let name = OtlpNames.Of(family)
         from sample in family.Samples
         select Describe(name.Name, sample.Labels.ToDictionary(label => label.Name, label => label.Value), sample.Value * name.Factor))
             .Order(StringComparer.Ordinal);

    private static string Describe(string name, Dictionary<string, string> labels, double value) =>
        FormattableString
            .Invariant(
                $"{name}{{{string.Join(',', labels.OrderBy(label => label.Key, StringComparer.Ordinal).Select(label => $"{label.Key}={label.Value}"))}}} {value:R}");
}
