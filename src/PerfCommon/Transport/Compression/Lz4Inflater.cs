namespace PerfCommon.Transport.Compression;

/// <summary>Reads bodies that are LZ4 blocks.</summary>
public sealed class Lz4Inflater : IBodyInflater
{
    /// <inheritdoc/>
    public bool TryInflate(ReadOnlySpan<byte> body, Span<byte> room, out int written)
    {
        written = LZ4Codec.Decode(body, room);
        return written > 0;
    }

    /// <summary>Nothing to give back.</summary>
    public void Dispose()
    {
    }
}
