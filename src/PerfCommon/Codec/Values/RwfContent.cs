using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Writes the content of one primitive value, without its length, in the shortest form that keeps it.</summary>
/// <remarks>The room must hold at least <see cref="MostBytes"/> bytes; bytes after the content may be overwritten.</remarks>
public static partial class RwfContent
{
    /// <summary>Room every method wants; no content is longer.</summary>
    public const int MostBytes = 16;

    /// <summary>Writes a signed integer.</summary>
    /// <returns>Bytes of content, 1 to 8.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteInt(Span<byte> room, long value)
    {
        int length = LengthOf(value);
        BinaryPrimitives.WriteInt64BigEndian(room, value << (64 - (8 * length)));
        return length;
    }

    /// <summary>Writes an unsigned integer.</summary>
    /// <returns>Bytes of content, 1 to 8.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteUInt(Span<byte> room, ulong value)
    {
        int length = LengthOf(value);
        BinaryPrimitives.WriteUInt64BigEndian(room, value << (64 - (8 * length)));
        return length;
    }

    /// <summary>Writes a single.</summary>
    /// <returns>4.</returns>
    public static int WriteFloat(Span<byte> room, float value)
    {
        BinaryPrimitives.WriteSingleBigEndian(room, value);
        return sizeof(float);
    }

    /// <summary>Writes a double.</summary>
    /// <returns>8.</returns>
    public static int WriteDouble(Span<byte> room, double value)
    {
        BinaryPrimitives.WriteDoubleBigEndian(room, value);
        return sizeof(double);
    }

    /// <summary>Fewest bytes that keep a signed value and its sign.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(long value) => (72 - BitOperations.LeadingZeroCount((ulong)(value ^ (value >> 63)))) >> 3;

    /// <summary>Fewest bytes that keep an unsigned value, at least one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthOf(ulong value) => (71 - BitOperations.LeadingZeroCount(value | 1)) >> 3;

    // The low bytes of a value, 1 to 8.
    internal static void WriteLow(Span<byte> room, long value, int length) =>
        BinaryPrimitives.WriteInt64BigEndian(room, value << (64 - (8 * length)));
}
