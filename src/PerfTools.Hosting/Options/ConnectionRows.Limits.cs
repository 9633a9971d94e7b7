namespace PerfTools.Hosting.Options;

internal sealed partial class ConnectionRows<T>
{
    /// <summary>Adds the WebSocket sub-protocols.</summary>
    public void WebSocket()
    {
        Text("-websocket", "name", $"WebSocket connection with this sub-protocol: {string.Join(", ", WebSocketSubProtocol.All)}",
            c => c.WebSocketProtocols, (c, v) => c with { WebSocketProtocols = v })
            .As("WebSocket Protocol", o => get(o).UsesWebSocket ? string.Join(", ", get(o).SubProtocols) : "(none)");
        Text("-pl", "list", "WebSocket sub-protocols in order of preference",
            c => c.PreferredProtocols, (c, v) => c with { PreferredProtocols = v });
    }

    /// <summary>Adds <c>-compressionType</c> and <c>-compressionLevel</c>.</summary>
    public void Compression()
    {
        table.Choice("-compressionType", "type", "compression: none, zlib or lz4 (or 0, 1, 2)", Compressions,
            o => get(o).Compression, (o, v) => set(o, get(o) with { Compression = v }))
            .As("Compression Type", o => $"{get(o).Compression.ToString().ToLowerInvariant()}({(int)get(o).Compression})");
        Number("-compressionLevel", "n", "zlib level, 0 to 9", c => c.CompressionLevel, (c, v) => c with { CompressionLevel = v })
            .As("Compression Level");
    }

    /// <summary>Adds the limits that every connection has.</summary>
    public void Limits()
    {
        Number("-pingTimeout", "s", "ping timeout to ask for or to offer, 1 to 255",
            c => c.PingTimeoutSeconds, (c, v) => c with { PingTimeoutSeconds = v }).As("Ping Timeout", o => $"{get(o).PingTimeoutSeconds} sec");
        Number("-handshakeTimeout", "s", "time for a handshake to be done",
            c => c.HandshakeTimeoutSeconds, (c, v) => c with { HandshakeTimeoutSeconds = v })
            .As("Handshake Timeout", o => $"{get(o).HandshakeTimeoutSeconds} sec");
        Number("-maxMessageSize", "bytes", "largest message put together from fragments",
            c => c.MaxMessageBytes, (c, v) => c with { MaxMessageBytes = v }).As("Max Message Size", o => $"{get(o).MaxMessageBytes} bytes");
        Number("-reassemblyLimit", "bytes", "most bytes of unfinished messages per connection",
            c => c.ReassemblyBytes, (c, v) => c with { ReassemblyBytes = v }).As("Reassembly Limit", o => $"{get(o).ReassemblyBytes} bytes");
    }

    /// <summary>Adds the limits that only a server has.</summary>
    public void ServerLimits()
    {
        Number("-minPingTimeout", "s", "shortest ping timeout that a server grants, 1 to 255",
            c => c.MinPingTimeoutSeconds, (c, v) => c with { MinPingTimeoutSeconds = v })
            .As("Min Ping Timeout", o => $"{get(o).MinPingTimeoutSeconds} sec");
        Number("-maxConnections", "n", "most connections that a server serves at a time",
            c => c.MaxConnections, (c, v) => c with { MaxConnections = v }).As("Max Connections");
    }
}
