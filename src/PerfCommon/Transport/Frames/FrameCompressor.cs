using PerfCommon.Transport.Compression;

namespace PerfCommon.Transport;

/// <summary>Compresses and inflates the frame bodies of one connection; one instance per channel, used by its owner alone.</summary>
/// <remarks>Streams are created with the first body, not before.</remarks>
internal abstract class FrameCompressor : IDisposable
{
    /// <summary>The minimum of <see cref="Threshold"/>, and its initial value.</summary>
    public abstract int MinThreshold { get; }

    /// <summary>Bodies shorter than this many bytes are sent uncompressed.</summary>
    public int Threshold
    {
        get => Math.Max(field, MinThreshold);
        set;
    }

    /// <summary>Creates the compressor that was negotiated; null for none.</summary>
    public static FrameCompressor? TryCreate(ChannelInfo info) => info.CompressionType switch
    {
        CompressionType.Zlib => new ZlibFrameCompressor(info.CompressionLevel),
        CompressionType.Lz4 => new Lz4FrameCompressor(),
        _ => null,
    };

    /// <summary>Compresses one body: a message, a packed body or the data of a fragment.</summary>
    /// <param name="body">The uncompressed bytes.</param>
    /// <param name="room">Buffer for the compressed form, whose length is the maximum that fits the frame.</param>
    /// <returns>Compressed bytes; 0 to send the body uncompressed (then no state has changed).</returns>
    public abstract int Compress(ReadOnlySpan<byte> body, Span<byte> room);

    /// <summary>Returns the bytes of a fragmented message that surely fit, compressed, into a frame with this much space after its header.</summary>
    public abstract int SafePiece(int room);

    /// <summary>Inflates one compressed body (both parts joined where it was split).</summary>
    /// <param name="body">The compressed bytes.</param>
    /// <param name="room">Buffer for the body; a longer body is an error.</param>
    /// <returns>Bytes of the body, or -1 when the input is malformed or too large.</returns>
    public abstract int Inflate(ReadOnlySpan<byte> body, Span<byte> room);

    /// <summary>Releases the memory of the streams.</summary>
    public abstract void Dispose();
}
