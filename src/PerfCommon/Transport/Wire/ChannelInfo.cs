using System.Diagnostics;
using System.Net;

namespace PerfCommon.Transport;

/// <summary>Settings that both sides of a connection negotiated in the handshake.</summary>
[DebuggerDisplay(
    "{RemoteAddress}, version {ConnectionVersion}, at most {MaxMessageBytes} bytes, {CompressionType}, ping {PingTimeoutSeconds} s")]
public sealed record ChannelInfo
{
    /// <summary>Connection version: 11, 12, 13 or 14.</summary>
    public required int ConnectionVersion { get; init; }

    /// <summary>M of the ack, in bytes: the largest body of one frame. Longer messages are fragmented.</summary>
    public required int MaxMessageBytes { get; init; }

    /// <summary>The maximum reported to the application: M - 2.</summary>
    public int MaxFragmentBytes => MaxMessageBytes - 2;

    /// <summary>Ping time-out of both sides in seconds; 0 means no pings and no time-out.</summary>
    public required int PingTimeoutSeconds { get; init; }

    /// <summary>True when this side must send pings.</summary>
    public required bool SendsPings { get; init; }

    /// <summary>True when the peer promised pings, so that its silence ends the connection.</summary>
    public required bool ReceivesPings { get; init; }

    /// <summary>Compression of both directions.</summary>
    public CompressionType CompressionType { get; init; }

    /// <summary>Compression level of the ack, 0 to 9; advice only.</summary>
    internal int CompressionLevel { get; init; }

    /// <summary>Protocol type of both sides; see <see cref="RsslProtocol"/>.</summary>
    public required byte ProtocolType { get; init; }

    /// <summary>Major version of the protocol, the lower of both sides.</summary>
    public required byte MajorVersion { get; init; }

    /// <summary>Minor version of the protocol.</summary>
    public required byte MinorVersion { get; init; }

    /// <summary>The peer's component version text, escaped; empty before version 13.</summary>
    public string ComponentVersion { get; init; } = "";

    /// <summary>Negotiated WebSocket sub-protocol; null without WebSocket.</summary>
    public string? WebSocketProtocol { get; init; }

    /// <summary>True on the accepting side.</summary>
    public required bool IsServer { get; init; }

    /// <summary>Address of the peer; null when the bytes are not from a socket.</summary>
    public EndPoint? RemoteAddress { get; init; }

    /// <summary>Address of this side; null when the bytes are not from a socket.</summary>
    public EndPoint? LocalAddress { get; init; }

    /// <summary>Bytes of a fragment id: 2 from version 13 on, 1 before.</summary>
    internal int FragmentIdBytes => ConnectionVersion >= 13 ? 2 : 1;
}
