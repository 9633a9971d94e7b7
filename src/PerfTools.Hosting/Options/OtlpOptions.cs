using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>The protocols by which OpenTelemetry data are sent.</summary>
internal enum OtlpTransport
{
    /// <summary>HTTP for port 4318 or an address with a path, gRPC for any other.</summary>
    Auto,
    Grpc,
    Http,
}

/// <summary>The target of OpenTelemetry data. Immutable; vary it with <c>with</c>.</summary>
internal sealed record OtlpOptions
{
    /// <summary>Description of a valid address, for messages.</summary>
    public const string EndpointKind = "an address such as http://localhost:4317";

    private const int HttpPort = 4318;

    /// <summary>The collector; null for none. <c>-otlp</c></summary>
    public Uri? Endpoint { get; init; }

    /// <summary>Protocol to the collector. <c>-otlpProtocol</c></summary>
    public OtlpTransport Transport { get; init; }

    /// <summary>The protocol, with the address's choice in place of Auto.</summary>
    public OtlpTransport EffectiveTransport => Transport != OtlpTransport.Auto ? Transport
        : Endpoint is { } end && (end.Port == HttpPort || end.AbsolutePath != "/") ? OtlpTransport.Http : OtlpTransport.Grpc;

    /// <summary>Reads an address of http or https; null for anything else.</summary>
    public static Uri? TryParse(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && address.Scheme is "http" or "https"
            && address is { Host.Length: > 0, UserInfo: "", Query: "", Fragment: "" } ? address : null;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    /// <param name="name">The flag of the address.</param>
    /// <param name="protocolName">The flag of the protocol.</param>
    public string? FindProblem(string name, string protocolName) =>
        Endpoint is null && Transport != OtlpTransport.Auto ? $"{protocolName} needs {name}" : null;

    /// <summary>Creates the same options for another program's command line; none where there is no collector.</summary>
    public IReadOnlyList<string> CreateArguments() => Endpoint is null ? []
        : [ControlOptions.OtlpName, Endpoint.OriginalString, ControlOptions.OtlpProtocolName,
            OtlpWords.All.First(word => word.Choice == EffectiveTransport).Word];

    /// <summary>Adds the two options to a table.</summary>
    /// <param name="rows">The table.</param>
    /// <param name="name">The flag of the address.</param>
    /// <param name="protocolName">The flag of the protocol.</param>
    public static void AddRows<T>(OptionRows<T, OtlpOptions> rows, string name, string protocolName)
        where T : class
    {
        rows.Custom(name, "url", EndpointKind, "send the figures of every collection to this OpenTelemetry collector",
            o => o.Endpoint?.OriginalString, (o, s) => TryParse(s) is { } v ? o with { Endpoint = v } : null).As("OpenTelemetry");
        rows.Choice(protocolName, "kind", "grpc or http; auto: http for port 4318 or an address with a path, else grpc", OtlpWords.All,
            o => o.Transport, (o, v) => o with { Transport = v }).As("OpenTelemetry Protocol");
    }
}

/// <summary>The words of <c>-otlpProtocol</c>.</summary>
internal static class OtlpWords
{
    public static IReadOnlyList<ChoiceWord<OtlpTransport>> All { get; } =
        [new("auto", OtlpTransport.Auto), new("grpc", OtlpTransport.Grpc), new("http", OtlpTransport.Http)];
}
