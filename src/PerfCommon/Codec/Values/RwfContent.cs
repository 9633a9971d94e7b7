using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Encodes integers as content of a value, without its length: in the fewest bytes that preserve them.</summary>
internal static class RwfContent
{
    /// <summary>Returns the fewest bytes that preserve a signed value and its sign.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(long value) => (72 - BitOperations.LeadingZeroCount((ulong)(value ^ (value >> 63)))) >> 3; // wire/rwf 1

    /// <summary>Returns the fewest bytes that preserve an unsigned value, at least one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(ulong value) => (71 - BitOperations.LeadingZeroCount(value | 1)) >> 3; // wire/rwf 1

    /// <summary>Writes the low bytes of a value, 1 to 8, into a buffer of 8; bytes after them are overwritten.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteLow(Span<byte> room, long value, int length) =>
        BinaryPrimitives.WriteInt64BigEndian(room, value << (64 - (8 * length)));
}
