using PerfCommon;
using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.WebSockets;

namespace PerfTools.Hosting.Options;

/// <summary>The options by which a tool connects or listens: the transport's options, and those that are merged into them at the start.</summary>
/// <remarks>
/// Immutable; vary it with <c>with</c>. Each tool offers the part that its table lists; every other option keeps the guide's default.
/// </remarks>
internal sealed record ConnectionOptions
{
    /// <summary>Maximum connections of a server, where the option is not given.</summary>
    public const int UsualConnections = ListenOptions.UsualMaxConnections;

    /// <summary>Connections above its maximum that a server still answers with a refusal, at a time.</summary>
    public const int RefusedAtOnce = RsslListener.MostRefusedAtOnce;

    /// <summary>Environment variable with the proxy's password, used when the command line has none.</summary>
    public const string ProxyPasswordVariable = "PERFTOOLS_PROXY_PASSWORD";

    private const int DefaultPort = 14002;
    private const int DefaultOutputBuffers = 5000;
    private const int DefaultInputBuffers = 15;
    private const int MaxPort = 65535;

    /// <summary>True for a program that listens, false for one that connects.</summary>
    public bool IsServer { get; init; }

    /// <summary>The connect options of a client, without those that <see cref="ForClient"/> adds.</summary>
    public ConnectOptions Client { get; init; } = new()
    {
        Host = "localhost",
        Port = DefaultPort,
        OutputBuffers = DefaultOutputBuffers,
        InputBuffers = DefaultInputBuffers,
    };

    /// <summary>The listen options of a server, without those that <see cref="ForServer"/> adds.</summary>
    public ListenOptions Server { get; init; } = new()
    {
        Port = DefaultPort,
        OutputBuffers = DefaultOutputBuffers,
        InputBuffers = DefaultInputBuffers,
        CompressionLevel = 5,
    };

    /// <summary>Transport of the connection. <c>-connType</c></summary>
    public ConnectionKind Kind { get; init; }

    /// <summary>Transport inside TLS: Socket or WebSocket. <c>-encryptedConnectionType</c></summary>
    public ConnectionKind InsideTls { get; init; }

    public TlsOptions Tls { get; init; } = new();

    /// <summary>Connects through the HTTP proxy. <c>-proxy</c></summary>
    public bool UsesProxy { get; init; }

    /// <summary>The HTTP proxy; host empty and port 0 for none.</summary>
    public ProxyOptions Proxy { get; init; } = new() { Host = "", Port = 0 };

    /// <summary>Password at the proxy. <c>-ppasswd</c></summary>
    public Secret ProxyPassword { get; init; } = new(null, ProxyPasswordVariable);

    /// <summary>WebSocket sub-protocols as typed; null when not named. <c>-websocket</c></summary>
    public string? WebSocketProtocols { get; init; }

    /// <summary>WebSocket sub-protocols in order of preference, as the C tools name them; null when not named. <c>-pl</c></summary>
    public string? PreferredProtocols { get; init; }

    /// <summary>Lines that every summary of a client must contain.</summary>
    public IEnumerable<string> SummaryNotes =>
        UsesTls && Tls.SkipCertificateCheck ? ["Server certificates were not checked (-insecureSkipCertCheck)."] : [];

    /// <summary>The options that clients and servers share, of the role that the program has.</summary>
    public ChannelOptions Channel => IsServer ? Server : Client;

    public bool UsesTls => Kind == ConnectionKind.Encrypted;

    /// <summary>True when messages travel in WebSocket frames, encrypted or not.</summary>
    public bool UsesWebSocket => Kind == ConnectionKind.WebSocket || WebSocketProtocols is not null
        || (UsesTls && InsideTls == ConnectionKind.WebSocket);

    /// <summary>WebSocket sub-protocols in order of preference.</summary>
    public IReadOnlyList<string> SubProtocols =>
        (WebSocketProtocols ?? PreferredProtocols ?? WebSocketProtocol.Rwf).Split(',', StringSplitOptions.TrimEntries);

    /// <summary>The first sub-protocol in use whose messages are JSON; null when there is none.</summary>
    public string? JsonProtocol => UsesWebSocket ? SubProtocols.FirstOrDefault(WebSocketProtocol.IsJson) : null;

