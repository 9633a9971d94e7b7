namespace PerfCommon.Transport;

/// <summary>Options of a connection that both roles have. Immutable; vary it with <c>with</c>.</summary>
public abstract record ChannelOptions
{
    /// <summary>Bytes that are passed to the system together while more follow.</summary>
    /// <remarks>
    /// The more at once, the less each costs, up to the maximum that the system sends in one piece: 65,483 bytes over loopback. A few more
    /// need a second piece, which costs as much as the first. One output buffer may be added.
    /// </remarks>
    internal const int BytesAtOnce = 56 * 1024;

    /// <summary>TCP port of the server; 0: the server uses any free one.</summary>
    public required int Port { get; init; }

    /// <summary>Interface to connect from or listen on: name, address or host; null for any (a server: all, IPv6 and IPv4).</summary>
    public string? InterfaceName { get; init; }

    /// <summary>Protocol type; see <see cref="RsslProtocol"/>.</summary>
    public byte ProtocolType { get; init; }

    /// <summary>Major version of the protocol.</summary>
    public byte MajorVersion { get; init; } = 14;

    /// <summary>Minor version of the protocol.</summary>
    public byte MinorVersion { get; init; } = 1;

    /// <summary>Ping timeout in seconds, 1 to 255: the client's request, the server's maximum.</summary>
    public int PingTimeoutSeconds { get; init; } = 60;

    /// <summary>Guaranteed output buffers; the limit is the larger of this and <see cref="MaxOutputBuffers"/>.</summary>
    public int OutputBuffers { get; init; } = 50;

    /// <summary>Maximum output buffers; 0 means <see cref="OutputBuffers"/>.</summary>
    public int MaxOutputBuffers { get; init; }

    /// <summary>Input buffers; only enlarges the read array (64 KB at least).</summary>
    public int InputBuffers { get; init; } = 10;

    /// <summary>SO_SNDBUF in bytes; 0 leaves the system's sizing.</summary>
    public int SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF in bytes; 0 leaves the system's sizing.</summary>
    public int ReceiveBufferBytes { get; init; }

    /// <summary>
    /// SO_SNDTIMEO in milliseconds: limits a TCP connect where it is shorter, and has no effect on an open connection. 0 for none.
    /// </summary>
    public int SendTimeoutMillis { get; init; }

    /// <summary>
    /// SO_RCVTIMEO in milliseconds: limits the handshake where it is shorter, and has no effect on an open connection, which pings monitor.
    /// 0 for none.
    /// </summary>
    public int ReceiveTimeoutMillis { get; init; }

    /// <summary>True leaves Nagle's algorithm on.</summary>
    public bool TcpDelay { get; init; }

    /// <summary>Queued bytes above which a write flushes immediately; 0 means 57,344, over TLS 32,768.</summary>
    public int HighWaterMark { get; init; }

    /// <summary>True flushes after every message or pack.</summary>
    public bool DirectWrite { get; init; }

    /// <summary>Compression that a client offers, or that a server grants to clients that offer it; the server's answer decides.</summary>
    public CompressionType CompressionType { get; init; }

    /// <summary>
    /// Order in which the priorities send one frame each while several are queued: 1 to 32 of the letters H, M, L, at least one H and one M.
    /// </summary>
    internal string FlushOrder { get; init; } = "HMHLHM";

    /// <summary>Our component version, sent from version 13 on; truncated to 253 bytes.</summary>
    public string ComponentVersion { get; init; } = "PerfTools";

    /// <summary>Seconds that a handshake may take, counted from the TCP connection.</summary>
    public int HandshakeTimeoutSeconds { get; init; } = 10;

    /// <summary>Maximum message reassembled from fragments, in bytes.</summary>
    public int MaxReassembledBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Maximum bytes of incomplete messages of one connection.</summary>
    public int ReassemblyLimitBytes { get; init; } = 64 * 1024 * 1024;

    /// <summary>Maximum frames that may wait for the socket.</summary>
    internal int OutputBufferLimit => Math.Max(1, Math.Max(OutputBuffers, MaxOutputBuffers));

    /// <summary>Queued bytes above which a write flushes, with the default filled in; 0 when every write flushes.</summary>
    /// <param name="recordBytes">Bytes that the connection encodes together; 0 where it encodes none.</param>
    internal int EffectiveHighWaterMark(int recordBytes) =>
        DirectWrite ? 0 : HighWaterMark > 0 ? HighWaterMark : recordBytes > 0 ? 2 * recordBytes : BytesAtOnce;
}

/// <summary>Protocol types of the connect request; both sides must use the same.</summary>
public static class RsslProtocol
{
    /// <summary>Rssl Wire Format messages.</summary>
    public const byte Rwf = 0;

    /// <summary>JSON messages (WebSocket only).</summary>
    public const byte Json = 2;

    /// <summary>The payload of TransportPerf.</summary>
    public const byte TransportPerf = 88;
}

/// <summary>Compression of frame bodies, by its number in the connect ack.</summary>
public enum CompressionType : ushort
{
    /// <summary>No compression.</summary>
    None = 0,

    /// <summary>One zlib stream per direction.</summary>
    Zlib = 1,

    /// <summary>One LZ4 block per body.</summary>
    Lz4 = 2,
}

/// <summary>The queue of a message; see <see cref="ChannelOptions.FlushOrder"/>.</summary>
public enum WritePriority : byte
{
    /// <summary>Sent most often: pings and other urgent messages.</summary>
    High,

    /// <summary>Ordinary messages.</summary>
    Medium,

    /// <summary>Sent when the other queues allow it.</summary>
    Low,
}
