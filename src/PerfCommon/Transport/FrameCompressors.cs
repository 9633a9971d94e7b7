using PerfCommon.Transport.Compression;

namespace PerfCommon.Transport;

/// <summary>Makes the compressor that a handshake agreed on.</summary>
internal static class FrameCompressors
{
    /// <summary>True when <see cref="TryCreate"/> can make this type, so that it may be offered and accepted.</summary>
    public static bool IsAvailable(CompressionType type) => type is CompressionType.None or CompressionType.Zlib or CompressionType.Lz4;

    /// <summary>Makes a compressor; null for <see cref="CompressionType.None"/> and for types that nobody knows.</summary>
    /// <param name="info">What the handshake agreed on: type, level, M.</param>
    public static FrameCompressor? TryCreate(ChannelInfo info) => info.CompressionType switch
    {
        CompressionType.Zlib => new ZlibFrameCompressor(info.CompressionLevel),
        CompressionType.Lz4 => new Lz4FrameCompressor(),
        _ => null,
    };
}
