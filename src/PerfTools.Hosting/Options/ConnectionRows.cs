using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.WebSockets;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>Adds the connection options to a tool's table; the tool chooses which, and in which order.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <remarks>A row sets the record that the transport itself reads: the client's, the server's, or the one that both share.</remarks>
internal sealed partial class ConnectionRows<T>
    where T : class
{
    private readonly Func<T, ConnectionOptions> _get;
    private readonly bool _isServer;
    private readonly OptionRows<T, ConnectionOptions> _connection;
    private readonly OptionRows<T, ChannelOptions> _channel;
    private readonly OptionRows<T, ConnectOptions> _client;
    private readonly OptionRows<T, ListenOptions> _server;
    private readonly OptionRows<T, TlsOptions> _tls;
    private readonly OptionRows<T, ProxyOptions> _proxy;

    public ConnectionRows(OptionTable<T> table, Func<T, ConnectionOptions> get, Func<T, ConnectionOptions, T> set)
    {
        _get = get;
        _isServer = get(table.Defaults).IsServer;
        _connection = table.Part(get, set);
        _channel = _connection.SharedPart(c => c.Channel, (c, change) => c.ChangeChannel(change));
        _client = _connection.Part(c => c.Client, (c, v) => c with { Client = v });
        _server = _connection.Part(c => c.Server, (c, v) => c with { Server = v });
        _tls = _connection.Part(c => c.Tls, (c, v) => c with { Tls = v });
        _proxy = _connection.Part(c => c.Proxy, (c, v) => c with { Proxy = v });
    }

    /// <summary>Adds the kind of the connection; the guide's samples of some tools show it with a capital letter.</summary>
    public void Kind(string label, bool isCapitalized = false) =>
        _connection.Choice("-connType", "type", "connection type: socket, encrypted or websocket", ConnectionWords.Kinds,
            c => c.Kind, (c, v) => c with { Kind = v }, "-c")
            .As(label, isCapitalized ? o => ConnectionWords.Capitalized(_get(o).Kind) : null).In(HelpGroup.Connection);

    public void Host() =>
        _client.Text("-h", "host", "host to connect to", c => c.Host, (c, v) => c with { Host = v })
            .As("Hostname").In(HelpGroup.Common).WithHint("; -help shows the options");

    public void Port() => Port(_isServer ? "port to listen on, 0 for a free one" : "port to connect to");

    /// <summary>Adds <c>-p</c> of a program that is server or client.</summary>
    public void PortOfEitherSide() => Port("port to listen on (0 for a free one) or to connect to");

    public void Interface() =>
        _channel.Text("-if", "name", "network interface by name, address or host",
            c => c.InterfaceName, (c, v) => c with { InterfaceName = v })
            .As("Interface Name", o => Channel(o).InterfaceName ?? "(use default)").In(HelpGroup.Connection);

    /// <summary>Adds <c>-if</c> of a program with many connections, which may use several interfaces in turn.</summary>
    public void Interfaces() =>
        _channel.Text("-if", "list",
            "network interfaces by name, address or host, such as 127.0.0.2,127.0.0.3: connections take them in turn",
            c => c.InterfaceName, (c, v) => c with { InterfaceName = v })
            .As("Interface Name", o => Channel(o).InterfaceName ?? "(use default)").In(HelpGroup.Connection);

    public void TcpDelay() =>
        _channel.Switch("-tcpDelay", "enable Nagle's algorithm for small writes", c => c.TcpDelay, (c, v) => c with { TcpDelay = v })
            .As("Tcp_NoDelay", o => Channel(o).TcpDelay ? "No" : "Yes").In(HelpGroup.Connection);

    public void DirectWrite() =>
        _channel.Switch("-directWrite", "write every message to the socket at once",
            c => c.DirectWrite, (c, v) => c with { DirectWrite = v })
            .As("Use Direct Writes");

    /// <summary>Adds the choice of WebSocket; the help names the sub-protocols that the tool speaks.</summary>
    public void WebSocket() => WebSocket(WebSocketProtocol.Rwf);

    public void WebSocket(params IReadOnlyList<string> spoken)
    {
        string names = string.Join(", ", spoken);
        _connection.Text("-websocket", "name", $"WebSocket connection with this sub-protocol: {names}",
            c => c.WebSocketProtocols, (c, v) => c with { WebSocketProtocols = v })
            .As("WebSocket Protocol", o => _get(o).UsesWebSocket ? string.Join(", ", _get(o).SubProtocols) : "(none)")
            .In(HelpGroup.Connection);
        _connection.Text("-pl", "list", "WebSocket sub-protocols in order of preference",
            c => c.PreferredProtocols, (c, v) => c with { PreferredProtocols = v }).In(HelpGroup.Connection);
    }

    public void Compression()
    {
        _channel.Choice("-compressionType", "type", "compression: none, zlib or lz4 (or 0, 1, 2)", ConnectionWords.Compressions,
            c => c.CompressionType, (c, v) => c with { CompressionType = v })
            .As("Compression Type", o => $"{Channel(o).CompressionType.ToString().ToLowerInvariant()}({(int)Channel(o).CompressionType})")
            .In(HelpGroup.Connection);
        string level = _isServer ? "zlib level, 0 to 9" : "zlib level of a server, 0 to 9; no effect on a client";
        _server.Number("-compressionLevel", "n", level, s => s.CompressionLevel, (s, v) => s with { CompressionLevel = v })
            .Within(0, 9).As("Compression Level").In(HelpGroup.Connection);
    }

    private void Port(string help) => _channel.Number("-p", "port", help, c => c.Port, (c, v) => c with { Port = v })
        .As("Port").In(HelpGroup.Common);

    private ChannelOptions Channel(T options) => _get(options).Channel;
}
