using System.IO.Compression;

namespace PerfCommon.Transport.Compression;

/// <summary>Compresses with zlib in both directions: one stream each, created with its first body; a sync flush ends each body.</summary>
/// <param name="level">Level in the connect ack, 0 (stored) to 9; others are clamped to that range.</param>
internal sealed class ZlibFrameCompressor(int level) : FrameCompressor
{
    private const int FastestLevel = 1; // wire/transport 5.4
    private const int FixedExcessBytes = 24; // wire/transport 5.4

    private readonly MemoryStream _compressed = new();
    private readonly MemoryStream _received = new();
    private ZLibStream? _deflate;
    private ZLibStream? _inflate;
    private bool _hasFailed;

    public override int MinThreshold => 30; // wire/transport 5.1

    /// <inheritdoc/>
    /// <remarks>Where only pieces below the threshold would be safe, nothing is compressed, and a piece fills the frame.</remarks>
    public override int SafePiece(int room) // wire/transport 5.4
    {
        int piece = Math.Max(0, room - Excess(room));
        while (piece + 1 + Excess(piece + 1) <= room)
            piece++;
        return piece >= Threshold ? piece : room;
    }

    /// <inheritdoc/>
    /// <remarks>Bytes that entered the stream must be sent, so a bound decides in advance whether the body fits.</remarks>
    public override int Compress(ReadOnlySpan<byte> body, Span<byte> room)
    {
        // wire/transport 5.4
        if (body.Length + Excess(body.Length) > room.Length)
            return 0;

        // wire/transport 1.6
        _deflate ??= new ZLibStream(_compressed, new ZLibCompressionOptions { CompressionLevel = Math.Clamp(level, 0, 9) });
        _compressed.SetLength(0);
        _deflate.Write(body);
        _deflate.Flush(); // wire/transport 5.2
        int count = (int)_compressed.Length;
        if (count > room.Length)
            throw new InvalidOperationException($"zlib made {count} bytes of {body.Length}, more than its bound");
        _compressed.GetBuffer().AsSpan(0, count).CopyTo(room);
        return count;
    }

    /// <inheritdoc/>
    /// <remarks>After a failure every further call fails.</remarks>
    public override int Inflate(ReadOnlySpan<byte> body, Span<byte> room)
    {
        if (_hasFailed)
            return -1;

        _inflate ??= new ZLibStream(_received, CompressionMode.Decompress);
        _received.SetLength(0);
        _received.Write(body);
        _received.Position = 0;
        int count = 0;
        try
        {
            int got;
            while ((got = _inflate.Read(room[count..])) > 0)
                count += got;
            // An empty span reads nothing and returns nothing: request the byte that would be too many.
            _hasFailed = count == room.Length && _inflate.Read(stackalloc byte[1]) > 0;
        }
        catch (Exception e) when (e is InvalidDataException or IOException)
        {
            _hasFailed = true;
        }

        // Remaining bytes follow the end of a stream that must never end; a body that inflates to nothing is an empty message.
        // wire/transport 5.6
        _hasFailed |= _received.Position < _received.Length;
        return _hasFailed ? -1 : count;
    }

    public override void Dispose()
    {
        _deflate?.Dispose();
        _inflate?.Dispose();
        _compressed.Dispose();
        _received.Dispose();
    }

    // No level but the fastest makes data more than 12 bytes longer than the quotients (header and flush included); the fastest
    // writes literals of up to 9 bits and cannot revert.
    // wire/transport 5.4
    private int Excess(int bytes) => FixedExcessBytes + (level == FastestLevel ? bytes / 8 : bytes / 4096 + bytes / 16384);
}
