using System.IO.Compression;

namespace PerfCommon.Transport.Compression;

/// <summary>zlib in both directions: one stream each, made with its first body.</summary>
/// <param name="level">Level that the connect ack named, 0 to 9.</param>
internal sealed class ZlibFrameCompressor(int level) : FrameCompressor
{
    private ZlibCompressor? _compressor;
    private ZlibInflater? _inflater;

    public override int Threshold => 30;

    /// <inheritdoc/>
    /// <remarks>Where only pieces below the threshold would be safe, nothing is compressed, and a piece fills the room.</remarks>
    public override int SafePiece(int room) => Compressor.LargestPiece(room) is var piece && piece >= Threshold ? piece : room;

    public override int Compress(ReadOnlySpan<byte> body, Span<byte> room) =>
        Compressor.TryCompress(body, room, out int written) ? written : 0;

    public override int Inflate(ReadOnlySpan<byte> body, Span<byte> room)
    {
        _inflater ??= new ZlibInflater();
        return _inflater.TryInflate(body, room, out int written) ? written : -1;
    }

    public override void Dispose()
    {
        _compressor?.Dispose();
        _inflater?.Dispose();
    }

    private ZlibCompressor Compressor => _compressor ??= new ZlibCompressor(level);
}

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

/// <summary>Reads bodies of one zlib stream that lives as long as the connection.</summary>
internal sealed class ZlibInflater : IDisposable
{
    private readonly ByteSource _source = new();
    private readonly ZLibStream _inflate;
    private readonly byte[] _beyond = new byte[1];
    private bool _failed;

    /// <summary>Starts the stream; its header comes with the first body.</summary>
    public ZlibInflater() => _inflate = new ZLibStream(_source, CompressionMode.Decompress, leaveOpen: false);

    /// <summary>Inflates one body; false for bad data, for more than <paramref name="room"/> and for nothing at all.</summary>
    /// <remarks>After a failure every further call fails.</remarks>
    public bool TryInflate(ReadOnlySpan<byte> body, Span<byte> room, out int written)
    {
        written = 0;
        if (_failed)
            return false;

        _source.Fill(body);
        try
        {
            int got;
            while ((got = _inflate.Read(room[written..])) > 0)
                written += got;
            // An empty span reads nothing and says nothing: ask for the byte that would be too many.
            if (written == room.Length && _inflate.Read(_beyond, 0, 1) > 0)
                _failed = true;
        }
        catch (Exception e) when (e is InvalidDataException or IOException)
        {
            _failed = true;
        }
        // Bytes left over stand behind the end of a stream that never ends.
        _failed |= written == 0 || !_source.IsEmpty;
        return !_failed;
    }

    /// <summary>Frees the native stream.</summary>
    public void Dispose()
    {
        _inflate.Dispose();
        _source.Dispose();
    }
}
