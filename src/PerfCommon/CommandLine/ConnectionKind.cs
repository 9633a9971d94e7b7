namespace PerfCommon.CommandLine;

/// <summary>What a connection runs over, as <c>-connType</c> says it.</summary>
public enum ConnectionKind
{
    /// <summary>Plain TCP.</summary>
    Socket,

    /// <summary>TLS.</summary>
    Encrypted,

    /// <summary>WebSocket over plain TCP.</summary>
    WebSocket,
}
