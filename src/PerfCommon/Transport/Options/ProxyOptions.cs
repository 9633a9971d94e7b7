namespace PerfCommon.Transport.Proxy;

/// <summary>The HTTP proxy through which a client connects. Immutable; vary it with <c>with</c>.</summary>
public sealed record ProxyOptions
{
    /// <summary>Name or address of the proxy; every address of a name is tried.</summary>
    public required string Host { get; init; }

    /// <summary>TCP port of the proxy.</summary>
    public required int Port { get; init; }

    /// <summary>Name to log in with when the proxy requests it; null or empty for none.</summary>
    public string? UserName { get; init; }

    /// <summary>Password to log in with; never printed.</summary>
    public string? Password { get; init; }

    /// <summary>Returns host and port; never the login.</summary>
    public override string ToString() => $"{Host}:{Port}";
}
