using System.Globalization;
using OpenTelemetry.Exporter;
using OpenTelemetry.Resources;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>Creates the options for an OpenTelemetry collector, and the description of the sender.</summary>
/// <remarks>OpenTelemetry's variables for resources and headers apply as they do to any program.</remarks>
internal static class OtlpTarget
{
    private const string TimeoutVariable = "OTEL_EXPORTER_OTLP_TIMEOUT";
    private const int UsualAnswerMillis = 2_000; // less than OpenTelemetry's 10 s: collections follow each other by seconds
    private const int MaxAnswerMillis = 600_000;
    private const string Namespace = "perftools";

    /// <summary>The longest that a collector may take for an answer: what OpenTelemetry's variable says, from 1 ms to ten minutes, else 2 s.</summary>
    public static int AnswerMillis { get; } = FindAnswerMillis(Environment.GetEnvironmentVariable(TimeoutVariable));

    /// <summary>Creates the options for metrics.</summary>
    public static OtlpExporterOptions ForMetrics(OtlpOptions options) => Create(options, "v1/metrics");

    /// <summary>Creates the options for spans.</summary>
    public static OtlpExporterOptions ForTraces(OtlpOptions options) => Create(options, "v1/traces");

    /// <summary>Describes the sender.</summary>
    /// <param name="program">Its name.</param>
    /// <param name="version">Its version; null where it has none.</param>
    public static ResourceBuilder Describe(string program, string? version) => ResourceBuilder.CreateEmpty()
        .AddService(program, Namespace, version)
        .AddAttributes([new(RunLabels.Host, Environment.MachineName), new("process.pid", (long)Environment.ProcessId)])
        .AddEnvironmentVariableDetector();

    /// <summary>The limit that a value of the variable asks for, in milliseconds.</summary>
    public static int FindAnswerMillis(string? value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int millis) && millis is > 0 and <= MaxAnswerMillis
            ? millis : UsualAnswerMillis;

    private static OtlpExporterOptions Create(OtlpOptions options, string signal)
    {
        bool isHttp = options.EffectiveTransport == OtlpTransport.Http;
        Uri endpoint = options.Endpoint!;
        return new OtlpExporterOptions
        {
            Protocol = isHttp ? OtlpExportProtocol.HttpProtobuf : OtlpExportProtocol.Grpc,
            Endpoint = isHttp ? new Uri($"{endpoint.AbsoluteUri.TrimEnd('/')}/{signal}") : endpoint,
            TimeoutMilliseconds = AnswerMillis,
        };
    }
}
