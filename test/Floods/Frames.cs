using System.IO.Pipelines;

namespace Floods;

/// <summary>Encodes bytes of the wire.</summary>
internal static class Frames
{
    /// <summary>Bytes of a TLS record around one byte of data, as AES-GCM encodes it.</summary>
    public const int SmallRecordBytes = 23;

    private const int ChunkBytes = 64 * 1024;
    private const int HeaderBytes = 3;

    public static byte[] Ping => [0, 3, 2];

    /// <summary>First bytes of a datagram of a round-trip test: magic, version, data.</summary>
    public static byte[] RoundTripMagic => [0x52, 0x54, 1, 8];

    /// <summary>Encodes a message as a frame.</summary>
    public static byte[] Of(byte[] message) =>
        [(byte)((message.Length + HeaderBytes) >> 8), (byte)(message.Length + HeaderBytes), 2, .. message];

    /// <summary>Repeats a frame, so that the cost of a write is negligible per frame.</summary>
    public static byte[] Repeat(byte[] frame) => [.. Enumerable.Repeat(frame, ChunkBytes / frame.Length).SelectMany(bytes => bytes)];
}

/// <summary>A stream as a pair of pipes.</summary>
internal sealed class StreamDuplex(Stream stream) : IDuplexPipe
{
    public PipeReader Input { get; } = PipeReader.Create(stream, new StreamPipeReaderOptions(leaveOpen: true));

    public PipeWriter Output { get; } = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
}
