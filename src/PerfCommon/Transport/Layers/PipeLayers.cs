using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.Tls;
using PerfCommon.Transport.WebSockets;

namespace PerfCommon.Transport;

/// <summary>Combines the layers between socket and frames: TLS, the proxy's CONNECT and WebSocket.</summary>
/// <remarks>Each layer is a <see cref="BytePipe"/> over the pipe given, runs on the owner's thread and never waits.</remarks>
internal static class PipeLayers
{
    /// <summary>Creates the layers of a client over its connected socket, in this order: proxy CONNECT, TLS, WebSocket upgrade.</summary>
    public static BytePipe ForClient(BytePipe socket, ConnectOptions options, ProxyLogin login, BufferPool pool)
    {
        BytePipe pipe = socket;
        if (options.Proxy is { } proxy)
            pipe = new ProxyPipe(pipe, proxy, login, options.Host, options.Port);
        if (options.Tls is { } tls)
            pipe = TlsPipe.ForClient(pipe, tls, options.Host, pool); // wire/transport 8.1
        return options.WebSocketProtocols is null ? pipe : WebSocketPipe.ForClient(pipe, options, pool);
    }

    /// <summary>Creates the layers of a server over an accepted socket: TLS. The channel detects WebSocket by the first bytes.</summary>
    public static BytePipe ForServer(BytePipe socket, ListenOptions options, BufferPool pool) =>
        options.Tls is { } tls ? TlsPipe.ForServer(socket, tls, pool) : socket;
}
