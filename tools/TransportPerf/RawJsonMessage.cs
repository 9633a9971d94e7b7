using System.Buffers.Binary;

namespace TransportPerf;

/// <summary>The message that other editions send over a JSON sub-protocol: a binary body where a text belongs.</summary>
/// <remarks>
/// Length u32 of the whole, sequence number u64, stamp in nanoseconds u64, each in the order of the sender's processor (little-endian),
/// then filler.
/// </remarks>
internal readonly struct RawJsonMessage : ITransportMessage
{
    /// <summary>Minimum length of a message in bytes.</summary>
    public const int MinBytes = StampAt + sizeof(long);

    private const int SequenceAt = sizeof(uint);
    private const int StampAt = SequenceAt + sizeof(long);
    private const byte Filler = (byte)'0';

    public static void Write(Span<byte> room, long sequence, long stampNanos)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(room, (uint)room.Length);
        BinaryPrimitives.WriteInt64LittleEndian(room[SequenceAt..], sequence);
        BinaryPrimitives.WriteInt64LittleEndian(room[StampAt..], stampNanos);
        room[MinBytes..].Fill(Filler);
    }

    /// <summary>Reads one body at the start of a text and its length in bytes; false for anything else.</summary>
    /// <remarks>
    /// The length field may or may not include itself: the reading that ends the body at the end of the text, or before a comma, is used.
    /// </remarks>
    public static bool TryRead(ReadOnlySpan<byte> text, out long sequence, out long stampNanos, out int bytes)
    {
        (sequence, stampNanos, bytes) = (0, 0, 0);
        if (text.Length < MinBytes)
            return false;
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(text);
        if (length > int.MaxValue - SequenceAt)
            return false;
        bytes = (int)(EndsAt(text, length) ? length : length + SequenceAt);
        if (bytes < MinBytes || !EndsAt(text, (uint)bytes))
            return false;
        sequence = BinaryPrimitives.ReadInt64LittleEndian(text[SequenceAt..]);
        stampNanos = BinaryPrimitives.ReadInt64LittleEndian(text[StampAt..]);
        return true;
    }

    private static bool EndsAt(ReadOnlySpan<byte> text, uint at) => at == text.Length || (at < text.Length && text[(int)at] == (byte)',');
}
