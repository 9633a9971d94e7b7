using System.IO.Compression;

namespace PerfCommon.Transport.Compression;

/// <summary>Writes bodies into one zlib stream that lives as long as the connection, with a sync flush behind each.</summary>
internal sealed class ZlibCompressor : IDisposable
{
    private const int FastestLevel = 1;
    private const int FixedExcessBytes = 24;

    private readonly ByteSink _sink = new();
    private readonly ZLibStream _deflate;
    private readonly bool _fastest;

    /// <summary>Starts the stream; nothing is written before the first body.</summary>
    /// <param name="level">0 (stored) to 9; others are brought into that range.</param>
    public ZlibCompressor(int level)
    {
        int compressionLevel = Math.Clamp(level, 0, 9);
        _fastest = compressionLevel == FastestLevel;
        _deflate = new ZLibStream(_sink, new ZLibCompressionOptions { CompressionLevel = compressionLevel }, leaveOpen: false);
    }

    /// <summary>The longest body whose compressed form is sure to fit into <paramref name="roomBytes"/>.</summary>
    public int LargestPiece(int roomBytes)
    {
        int piece = Math.Max(0, roomBytes - FixedExcessBytes - (_fastest ? roomBytes / 8 : roomBytes / 4096 + roomBytes / 16384));
        while (Bound(piece + 1) <= roomBytes)
            piece++;
        return piece;
    }

    /// <summary>Compresses one body; false when it might not fit, and nothing has happened then.</summary>
    /// <remarks>What has gone into the stream must be sent, so the bound decides before.</remarks>
    public bool TryCompress(ReadOnlySpan<byte> body, Span<byte> room, out int written)
    {
        written = 0;
        if (body.IsEmpty || Bound(body.Length) > room.Length)
            return false;

        _sink.Clear();
        _deflate.Write(body);
        _deflate.Flush();
        ReadOnlySpan<byte> compressed = _sink.Written;
        if (compressed.Length > room.Length)
            throw new InvalidOperationException($"zlib made {compressed.Length} bytes of {body.Length}, more than its bound");
        compressed.CopyTo(room);
        written = compressed.Length;
        return true;
    }

    /// <summary>Frees the native stream.</summary>
    public void Dispose()
    {
        _deflate.Dispose();
        _sink.Dispose();
    }

    // No level but the fastest makes data more than 12 bytes longer than the quotients (header and flush included); the fastest
    // writes literals of up to 9 bits and has no way back.
    private int Bound(int bytes) => bytes + FixedExcessBytes + (_fastest ? bytes / 8 : bytes / 4096 + bytes / 16384);
}
