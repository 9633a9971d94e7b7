namespace PerfTools.Hosting.Options;

/// <summary>The HTTP proxy of a client connection. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ProxyArguments
{
    /// <summary>Environment variable asked for the password when the command line has none.</summary>
    public const string PasswordVariable = "PERFTOOLS_PROXY_PASSWORD";

    /// <summary>Connects through the proxy. <c>-proxy</c></summary>
    public bool Enabled { get; init; }

    /// <summary>Host of the proxy; empty for none. <c>-ph</c></summary>
    public string Host { get; init; } = "";

    /// <summary>Port of the proxy as typed; empty for none. <c>-pp</c></summary>
    public string PortText { get; init; } = "";

    /// <summary>Login name at the proxy; empty for none. <c>-plogin</c></summary>
    public string UserName { get; init; } = "";

    /// <summary>Password at the proxy. <c>-ppasswd</c></summary>
    public Secret Password { get; init; } = new(null, PasswordVariable);

    /// <summary>Port of the proxy; 0 when the text is none.</summary>
    public int Port => ushort.TryParse(PortText, System.Globalization.CultureInfo.InvariantCulture, out ushort port) ? port : 0;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { Enabled: true, Host: "" } => "-proxy needs -ph",
        { Enabled: true, Port: 0 } => "-proxy needs -pp with a port from 1 to 65535",
        _ => null,
    };
}
