using System.Buffers.Binary;

namespace LatencyPerf.Protocol;

/// <summary>The packet whose round trip is measured: its size includes all of it.</summary>
internal static class DataPacket
{
    /// <summary>Bytes of the smallest: a number and a time.</summary>
    public const int MinBytes = 16;

    /// <summary>Bytes of the largest, so that a datagram of it passes IP.</summary>
    public const int MaxBytes = 65_000;

    // packet: sequence u64 | sentNanos i64 | filler
    private const int SentAt = 8;
    private const int FillerStep = 31;

    /// <summary>Fills the constant part of a packet: byte i is <c>i * 31 + size</c>.</summary>
    public static void Fill(Span<byte> packet)
    {
        for (int i = MinBytes; i < packet.Length; i++)
            packet[i] = (byte)((i * FillerStep) + packet.Length);
    }

    /// <summary>Writes the number and the time of a round into a packet.</summary>
    public static void Stamp(Span<byte> packet, ulong sequence, long sentNanos)
    {
        BinaryPrimitives.WriteUInt64BigEndian(packet, sequence);
        BinaryPrimitives.WriteInt64BigEndian(packet[SentAt..], sentNanos);
    }

    /// <summary>True for a packet after the header that it was sent with: a header with a damaged number must not advance a receiver.</summary>
    public static bool Belongs(in DatagramHeader header, ReadOnlySpan<byte> datagram) => header.Length >= MinBytes
        && BinaryPrimitives.ReadUInt64BigEndian(datagram[DatagramHeader.Bytes..]) == header.Sequence;

    public static long ReadSentNanos(ReadOnlySpan<byte> packet) => BinaryPrimitives.ReadInt64BigEndian(packet[SentAt..]);
}
