namespace PerfTools.Hosting.Options;

/// <summary>What a connection runs over, as <c>-connType</c> says it.</summary>
internal enum ConnectionKind
{
    /// <summary>Plain TCP.</summary>
    Socket,

    /// <summary>TLS.</summary>
    Encrypted,

    /// <summary>WebSocket over plain TCP.</summary>
    WebSocket,
}
