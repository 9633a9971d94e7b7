using PerfCommon.Transport;

namespace Fuzz.Targets;

/// <summary>Frames after a handshake, in pieces.</summary>
internal static class FrameTarget
{
    private const int MaxMessageBytes = 300;

    [ThreadStatic]
    private static BufferPool? _pool;

    private static readonly ListenOptions Options = new() { Port = 0, ProtocolType = RsslProtocol.TransportPerf };

    public static void ReadPlain(ReadOnlySpan<byte> input, ref FuzzTurns turns) => Read(input, CompressionType.None, ref turns);

    public static void ReadZlib(ReadOnlySpan<byte> input, ref FuzzTurns turns) => Read(input, CompressionType.Zlib, ref turns);

    public static void ReadLz4(ReadOnlySpan<byte> input, ref FuzzTurns turns) => Read(input, CompressionType.Lz4, ref turns);

    /// <summary>Encodes plain, packed and fragmented frames, and a ping.</summary>
    public static IEnumerable<byte[]> CreateSamples(CompressionType compression)
    {
        ChannelInfo info = InfoOf(compression);
        using FrameCompressor? compressor = FrameCompressor.TryCreate(info);
        using FrameWriter writer = new(info, Options, new BufferPool(), compressor, recordBytes: 0);
        CollectingPipe pipe = new();
        foreach (int bytes in new[] { 1, 40, 300, 700 })
        {
            writer.TryBegin(bytes, WritePriority.Medium, out Span<byte> room);
            room.Fill((byte)bytes);
            writer.End(bytes);
        }

        writer.TryBeginPack(200, WritePriority.Medium);
        for (int i = 0; i < 4 && writer.TryBeginPacked(30, out Span<byte> room); i++)
        {
            room.Fill((byte)i);
            writer.EndPacked(30);
        }

        writer.EndPack();
        writer.Flush(pipe);
        writer.AddPing();
        writer.Flush(pipe);
        yield return pipe.Sent;
    }

    private static void Read(ReadOnlySpan<byte> input, CompressionType compression, ref FuzzTurns turns)
    {
        ChannelInfo info = InfoOf(compression);
        using FrameCompressor? compressor = FrameCompressor.TryCreate(info);
        using FrameReader reader = new(info, Options, _pool ??= new BufferPool(), compressor);
        long taken = 0;
        for (int at = 0; at < input.Length && reader.Problem is null;)
        {
            int count = Math.Min(BytesPipe.PieceAt(input, at), reader.Room().Length);
            input.Slice(at, count).CopyTo(reader.Room());
            reader.Advance(count);
            at += count;
            do
            {
                while (reader.TryReadMessage(out ReadOnlySpan<byte> message))
                {
                    taken += message.Length;
                    turns.Take();
                }

                turns.Take();
            }
            while (reader.HasPaused);
        }

        FuzzTurns.Demand(taken <= (long)MaxMessageBytes * input.Length, "more came out than the frames can hold");
    }

    private static ChannelInfo InfoOf(CompressionType compression) => new()
    {
        ConnectionVersion = 14,
        MaxMessageBytes = MaxMessageBytes,
        PingTimeoutSeconds = 60,
        SendsPings = true,
        ReceivesPings = true,
        ProtocolType = RsslProtocol.TransportPerf,
        MajorVersion = 14,
        MinorVersion = 1,
        CompressionType = compression,
        CompressionLevel = 6,
        IsServer = true,
    };
}
