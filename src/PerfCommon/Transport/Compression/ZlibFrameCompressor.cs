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

    protected override void Dispose(bool disposing)
    {
        _compressor?.Dispose();
        _inflater?.Dispose();
    }

    private ZlibCompressor Compressor => _compressor ??= new ZlibCompressor(level);
}
