using System.Net;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>Sends collections as OpenTelemetry messages, one after the other. One owner thread.</summary>
internal sealed class OtlpSender : IDisposable
{
    private const int MaxBuckets = 160;
    private const string TemporalityVariable = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

    private readonly OtlpInstruments _instruments = new();
    private readonly OtlpMetricExporter _exporter;
    private readonly BaseExportingMetricReader _reader;
    private readonly MeterProvider _provider;

    /// <param name="options">The protocol and the target.</param>
    /// <param name="program">Name of the program.</param>
    /// <param name="version">Version of the program; null where it has none.</param>
    public OtlpSender(OtlpExporterOptions options, string program, string? version)
    {
        _exporter = new OtlpMetricExporter(options);
        _reader = new BaseExportingMetricReader(_exporter) { TemporalityPreference = FindTemporality() };
        _provider = Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(OtlpTarget.Describe(program, version))
            .AddMeter(OtlpInstruments.MeterName)
            .AddView(instrument => !_instruments.Has(instrument) ? MetricStreamConfiguration.Drop
                : instrument.Name == OtlpInstruments.LatencyName ? new Base2ExponentialBucketHistogramConfiguration { MaxSize = MaxBuckets } : null)
            .AddReader(_reader)
            .Build();
    }

    /// <summary>Sends one metric of each kind to a handler that discards it, so that the code that sends is compiled.</summary>
    public static void WarmUp(OtlpOptions options, string program, string? version)
    {
        OtlpExporterOptions nowhere = OtlpTarget.ForMetrics(options);
        nowhere.HttpClientFactory = () => new HttpClient(new Nowhere());
        using OtlpSender sender = new(nowhere, program, version);
        MetricSet metrics = new();
        metrics.Counter("count", 1);
        metrics.Gauges("figureMicroseconds", "figure", [("p99", 1)]);
        sender.TrySend(metrics, [new SampleCells("series", "1", [(1, 1)])]);
    }

    /// <summary>Sends a collection, and waits for the answer.</summary>
    /// <returns>False when it was not accepted.</returns>
    public bool TrySend(MetricSet metrics, IReadOnlyList<SampleCells> samples)
    {
        _instruments.Set(metrics, samples);
        return _reader.Collect(OtlpTarget.AnswerMillis);
    }

    public void Dispose()
    {
        _instruments.Clear(); // the provider collects once more
        _provider.Dispose();
        _reader.Dispose();
        _exporter.Dispose();
        _instruments.Dispose();
    }

    private static MetricReaderTemporalityPreference FindTemporality() =>
        "delta".Equals(Environment.GetEnvironmentVariable(TemporalityVariable), StringComparison.OrdinalIgnoreCase)
            ? MetricReaderTemporalityPreference.Delta : MetricReaderTemporalityPreference.Cumulative;

    // Accepts every message and sends none.
    private sealed class Nowhere : HttpMessageHandler
    {
        protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken) => Accept();

        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(Accept());

        private static HttpResponseMessage Accept()
        {
            HttpResponseMessage accepted = new(HttpStatusCode.OK) { Content = new ByteArrayContent([]) };
            accepted.TrailingHeaders.Add("grpc-status", "0");
            return accepted;
        }
    }
}
