using PerfCommon.Transport;

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

/// <summary>The words that command lines use for connections, each with what it means.</summary>
internal static class ConnectionWords
{
    public static IReadOnlyList<(string Word, ConnectionKind Kind)> Kinds { get; } =
        [("socket", ConnectionKind.Socket), ("encrypted", ConnectionKind.Encrypted), ("websocket", ConnectionKind.WebSocket)];

    public static IReadOnlyList<(string Word, ConnectionKind Kind)> KindsInsideTls { get; } =
        [.. Kinds.Where(word => word.Kind != ConnectionKind.Encrypted)];

    /// <summary>Compressions by name, and by their numbers in the guide.</summary>
    public static IReadOnlyList<(string Word, CompressionType Type)> Compressions { get; } =
    [
        ("none", CompressionType.None), ("zlib", CompressionType.Zlib), ("lz4", CompressionType.Lz4),
        ("0", CompressionType.None), ("1", CompressionType.Zlib), ("2", CompressionType.Lz4),
    ];
}
