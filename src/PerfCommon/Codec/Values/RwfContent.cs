using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Integers as content of a value, without its length: the fewest bytes that keep them.</summary>
internal static class RwfContent
{
    /// <summary>Fewest bytes that keep a signed value and its sign.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(long value) => (72 - BitOperations.LeadingZeroCount((ulong)(value ^ (value >> 63)))) >> 3; // wire/rwf 1

    /// <summary>Fewest bytes that keep an unsigned value, at least one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(ulong value) => (71 - BitOperations.LeadingZeroCount(value | 1)) >> 3; // wire/rwf 1

    /// <summary>Writes the low bytes of a value, 1 to 8, into room for 8; what stands behind them is overwritten.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteLow(Span<byte> room, long value, int length) =>
        BinaryPrimitives.WriteInt64BigEndian(room, value << (64 - (8 * length)));
}
