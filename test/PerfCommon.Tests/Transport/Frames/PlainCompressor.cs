using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>A compression that the test controls: bodies are repeated bytes, compressed to their number and value.</summary>
internal sealed class PlainCompressor : FrameCompressor
{
    private const int CompressedBytes = 3; // number of bytes uint16 | value

    /// <summary>Length of each room that a body was to be compressed into.</summary>
    public List<int> Rooms { get; } = [];

    /// <summary>Bytes that a compressed body is made of, instead of its content; null for the content.</summary>
    public byte[]? Replacement { get; set; }

    public override int MinThreshold => 10;

    public override int Compress(ReadOnlySpan<byte> body, Span<byte> room)
    {
        Rooms.Add(room.Length);
        byte[] compressed = Replacement ?? [(byte)(body.Length >> 8), (byte)body.Length, body[0]];
        compressed.CopyTo(room);
        return compressed.Length;
    }

    public override int SafePiece(int room) => room;

    public override int Inflate(ReadOnlySpan<byte> body, Span<byte> room)
    {
        if (body.Length != CompressedBytes)
            return -1;
        int bytes = (body[0] << 8) | body[1];
        if (bytes > room.Length)
            return -1;
        room[..bytes].Fill(body[2]);
        return bytes;
    }

    public override void Dispose()
    {
    }
}
