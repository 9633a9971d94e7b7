using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.Tls;
using PerfCommon.Transport.WebSockets;

namespace PerfCommon.Transport;

/// <summary>Puts the layers between socket and frames. Where TLS, the proxy's CONNECT and WebSocket plug in.</summary>
/// <remarks>Each layer is a <see cref="BytePipe"/> over the pipe given, runs on the owner's thread and never waits.</remarks>
internal static class PipeLayers
{
    /// <summary>Layers of a client over its connected socket, in this order: proxy CONNECT, TLS, WebSocket upgrade.</summary>
    /// <param name="socket">The connection.</param>
    /// <param name="options">What to put on it.</param>
    /// <param name="login">What the channel knows about its proxy.</param>
    public static BytePipe ForClient(BytePipe socket, ConnectOptions options, ProxyLogin login)
    {
        BytePipe pipe = socket;
        if (options.Proxy is { } proxy)
            pipe = new ProxyPipe(pipe, proxy, login, options.Host, options.Port);
        if (options.Tls is { } tls)
            pipe = TlsPipe.ForClient(pipe, tls, options.Host);
        return options.WebSocketProtocols is null ? pipe : WebSocketPipe.ForClient(pipe, options);
    }

    /// <summary>Layers of a server over an accepted socket: TLS. WebSocket is told by the first bytes, see <see cref="WebSocket"/>.</summary>
    public static BytePipe ForServer(BytePipe socket, ListenOptions options) =>
        options.Tls is { } tls ? TlsPipe.ForServer(socket, tls) : socket;

    /// <summary>The WebSocket layer of a server whose first bytes were <c>GET </c>; it refuses what the options do not allow.</summary>
    /// <param name="pipe">The pipe that the bytes came from.</param>
    /// <param name="received">Everything received so far; the layer begins with it.</param>
    /// <param name="options">The listener's options.</param>
    public static BytePipe WebSocket(BytePipe pipe, ReadOnlySpan<byte> received, ListenOptions options) =>
        WebSocketPipe.ForServer(pipe, received, options);
}
