using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>The transports of a connection, as <c>-connType</c> names them.</summary>
internal enum ConnectionKind
{
    /// <summary>Plain TCP.</summary>
    Socket,

    /// <summary>TLS.</summary>
    Encrypted,

    /// <summary>WebSocket over plain TCP.</summary>
    WebSocket,
}

/// <summary>The words that command lines use for connections, with their meanings.</summary>
internal static class ConnectionWords
{
    public static IReadOnlyList<ChoiceWord<ConnectionKind>> Kinds { get; } =
        [new("socket", ConnectionKind.Socket), new("encrypted", ConnectionKind.Encrypted), new("websocket", ConnectionKind.WebSocket)];

    public static IReadOnlyList<ChoiceWord<ConnectionKind>> KindsInsideTls { get; } =
        [.. Kinds.Where(word => word.Choice != ConnectionKind.Encrypted)];

    /// <summary>Returns a word of <see cref="Kinds"/> with a capital letter.</summary>
    public static string Capitalized(ConnectionKind kind)
    {
        string word = Kinds.First(known => known.Choice == kind).Word;
        return char.ToUpperInvariant(word[0]) + word[1..];
    }

    /// <summary>Compressions by name, and by their numbers in the guide.</summary>
    public static IReadOnlyList<ChoiceWord<CompressionType>> Compressions { get; } =
    [
        new("none", CompressionType.None), new("zlib", CompressionType.Zlib), new("lz4", CompressionType.Lz4),
        new("0", CompressionType.None), new("1", CompressionType.Zlib), new("2", CompressionType.Lz4),
    ];
}
