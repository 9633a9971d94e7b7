namespace PerfCommon.Transport.Compression;

/// <summary>Writes each body as an LZ4 block, when that is shorter.</summary>
public sealed class Lz4Compressor : IBodyCompressor
{
    /// <inheritdoc/>
    /// <remarks>A block that does not shrink is sent plain, so a piece may be as long as the room.</remarks>
    public int LargestPiece(int roomBytes) => roomBytes;

    /// <inheritdoc/>
    public bool TryCompress(ReadOnlySpan<byte> body, Span<byte> room, out int written)
    {
        int most = Math.Min(room.Length, body.Length - 1);
        written = most > 0 ? LZ4Codec.Encode(body, room[..most]) : 0;
        return written > 0;
    }

    /// <summary>Nothing to give back.</summary>
    public void Dispose()
    {
    }
}
