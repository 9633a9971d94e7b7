namespace PerfTools.Hosting.Options;

/// <summary>How a tool connects or listens: what is alike in all of them. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Each tool offers the part that its table lists; what it does not offer keeps its default.</remarks>
internal sealed record ConnectionOptions
{
    /// <summary>The port of a consumer or an interactive provider.</summary>
    public const int DefaultPort = 14002;

    /// <summary>The agreed fragment size when nobody says otherwise, in bytes.</summary>
    public const int DefaultMaxFragmentBytes = 6144;

    private const int MaxFragmentBytesOnWire = 65535;
    private const int MinFragmentBytesOnWire = 20;
    private const int MaxPort = 65535;

    /// <summary>True for a program that listens, false for one that connects.</summary>
    public bool IsServer { get; init; }

    /// <summary>What the connection runs over. <c>-connType</c></summary>
    public ConnectionKind Kind { get; init; }

    /// <summary>What runs inside TLS: Socket or WebSocket. <c>-encryptedConnectionType</c></summary>
    public ConnectionKind InsideTls { get; init; }

    /// <summary>The host to connect to. <c>-h</c></summary>
    public string Host { get; init; } = "localhost";

    /// <summary>The port to connect to or to listen on; 0 lets a server take a free one. <c>-p</c></summary>
    public int Port { get; init; } = DefaultPort;

    /// <summary>Interface name, address or host of the local side; null for any. <c>-if</c></summary>
    public string? InterfaceName { get; init; }

    /// <summary>TLS settings.</summary>
    public TlsOptions Tls { get; init; } = new();

    /// <summary>HTTP proxy of a client.</summary>
    public ProxyArguments Proxy { get; init; } = new();

    /// <summary>WebSocket sub-protocols as typed; null when not named. <c>-websocket</c></summary>
    public string? WebSocketProtocols { get; init; }

    /// <summary>WebSocket sub-protocols in order of preference, as the C tools name them; null when not named. <c>-pl</c></summary>
    public string? PreferredProtocols { get; init; }

    /// <summary>The compression that is asked for. <c>-compressionType</c></summary>
    public CompressionKind Compression { get; init; }

    /// <summary>zlib level, 0 to 9. <c>-compressionLevel</c></summary>
    public int CompressionLevel { get; init; } = 5;

    /// <summary>Output buffers per connection. <c>-outputBufs</c></summary>
    public int OutputBuffers { get; init; } = 5000;

    /// <summary>Most output buffers per connection; 0 for as many as <see cref="OutputBuffers"/>. <c>-maxOutputBufs</c></summary>
    public int MaxOutputBuffers { get; init; }

    /// <summary>Input buffers per connection. <c>-inputBufs</c></summary>
    public int InputBuffers { get; init; } = 15;

    /// <summary>Largest fragment that a server offers, in bytes. <c>-maxFragmentSize</c></summary>
    public int MaxFragmentBytes { get; init; } = DefaultMaxFragmentBytes;

    /// <summary>Send buffer of the system; 0 leaves it to the system. <c>-sendBufSize</c></summary>
    public int SendBufferBytes { get; init; }

    /// <summary>Receive buffer of the system; 0 leaves it to the system. <c>-recvBufSize</c></summary>
    public int ReceiveBufferBytes { get; init; }

    /// <summary>Longest wait of a send in milliseconds; 0 for the system's own. <c>-sendTimeout</c></summary>
    public int SendTimeoutMillis { get; init; }

    /// <summary>Longest wait of a receive in milliseconds; 0 for the system's own. <c>-recvTimeout</c></summary>
    public int ReceiveTimeoutMillis { get; init; }

    /// <summary>Lets the system hold small writes back (Nagle). <c>-tcpDelay</c></summary>
    public bool TcpDelay { get; init; }

    /// <summary>Queued bytes from which a write flushes by itself; 0 for the default. <c>-highWaterMark</c></summary>
    public int HighWaterMark { get; init; }

    /// <summary>Hands every message to the socket at once. <c>-directWrite</c></summary>
    public bool DirectWrite { get; init; }

    /// <summary>Ping timeout asked for or offered, in seconds. <c>-pingTimeout</c></summary>
    public int PingTimeoutSeconds { get; init; } = 60;

    /// <summary>Shortest ping timeout that a server grants, in seconds. <c>-minPingTimeout</c></summary>
    public int MinPingTimeoutSeconds { get; init; } = 20;

    /// <summary>Time in which a handshake must be done, in seconds. <c>-handshakeTimeout</c></summary>
    public int HandshakeTimeoutSeconds { get; init; } = 10;

    /// <summary>Most connections that a server serves at a time. <c>-maxConnections</c></summary>
    public int MaxConnections { get; init; } = 1024;