    /// <summary>Returns the options with those changed that clients and servers share, for both roles.</summary>
    public ConnectionOptions ChangeChannel(Func<ChannelOptions, ChannelOptions> change) =>
        this with { Client = (ConnectOptions)change(Client), Server = (ListenOptions)change(Server) };

    /// <summary>Creates a client's connect options, with certificates loaded and passwords read. Call it on checked options.</summary>
    /// <param name="tool">Name of the program, part of the component version.</param>
    /// <exception cref="SetupException">A certificate or password file, or the interface, cannot be used.</exception>
    public ConnectOptions ForClient(string tool)
    {
        CheckInterface(Client.InterfaceName);
        return Client with
        {
            ComponentVersion = ComponentOf(tool),
            Tls = UsesTls ? Tls.LoadForClient() : null,
            Proxy = UsesProxy ? Proxy with { Password = ProxyPassword.Reveal() } : null,
            WebSocketProtocols = UsesWebSocket ? string.Join(',', SubProtocols) : null,
        };
    }

    /// <summary>Creates the options of <see cref="ForClient"/> for each of several interfaces that the option names.</summary>
    /// <inheritdoc cref="ForClient"/>
    public IReadOnlyList<ConnectOptions> ForClients(string tool) =>
        [.. (Client.InterfaceName?.Split(',') ?? new string?[1]).Select(name =>
            (this with { Client = Client with { InterfaceName = name } }).ForClient(tool))];

    /// <summary>Returns a server's options with these limits; a limit of handshakes that was given is kept.</summary>
    public ConnectionOptions WithConnections(int most, int handshakes) => this with
    {
        Server = Server with { MaxConnections = most, MaxHandshakes = Server.MaxHandshakes > 0 ? Server.MaxHandshakes : handshakes },
    };

    /// <summary>Creates a server's listen options, with its certificate loaded and passwords read. Call it on checked options.</summary>
    /// <inheritdoc cref="ForClient"/>
    public ListenOptions ForServer(string tool) => Server with
    {
        ComponentVersion = ComponentOf(tool),
        Tls = UsesTls ? Tls.LoadForServer() : null,
        WebSocketProtocols = string.Join(',', SubProtocols),
    };

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() =>
        FindAddressProblem() ?? FindWebSocketProblem() ?? Tls.FindProblem(UsesTls, IsServer) ?? FindProxyProblem();

    private static string ComponentOf(string tool) => $"PerfTools|{tool}";

    private static void CheckInterface(string? name)
    {
        try
        {
            NetworkAddresses.CheckInterface(name);
        }
        catch (IOException problem)
        {
            throw new SetupException(SetupProblem.NotStarted, problem.Message, problem);
        }
    }

    private string? FindAddressProblem() => this switch
    {
        { IsServer: true, Server.Port: < 0 or > MaxPort } => $"-p must be 0 to {MaxPort}",
        { IsServer: false, Client.Port: < 1 or > MaxPort } => $"-p must be 1 to {MaxPort}",
        { InsideTls: ConnectionKind.WebSocket, UsesTls: false } => "-encryptedConnectionType needs -connType encrypted",
        { IsServer: true, Server: var server } when server.MinPingTimeoutSeconds > server.PingTimeoutSeconds =>
            "-minPingTimeout must not exceed -pingTimeout",
        _ => null,
    };

    private string? FindWebSocketProblem()
    {
        if (WebSocketProtocols is not null && PreferredProtocols is not null)
            return "-websocket and -pl cannot be given together";
        if (PreferredProtocols is not null && !UsesWebSocket)
            return "-pl needs -connType websocket";
        string? unknown = SubProtocols.FirstOrDefault(name => !WebSocketProtocol.IsKnown(name));
        return unknown is null ? null : $"-websocket: '{unknown}' is not one of {string.Join(", ", WebSocketProtocol.All)}";
    }

    private string? FindProxyProblem() => this switch
    {
        { UsesProxy: true, Proxy.Host: "" } => "-proxy needs -ph",
        { UsesProxy: true, Proxy.Port: 0 } => "-proxy needs -pp with a port from 1 to 65535",
        _ => null,
    };
}
