namespace PerfCommon.Transport;

/// <summary>Makes the compressor that a handshake agreed on. Where zlib and lz4 plug in.</summary>
internal static class FrameCompressors
{
    /// <summary>True when <see cref="TryCreate"/> can make this type, so that it may be offered and accepted.</summary>
    public static bool IsAvailable(CompressionType type) => type == CompressionType.None;

    /// <summary>Makes a compressor; null for <see cref="CompressionType.None"/> and for types that are not available.</summary>
    /// <param name="info">What the handshake agreed on: type, level, M.</param>
    public static FrameCompressor? TryCreate(ChannelInfo info)
    {
        _ = info;
        return null;
    }
}