    /// <summary>Largest reassembled message, in bytes. <c>-maxMessageSize</c></summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Most bytes of unfinished messages per connection. <c>-reassemblyLimit</c></summary>
    public int ReassemblyBytes { get; init; } = 64 * 1024 * 1024;

    /// <summary>True when the connection is encrypted.</summary>
    public bool UsesTls => Kind == ConnectionKind.Encrypted;

    /// <summary>True when messages travel in WebSocket frames, encrypted or not.</summary>
    public bool UsesWebSocket => Kind == ConnectionKind.WebSocket || WebSocketProtocols is not null
        || (UsesTls && InsideTls == ConnectionKind.WebSocket);

    /// <summary>WebSocket sub-protocols in order of preference.</summary>
    public IReadOnlyList<string> SubProtocols =>
        (WebSocketProtocols ?? PreferredProtocols ?? WebSocketSubProtocol.Rwf).Split(',', StringSplitOptions.TrimEntries);

    /// <summary>The output buffers that a connection may really use.</summary>
    public int EffectiveMaxOutputBuffers => Math.Max(OutputBuffers, MaxOutputBuffers);

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => FindAddressProblem() ?? FindBufferProblem() ?? FindLimitProblem()
        ?? FindWebSocketProblem() ?? Tls.FindProblem(UsesTls, IsServer) ?? Proxy.FindProblem();

    /// <summary>The first option that asks for something not built yet; null when there is none. One line per option: the line goes when it works.</summary>
    public string? FindUnavailable() => this switch
    {
        { IsServer: false, Tls.CertificateFile: not null } => "-cert of a client",
        { IsServer: false, Tls.CipherSuites: not null } => "-cipher of a client",
        _ => null,
    };

    private string? FindAddressProblem() => this switch
    {
        { IsServer: true, Port: < 0 or > MaxPort } => $"-p must be 0 to {MaxPort}",
        { IsServer: false, Port: < 1 or > MaxPort } => $"-p must be 1 to {MaxPort}",
        { InsideTls: ConnectionKind.WebSocket, UsesTls: false } => "-encryptedConnectionType needs -connType encrypted",
        _ => null,
    };

    private string? FindBufferProblem() => this switch
    {
        { OutputBuffers: < 0 } => "-outputBufs must be 0 or more",
        { MaxOutputBuffers: < 0 } => "-maxOutputBufs must be 0 or more",
        { InputBuffers: < 1 } => "-inputBufs must be at least 1",
        { MaxFragmentBytes: < MinFragmentBytesOnWire or > MaxFragmentBytesOnWire } =>
            $"-maxFragmentSize must be {MinFragmentBytesOnWire} to {MaxFragmentBytesOnWire}",
        { SendBufferBytes: < 0 } => "-sendBufSize must be 0 or more",
        { ReceiveBufferBytes: < 0 } => "-recvBufSize must be 0 or more",
        { SendTimeoutMillis: < 0 } => "-sendTimeout must be 0 or more",
        { ReceiveTimeoutMillis: < 0 } => "-recvTimeout must be 0 or more",
        { HighWaterMark: < 0 } => "-highWaterMark must be 0 or more",
        { CompressionLevel: < 0 or > 9 } => "-compressionLevel must be 0 to 9",
        _ => null,
    };

    private string? FindLimitProblem() => this switch
    {
        { PingTimeoutSeconds: < 1 or > 255 } => "-pingTimeout must be 1 to 255",
        { MinPingTimeoutSeconds: < 1 or > 255 } => "-minPingTimeout must be 1 to 255",
        { IsServer: true } o when o.MinPingTimeoutSeconds > o.PingTimeoutSeconds => "-minPingTimeout must not exceed -pingTimeout",
        { HandshakeTimeoutSeconds: < 1 } => "-handshakeTimeout must be at least 1",
        { MaxConnections: < 1 } => "-maxConnections must be at least 1",
        { MaxMessageBytes: < 1 } => "-maxMessageSize must be at least 1",
        { ReassemblyBytes: < 1 } => "-reassemblyLimit must be at least 1",
        _ => null,
    };

    private string? FindWebSocketProblem()
    {
        if (WebSocketProtocols is not null && PreferredProtocols is not null)
            return "-websocket and -pl cannot be given together";
        if (PreferredProtocols is not null && !UsesWebSocket)
            return "-pl needs -connType websocket";
        string? unknown = SubProtocols.FirstOrDefault(name => !WebSocketSubProtocol.IsKnown(name));
        return unknown is null ? null : $"-websocket: '{unknown}' is not one of {string.Join(", ", WebSocketSubProtocol.All)}";
    }
}
