using System.Net;
using System.Net.Sockets;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>
/// The options by which a program is watched, and changed, while it runs; the same in all tools. Immutable; vary it with <c>with</c>.
/// </summary>
internal sealed record ControlOptions
{
    /// <summary>The environment variable with the token, used where no option names a file.</summary>
    public const string TokenVariable = "PERFTOOLS_CONTROL_TOKEN";

    /// <summary>The flags of <see cref="Otlp"/>.</summary>
    public const string OtlpName = "-otlp", OtlpProtocolName = "-otlpProtocol";

    private const string Localhost = "localhost";
    private static readonly string Loopback = IPAddress.Loopback.ToString();

    /// <summary>Port for metrics, 0 for a free one; null for none. <c>-metricsPort</c></summary>
    public int? MetricsPort { get; init; }

    /// <summary>Address on which metrics can be read; null for loopback only. <c>-metricsHost</c></summary>
    public string? MetricsHost { get; init; }

    /// <summary>Accepts changes. <c>-control</c></summary>
    public bool TakesChanges { get; init; }

    /// <summary>Address on which changes are accepted; null for loopback only. <c>-controlHost</c></summary>
    public string? ControlHost { get; init; }

    /// <summary>The token that a client must send to change settings. <c>-controlToken</c></summary>
    public Secret Token { get; init; } = new(null, TokenVariable);

    /// <summary>The target of OpenTelemetry data.</summary>
    public OtlpOptions Otlp { get; init; } = new();

    /// <summary>True when the program listens for clients.</summary>
    public bool Listens => MetricsPort is not null || TakesChanges;

    /// <summary>Port of the listener, which metrics and changes share.</summary>
    public int Port => MetricsPort ?? 0;

    /// <summary>Address on which it listens: an IPv4 address, or <c>localhost</c>.</summary>
    public string Host => ControlHost ?? MetricsHost ?? Loopback;

    /// <summary>True when only programs of this host can connect.</summary>
    public bool IsLocal => Host == Localhost || IPAddress.IsLoopback(IPAddress.Parse(Host));

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { MetricsHost: null, ControlHost: null } => Otlp.FindProblem(OtlpName, OtlpProtocolName),
        { MetricsHost: not null, MetricsPort: null } => "-metricsHost needs -metricsPort",
        { ControlHost: not null, TakesChanges: false } => "-controlHost needs -control",
        { MetricsHost: { } metrics, ControlHost: { } control } when metrics != control =>
            "-metricsHost and -controlHost must be the same: they share a listener",
        _ => IsHost(Host) ? Otlp.FindProblem(OtlpName, OtlpProtocolName)
            : $"{(ControlHost is null ? "-metricsHost" : "-controlHost")} must be an IPv4 address or {Localhost}",
    };

    private static bool IsHost(string text) => text == Localhost
        || (text.Count(c => c == '.') == 3 && IPAddress.TryParse(text, out IPAddress? address)
            && address.AddressFamily == AddressFamily.InterNetwork);
}

/// <summary>Adds the options for watching and changing a running program to a tool's table.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
internal sealed class ControlRows<T>(OptionTable<T> table, Func<T, ControlOptions> get, Func<T, ControlOptions, T> set)
    where T : class
{
    private readonly OptionRows<T, ControlOptions> _rows = table.Part(get, set);

    public void Add()
    {
        _rows.OptionalNumber("-metricsPort", "port",
            "offer counters and figures to monitoring (OpenMetrics, /metrics) on this port, 0 for a free one",
            c => c.MetricsPort, (c, v) => c with { MetricsPort = v }).Within(0, ushort.MaxValue).As("Metrics Port");
        _rows.Text("-metricsHost", "ip", "address for -metricsPort, 0.0.0.0 for all; by default this host only",
            c => c.MetricsHost, (c, v) => c with { MetricsHost = v }).As("Metrics Host");
        _rows.Switch("-control", "accept changes during the run (/control) on -metricsPort or a free port",
            c => c.TakesChanges, (c, v) => c with { TakesChanges = v }).As("Control");
        _rows.Text("-controlHost", "ip", "address for -control; requires a token",
            c => c.ControlHost, (c, v) => c with { ControlHost = v }).As("Control Host");
        _rows.Custom("-controlToken", "@file", "the name of a file after @",
            $"file with the token that -control asks for; otherwise {ControlOptions.TokenVariable}",
            _ => null, (c, text) => text is ['@', _, ..] ? c with { Token = c.Token.WithText(text) } : null)
            .As("Control Token", o => get(o).Token.ToString());
        OtlpOptions.AddRows(_rows.Part(c => c.Otlp, (c, v) => c with { Otlp = v }), ControlOptions.OtlpName, ControlOptions.OtlpProtocolName);
    }
}
