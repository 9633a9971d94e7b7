using System.Diagnostics;
using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.Tls;

namespace PerfCommon.Transport;

/// <summary>Options of a client's connection. Immutable; vary it with <c>with</c>.</summary>
[DebuggerDisplay("{Host,nq}:{Port}")]
public sealed record ConnectOptions : ChannelOptions
{
    /// <summary>Name or address of the server; every address of a name is tried.</summary>
    public required string Host { get; init; }

    /// <summary>Seconds that one TCP connect may take.</summary>
    public int ConnectTimeoutSeconds { get; init; } = 10;

    /// <summary>First connection version to try, 11 to 14; then lower ones, down to 12, or 11 for protocol type 0.</summary>
    public int HighestVersion { get; init; } = 14;

    /// <summary>Encrypts the connection; null for none.</summary>
    public TlsClientSettings? Tls { get; init; }

    /// <summary>Connects through this proxy; null for none.</summary>
    public ProxyOptions? Proxy { get; init; }

    /// <summary>
    /// Sub-protocols to offer over WebSocket, separated by commas: rssl.rwf, tr_json2 (rssl.json.v2); null for plain RSSL.
    /// </summary>
    public string? WebSocketProtocols { get; init; }

    /// <summary>Address of the TCP connection: of the proxy if there is one.</summary>
    internal (string Host, int Port) NextHop => Proxy is { } proxy ? (proxy.Host, proxy.Port) : (Host, Port);
}
