using OpenTelemetry.Exporter;
using OpenTelemetry.Resources;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>Creates the options for an OpenTelemetry collector, and the description of the sender.</summary>
/// <remarks>OpenTelemetry's variables for resources and headers apply as they do to any program.</remarks>
internal static class OtlpTarget
{
    /// <summary>Maximum time for an answer of the collector.</summary>
    public const int AnswerMillis = 2_000;

    private const string Namespace = "perftools";

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
