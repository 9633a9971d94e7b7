using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Tools.Tests.PerfToolsTests;
using Tools.Tests.Telemetry.Wire;
using Xunit;

namespace Tools.Tests.Telemetry;

/// <summary>The metrics and traces of a real run: every collection of every role, and a trace of its phases.</summary>
public sealed class OtlpRunTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Run_WithACollector_SendsWhatTheJsonLinesHaveAndItsPhases()
    {
        using CollectorStandIn collector = new();
        (int code, string output, string error) = await PerfToolsRuns.Run(["run", "direct", "--items", "500", "--rate", "20000", "--seconds", "10",
            "--otlp", collector.Grpc, "--out", _folder.PathOf("run")]);
        Assert.True(code is 0 or 4, output + error); // 4: the machine was too busy for the rate
        foreach ((string role, string tool, string file, string count, string name) in new[]
            { ("provider", "ProvPerf", "ProvPerf.jsonl", "updatesSent", "perftools.updates_sent"),
                ("consumer", "ConsPerf", "ConsPerf.jsonl", "updatesReceived", "perftools.updates_received") })
        {
            JsonElement[] lines = [.. File.ReadLines(_folder.PathOf($"run/{file}")).Select(line => JsonDocument.Parse(line).RootElement)
                .Where(line => !line.GetProperty("final").GetBoolean() && line.TryGetProperty("overall", out _))];
            MetricsRequest[] sent = [.. collector.Metrics.Where(request => IsOf(request.ResourceMetrics[0].Resource, role, tool)
                && Values(request, name).Any())];
            Assert.True(lines.Length >= 10, $"{lines.Length}");
            Assert.Equal(lines.Length, sent.Length);
            long total = 0;
            for (int i = 0; i < lines.Length; i++)
            {
                total += lines[i].GetProperty("overall").GetProperty("counts").GetProperty(count).GetInt64();
                Assert.Equal(total, Values(sent[i], name).Single());
                Assert.Equal(lines[i].GetProperty("overall").GetProperty("updateRate").GetDouble(), Values(sent[i], "perftools.update_rate").Single(), 2);
            }
        }

        CheckSamples(collector);
        CheckTrace(collector);
    }

    [Fact]
    public async Task Run_CollectorThatHangs_EndsInTimeAndSaysWhatIsMissing()
    {
        using TcpListener mute = new(IPAddress.Loopback, 0);
        mute.Start();
        string address = $"http://127.0.0.1:{((IPEndPoint)mute.LocalEndpoint).Port}";
        DateTime begin = DateTime.UtcNow;
        (int code, string output, string error) = await PerfToolsRuns.Run(["run", "direct", "--items", "100", "--rate", "5000", "--seconds", "10",
            "--otlp", address, "--out", _folder.PathOf("run")]);
        Assert.True(code is 0 or 4, output + error);
        Assert.InRange(DateTime.UtcNow - begin, TimeSpan.Zero, TimeSpan.FromSeconds(180));
        Assert.Contains($"Warning: OpenTelemetry: {address}: the trace of the run was not accepted in time", output, StringComparison.Ordinal);
        Assert.Contains($"collections arrived at {address}.",
            await File.ReadAllTextAsync(_folder.PathOf("run/ConsPerf.log"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--otlp", "localhost:4317")]
    [InlineData("--otlp", "ftp://localhost")]
    [InlineData("--otlp", "http://user@localhost")]
    public async Task Run_WrongAddress_IsRefused(params string[] words)
    {
        (int code, _, string error) = await PerfToolsRuns.Run(["run", "direct", .. words]);
        Assert.Equal((2, $"perftools: --otlp: '{words[1]}' is not an address such as http://localhost:4317\n"), (code, error));
    }

    [Fact]
    public async Task Run_ProtocolWithoutAddress_IsRefused()
    {
        (int code, _, string error) = await PerfToolsRuns.Run(["run", "direct", "--otlp-protocol", "http"]);
        Assert.Equal((2, "perftools: --otlp-protocol needs --otlp\n"), (code, error));
    }

    public void Dispose() => _folder.Dispose();

    // All samples of the run, as the collections count them.
    private void CheckSamples(CollectorStandIn collector)
    {
        long samples = File.ReadLines(_folder.PathOf("run/ConsPerf.jsonl")).Select(line => JsonDocument.Parse(line).RootElement)
            .Where(line => !line.GetProperty("final").GetBoolean() && line.TryGetProperty("overall", out _))
            .Sum(line => line.GetProperty("overall").TryGetProperty("updateLatency", out JsonElement latency) ? latency.GetProperty("count").GetInt64() : 0);
        Assert.True(samples > 1_000, $"{samples}");
        ExponentialPoint[] points = [.. collector.Metrics.Where(request => IsOf(request.ResourceMetrics[0].Resource, "consumer", "ConsPerf"))
            .SelectMany(request => request.ResourceMetrics).SelectMany(one => one.ScopeMetrics).SelectMany(scope => scope.Metrics)
            .Where(metric => metric.Name == "perftools.latency").SelectMany(metric => metric.ExponentialHistogram.DataPoints)];
        Assert.Equal((ulong)samples, points.Max(point => point.Count));
    }

    private static void CheckTrace(CollectorStandIn collector)
    {
        TraceRequest trace = Assert.Single(collector.Traces);
        Assert.Equal(("perftools", "run", "direct"), (Attribute(trace.ResourceSpans[0].Resource, "service.name"),
            Attribute(trace.ResourceSpans[0].Resource, "perftools.run"), Attribute(trace.ResourceSpans[0].Resource, "perftools.scenario")));
        Span[] spans = [.. trace.ResourceSpans.SelectMany(one => one.ScopeSpans).SelectMany(scope => scope.Spans)];
        Span whole = Assert.Single(spans, span => span.ParentSpanId.IsEmpty);
        Assert.Equal("run direct", whole.Name);
        Assert.Equal(["start programs", "start-up", "steady", "end"],
            spans.Where(span => span != whole).OrderBy(span => span.StartTimeUnixNano).Select(span => span.Name));
        Assert.All(spans, span => Assert.True(span.TraceId == whole.TraceId && span.StartTimeUnixNano >= whole.StartTimeUnixNano
            && span.EndTimeUnixNano <= whole.EndTimeUnixNano
            && span.EndTimeUnixNano >= span.StartTimeUnixNano, span.ToString()));
        Span steady = spans.Single(span => span.Name == "steady");
        Assert.InRange((steady.EndTimeUnixNano - steady.StartTimeUnixNano) / 1e9, 5, 12);
    }

    private static bool IsOf(Resource resource, string role, string tool) => Attribute(resource, "perftools.role") == role
        && Attribute(resource, "service.name") == tool
        && Attribute(resource, "perftools.run") == "run" && Attribute(resource, "perftools.scenario") == "direct";

    private static string? Attribute(Resource resource, string name) => CollectorStandIn.Read(resource.Attributes).GetValueOrDefault(name);

    private static IEnumerable<double> Values(MetricsRequest request, string name) =>
        request.ResourceMetrics.SelectMany(one => one.ScopeMetrics).SelectMany(scope => scope.Metrics).Where(metric => metric.Name == name)
            .SelectMany(metric => (metric.Gauge ?? metric.Sum).DataPoints).Select(point => point.AsDouble);
}
