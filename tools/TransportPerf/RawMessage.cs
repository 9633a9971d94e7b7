using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>The tool's own message: sequence number and time stamp, little-endian as all editions write them, then zeros.</summary>
internal static class RawMessage
{
    private const int StampAt = 8;
    private const int PaddingAt = 16;

    /// <summary>Fills the room: 8 bytes sequence number, 8 bytes stamp in nanoseconds or 0, zeros.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(Span<byte> room, long sequence, long stampNanos)
    {
        BinaryPrimitives.WriteInt64LittleEndian(room, sequence);
        BinaryPrimitives.WriteInt64LittleEndian(room[StampAt..], stampNanos);
        room[PaddingAt..].Clear();
    }

    /// <summary>Reads both numbers; false for a message that is too short to have them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead(ReadOnlySpan<byte> message, out long sequence, out long stampNanos)
    {
        if (message.Length < PaddingAt)
        {
            (sequence, stampNanos) = (0, 0);
            return false;
        }
        sequence = BinaryPrimitives.ReadInt64LittleEndian(message);
        stampNanos = BinaryPrimitives.ReadInt64LittleEndian(message[StampAt..]);
        return true;
    }
}

/// <summary>Makes such messages, numbered from 0.</summary>
/// <param name="bytes">Bytes of each.</param>
internal struct RawMessageEncoder(int bytes) : IMessageEncoder
{
    private long _next;

    /// <inheritdoc/>
    public readonly bool HasTargets => true;

    /// <inheritdoc/>
    public readonly int MaxBytes => bytes;

    /// <inheritdoc/>
    public int Encode(Span<byte> room, long stamp)
    {
        RawMessage.Write(room[..bytes], _next++, stamp);
        return bytes;
    }
}
