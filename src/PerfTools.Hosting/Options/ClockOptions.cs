using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>The clock that made the received stamps. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ClockOptions
{
    /// <summary>The flags.</summary>
    public const string PeerName = "-clock", KeyName = "-clockKey";

    private const string Scheme = "clock://";

    /// <summary>
    /// Address of <c>perftools clock --listen</c> on the host of the sender of stamps; null when the sender uses this host's clock. <c>-clock</c>
    /// </summary>
    public string? Peer { get; init; }

    /// <summary>The file with the key that both sides have. <c>-clockKey</c></summary>
    public string? KeyFile { get; init; }

    /// <summary>Reads <c>host:port</c> or <c>[address]:port</c>; null when it is neither.</summary>
    public static (string Host, int Port)? TryParseAddress(string text) =>
        Uri.TryCreate(Scheme + text, UriKind.Absolute, out Uri? address)
        && address is { Port: > 0, UserInfo: "", PathAndQuery: "/" or "", Fragment: "", Host.Length: > 0 }
            ? (address.Host.Trim('[', ']'), address.Port) : null;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { Peer: null, KeyFile: not null } => $"{KeyName} needs {PeerName}",
        { Peer: not null, KeyFile: null } => $"{PeerName} needs {KeyName}",
        _ => null,
    };
}

/// <summary>Adds the options about the sender's clock to a tool's table.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
internal sealed class ClockRows<T>(OptionTable<T> table, Func<T, ClockOptions> get, Func<T, ClockOptions, T> set)
    where T : class
{
    private readonly OptionRows<T, ClockOptions> _rows = table.Part(get, set);

    public void Add()
    {
        _rows.Custom(ClockOptions.PeerName, "host:port", "host:port",
            "correct latencies by the clock of the provider's host, which perftools clock --listen answers for",
            c => c.Peer, (c, text) => ClockOptions.TryParseAddress(text) is null ? null : c with { Peer = text }).As("Clock");
        _rows.Text(ClockOptions.KeyName, "file", $"file with the key for {ClockOptions.PeerName}, 32 bytes or more",
            c => c.KeyFile, (c, v) => c with { KeyFile = v }).As("Clock Key");
    }
}
