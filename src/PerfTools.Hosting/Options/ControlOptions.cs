using System.Net;
using System.Net.Sockets;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>
/// Who may look at a program, and change it, while it runs: what is alike in all tools. Immutable; vary it with <c>with</c>.
/// </summary>
internal sealed record ControlOptions
{
    /// <summary>The environment variable that has the token where no option names a file.</summary>
    public const string TokenVariable = "PERFTOOLS_CONTROL_TOKEN";

    /// <summary>The flags of <see cref="Otlp"/>.</summary>
    public const string OtlpName = "-otlp", OtlpProtocolName = "-otlpProtocol";

    private const string Localhost = "localhost";
    private static readonly string Loopback = IPAddress.Loopback.ToString();

    /// <summary>Port for metrics, 0 for a free one; null for none. <c>-metricsPort</c></summary>
    public int? MetricsPort { get; init; }

    /// <summary>Address on which metrics can be read; null for that of this host alone. <c>-metricsHost</c></summary>
    public string? MetricsHost { get; init; }

    /// <summary>Takes changes. <c>-control</c></summary>
    public bool TakesChanges { get; init; }

    /// <summary>Address on which changes are taken; null for that of this host alone. <c>-controlHost</c></summary>
    public string? ControlHost { get; init; }

    /// <summary>What who changes something must know. <c>-controlToken</c></summary>
    public Secret Token { get; init; } = new(null, TokenVariable);

    /// <summary>Where OpenTelemetry data is sent.</summary>
    public OtlpOptions Otlp { get; init; } = new();

    /// <summary>True when anybody may connect.</summary>
    public bool Listens => MetricsPort is not null || TakesChanges;

    /// <summary>Metrics and changes have one listener.</summary>
    public int Port => MetricsPort ?? 0;

    /// <summary>Where it listens: an IPv4 address, or <c>localhost</c>.</summary>
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
        _ => IsHost(Host) ? Otlp.FindProblem(OtlpName, OtlpProtocolName) : $"{(ControlHost is null ? "-metricsHost" : "-controlHost")} must be an IPv4 address or {Localhost}",
    };

    private static bool IsHost(string text) => text == Localhost
        || (text.Count(c => c == '.') == 3 && IPAddress.TryParse(text, out IPAddress? address)
            && address.AddressFamily == AddressFamily.InterNetwork);
}

/// <summary>Writes the options about looking at a running program, and changing it, into a tool's table.</summary>
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
