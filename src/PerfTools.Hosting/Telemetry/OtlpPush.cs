using System.Threading.Channels;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>
/// Sends every collection to an OpenTelemetry collector, from a thread of its own: no worker waits for it, and a collector that does not
/// answer costs what it would have got, never the run.
/// </summary>
internal sealed class OtlpPush
{
    // Collections that wait while the collector is slow.
    private const int MaxWaiting = 16;
    private const int MaxBuckets = 160;
    private const string TemporalityVariable = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

    private readonly OtlpOptions _options;
    private readonly string _program;
    private readonly string? _version;
    private readonly Channel<Collection> _waiting = Channel.CreateBounded<Collection>(MaxWaiting);
    private readonly Thread _thread;
    private long _offered, _sent;
    private string? _notice;
    private bool _failed;

    private OtlpPush(OtlpOptions options, string program, string? version)
    {
        (_options, _program, _version) = (options, program, version);
        _thread = new Thread(Run) { IsBackground = true, Name = "otlp" };
        _thread.Start();
    }

    /// <summary>Begins; null where the options name no collector.</summary>
    /// <param name="options">Where it is.</param>
    /// <param name="program">Whose metrics.</param>
    /// <param name="version">Of the program; null where it has none.</param>
    public static OtlpPush? Open(OtlpOptions options, string program, string? version) =>
        options.Endpoint is null ? null : new(options, program, version);

    /// <summary>Hands a collection over; it is left out where too many wait. Never blocks.</summary>
    /// <param name="metrics">Makes the metrics, on the thread that sends them.</param>
    /// <param name="samples">The samples of the interval.</param>
    public void Offer(Func<MetricSet> metrics, IReadOnlyList<SampleCells> samples)
    {
        Interlocked.Increment(ref _offered);
        _waiting.Writer.TryWrite(new(metrics, samples));
    }

    /// <summary>Why a collection did not arrive, once; null for nothing.</summary>
    public string? TakeNotice() => Interlocked.Exchange(ref _notice, null);

    /// <summary>Sends what waits, within a limit.</summary>
    /// <returns>How many collections did not arrive, as a sentence; null when all did.</returns>
    public string? Complete(TimeSpan limit)
    {
        _waiting.Writer.TryComplete();
        _thread.Join(limit);
        long sent = Interlocked.Read(ref _sent), offered = Interlocked.Read(ref _offered);
        return sent == offered ? null
            : FormattableString.Invariant($"OpenTelemetry: {sent} of {offered} collections arrived at {_options.Endpoint!.OriginalString}.");
    }

    private void Run()
    {
        try
        {
            Send();
        }
#pragma warning disable CA1031 // whatever the packages throw ends the sending, never the run: it is said, and what is missing counted
        catch (Exception defect)
#pragma warning restore CA1031
        {
            Note(defect.Message);
        }
    }

    private void Send()
    {
        using OtlpInstruments instruments = new();
        using OtlpMetricExporter exporter = new(OtlpTarget.ForMetrics(_options));
        using BaseExportingMetricReader reader = new(exporter) { TemporalityPreference = FindTemporality() };
        using MeterProvider provider = Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(OtlpTarget.Describe(_program, _version))
            .AddMeter(OtlpInstruments.MeterName)
            .AddView(instrument => !instruments.Has(instrument) ? MetricStreamConfiguration.Drop
                : instrument.Name == OtlpInstruments.LatencyName ? new Base2ExponentialBucketHistogramConfiguration { MaxSize = MaxBuckets } : null)
            .AddReader(reader)
            .Build();
        while (TryTake(out Collection? collection))
        {
            instruments.Set(collection!.Metrics(), collection.Samples);
            if (reader.Collect(OtlpTarget.AnswerMillis))
                Interlocked.Increment(ref _sent);
            else
                Note("a collection was not accepted in time; is a collector listening there, and does it speak this protocol (-otlpProtocol)?");
        }

        instruments.Clear();
    }

    // Waits for one; false after the last.
    private bool TryTake(out Collection? collection)
    {
        collection = null;
        while (_waiting.Reader.WaitToReadAsync().AsTask().GetAwaiter().GetResult())
        {
            if (_waiting.Reader.TryRead(out collection))
                return true;
        }

        return false;
    }

    private void Note(string problem)
    {
        if (_failed)
            return;
        _failed = true;
        Volatile.Write(ref _notice, $"OpenTelemetry: {_options.Endpoint!.OriginalString}: {problem}");
    }

    private static MetricReaderTemporalityPreference FindTemporality() =>
        "delta".Equals(Environment.GetEnvironmentVariable(TemporalityVariable), StringComparison.OrdinalIgnoreCase)
            ? MetricReaderTemporalityPreference.Delta : MetricReaderTemporalityPreference.Cumulative;

    private sealed record Collection(Func<MetricSet> Metrics, IReadOnlyList<SampleCells> Samples);
}
