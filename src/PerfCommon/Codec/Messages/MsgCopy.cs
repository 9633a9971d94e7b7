using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace PerfCommon.Codec;

/// <summary>Copies encoded messages within a loop whose values stay in registers.</summary>
/// <remarks>
/// No call is made: it would cost the surrounding loop its registers, which is more than the copy itself for usual message lengths, some 50
/// to 300 bytes. Copied are blocks of 32 bytes; the last one may overlap the one before it.
/// </remarks>
internal static class MsgCopy
{
    private const int BlockBytes = 32;

    /// <summary>Copies a message.</summary>
    /// <param name="message">1 byte or more.</param>
    /// <param name="room">At least as long.</param>
    /// <exception cref="ArgumentOutOfRangeException">The buffer is shorter.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ReadOnlySpan<byte> message, Span<byte> room)
    {
        int last = message.Length - BlockBytes;
        if (last < 0)
        {
            CopyShort(message, room);
            return;
        }

        for (int at = 0; at < last; at += BlockBytes)
            Vector256.Create(message.Slice(at, BlockBytes)).CopyTo(room.Slice(at, BlockBytes));
        Vector256.Create(message.Slice(last, BlockBytes)).CopyTo(room.Slice(last, BlockBytes));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyShort(ReadOnlySpan<byte> message, Span<byte> room)
    {
        Span<byte> copy = room[..message.Length];
        for (int at = 0; at < copy.Length; at++)
            copy[at] = message[at];
    }
}
