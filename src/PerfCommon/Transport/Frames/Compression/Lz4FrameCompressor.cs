namespace PerfCommon.Transport.Compression;

/// <summary>Compresses with lz4 in both directions: each body is a separate block; one that would not shrink is sent plain.</summary>
internal sealed class Lz4FrameCompressor : FrameCompressor
{
    private readonly Lz4BlockEncoder _encoder = new();

    public override int MinThreshold => 300; // wire/transport 5.1

    public override int SafePiece(int room) => room;

    public override int Compress(ReadOnlySpan<byte> body, Span<byte> room)
    {
        int most = Math.Min(room.Length, body.Length - 1); // wire/transport 5.4
        return most > 0 ? Math.Max(0, _encoder.Encode(body, room[..most])) : 0;
    }

    public override int Inflate(ReadOnlySpan<byte> body, Span<byte> room) => Lz4BlockDecoder.Decode(body, room); // wire/transport 5.3

    public override void Dispose() => _encoder.Dispose();
}
