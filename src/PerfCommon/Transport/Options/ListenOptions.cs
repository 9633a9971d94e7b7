using System.Diagnostics;
using PerfCommon.Transport.Tls;

namespace PerfCommon.Transport;

/// <summary>Options of a server. Immutable; vary it with <c>with</c>.</summary>
[DebuggerDisplay("port {Port}")]
public sealed record ListenOptions : ChannelOptions
{
    internal const int UsualMaxConnections = 1024;

    private const int MinHandshakes = 256;
    private const int HandshakeShare = 4;

    /// <summary>M in bytes, 20 to 65535: the largest body of one frame.</summary>
    public int MaxFragmentSize { get; init; } = 6144;

    /// <summary>Minimum ping timeout granted to a client, in seconds.</summary>
    public int MinPingTimeoutSeconds { get; init; } = 20;

    /// <summary>Connections open at once; further ones are refused with a nak.</summary>
    public int MaxConnections { get; init; } = UsualMaxConnections;

    /// <summary>
    /// Maximum connections with an incomplete handshake: above it a new one waits a second, then the oldest of them is closed. 0 for a
    /// quarter of <see cref="MaxConnections"/>, 256 at least: with thousands of clients, thousands connect at the same time.
    /// </summary>
    public int MaxHandshakes { get; init; }

    internal int EffectiveMaxHandshakes => MaxHandshakes > 0 ? MaxHandshakes : Math.Max(MinHandshakes, MaxConnections / HandshakeShare);

    /// <summary>
    /// Output buffers that all connections share beyond their guaranteed ones (<see cref="ChannelOptions.OutputBuffers"/>), each
    /// up to <see cref="ChannelOptions.MaxOutputBuffers"/>; 0 for no other limit.
    /// </summary>
    public int SharedOutputBuffers { get; init; }

    /// <summary>zlib level in the ack, 0 (stored) to 9.</summary>
    public int CompressionLevel { get; init; } = 6;

    /// <summary>True compresses also for clients that offer no compression.</summary>
    public bool ForceCompression { get; init; }

    /// <summary>Encrypts every connection; null for none.</summary>
    public TlsServerSettings? Tls { get; init; }

    /// <summary>
    /// Sub-protocols granted to WebSocket clients on the same port, separated by commas: rssl.rwf, tr_json2 (rssl.json.v2); null refuses
    /// WebSocket.
    /// </summary>
    public string? WebSocketProtocols { get; init; } = "rssl.rwf";
}
