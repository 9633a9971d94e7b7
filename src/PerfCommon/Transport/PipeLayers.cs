using PerfCommon.Transport.Tls;

namespace PerfCommon.Transport;

/// <summary>Puts the layers between socket and frames. Where TLS, the proxy's CONNECT and WebSocket plug in.</summary>
/// <remarks>Each layer is a <see cref="BytePipe"/> over the pipe given, runs on the owner's thread and never waits.</remarks>
internal static class PipeLayers
{
    /// <summary>Layers of a client over its connected socket, in this order: proxy CONNECT, TLS, WebSocket upgrade.</summary>
    public static BytePipe ForClient(BytePipe socket, ConnectOptions options) =>
        options.Tls is { } tls ? TlsPipe.ForClient(socket, tls, options.Host) : socket;

    /// <summary>Layers of a server over an accepted socket: TLS. WebSocket is told by the first bytes, see <see cref="TryWebSocket"/>.</summary>
    public static BytePipe ForServer(BytePipe socket, ListenOptions options) =>
        options.Tls is { } tls ? TlsPipe.ForServer(socket, tls) : socket;

    /// <summary>The WebSocket layer of a server whose first bytes were <c>GET </c>; null where it is not available (the connection is then closed).</summary>
    /// <param name="pipe">The pipe that the bytes came from.</param>
    /// <param name="received">Everything received so far; the layer begins with it.</param>
    /// <param name="options">The listener's options.</param>
    public static BytePipe? TryWebSocket(BytePipe pipe, ReadOnlySpan<byte> received, ListenOptions options)
    {
        _ = (pipe, received.Length, options);
        return null;
    }
}
