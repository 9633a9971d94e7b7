using PerfCommon.Transport.Compression;

namespace PerfCommon.Transport;

/// <summary>Compresses and inflates the frame bodies of one connection; one instance per channel, used by its owner alone.</summary>
/// <remarks>Streams are created with the first body, not before.</remarks>
internal abstract class FrameCompressor : IDisposable
{
    /// <summary>The least that <see cref="Threshold"/> may be, and is until it is set.</summary>
    public abstract int MinThreshold { get; }

    /// <summary>Bodies shorter than this many bytes are sent as they are.</summary>
    public int Threshold
    {
        get => Math.Max(field, MinThreshold);
        set;
    }

    /// <summary>Makes the compressor that a handshake agreed on; null for none.</summary>
    public static FrameCompressor? TryCreate(ChannelInfo info) => info.CompressionType switch
    {
        CompressionType.Zlib => new ZlibFrameCompressor(info.CompressionLevel),
        CompressionType.Lz4 => new Lz4FrameCompressor(),
        _ => null,
    };

    /// <summary>Compresses one body: a message, a packed body or the data of a fragment.</summary>
    /// <param name="body">The bytes as they are.</param>
    /// <param name="room">Where the compressed form goes; its length is all that fits the frame.</param>
    /// <returns>Compressed bytes; 0 to send the body as it is (then no state has changed).</returns>
    public abstract int Compress(ReadOnlySpan<byte> body, Span<byte> room);

    /// <summary>Bytes of a fragmented message that are safe to compress into a frame with this much room behind its header.</summary>
    public abstract int SafePiece(int room);

    /// <summary>Inflates one compressed body (both parts joined where it was split).</summary>
    /// <param name="body">The compressed bytes.</param>
    /// <param name="room">Where the body goes; more than fits is an error.</param>
    /// <returns>Bytes of the body, or -1 when the input is malformed or too large.</returns>
    public abstract int Inflate(ReadOnlySpan<byte> body, Span<byte> room);

    /// <summary>Gives back what the streams hold.</summary>
    public abstract void Dispose();
}
