using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace PerfCommon.Transport.Compression;

/// <summary>Loads and stores without a bounds check: the caller has compared every position with the room first.</summary>
/// <remarks>
/// The only file of this folder that can touch memory it should not; the LZ4 vectors and mutation tests run over its edges.
/// Positions are of the machine's word: widening an <c>int</c> at every access costs the encoder a third.
/// </remarks>
internal static class UncheckedBytes
{
    private const int FewBytes = 128; // a call costs more than the copy

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte At(ref byte start, nint position) => ref Unsafe.Add(ref start, position);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref ushort Entry(ref ushort start, uint index) => ref Unsafe.Add(ref start, (nint)index);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Read32(ref byte start, nint position) => Unsafe.ReadUnaligned<uint>(ref At(ref start, position));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Read64(ref byte start, nint position) => Unsafe.ReadUnaligned<ulong>(ref At(ref start, position));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Vector128<byte> Read128(ref byte start, nint position) => Vector128.LoadUnsafe(ref At(ref start, position));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write128(ref byte start, nint position, Vector128<byte> value) => value.StoreUnsafe(ref At(ref start, position));

    /// <summary>
    /// Copies 16 bytes at a time until at least <paramref name="length"/> are there; needs up to 16 bytes of slack on both sides.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CopyWild(ref byte source, nint from, ref byte target, nint to, nint length)
    {
        nint end = to + length;
        do
        {
            Write128(ref target, to, Read128(ref source, from));
            to += 16;
            from += 16;
        }
        while (to < end);
    }

    /// <summary>Copies exactly <paramref name="length"/> bytes of two ranges that do not overlap.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CopyExact(ref byte source, nint from, ref byte target, nint to, nint length)
    {
        if (length is < 16 or > FewBytes)
        {
            Unsafe.CopyBlockUnaligned(ref At(ref target, to), ref At(ref source, from), (uint)length);
            return;
        }

        nint last = length - 16; // the last vector over the one before
        for (nint i = 0; i < last; i += 16)
            Write128(ref target, to + i, Read128(ref source, from + i));
        Write128(ref target, to + last, Read128(ref source, from + last));
    }

    /// <summary>
    /// How many bytes at two positions are equal, looking at no byte at or behind <paramref name="limit"/> of the later one.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nint CountEqual(ref byte data, nint earlier, nint later, nint limit)
    {
        nint start = later;
        while (later + 8 <= limit)
        {
            ulong difference = Read64(ref data, earlier) ^ Read64(ref data, later);
            if (difference != 0)
                return later - start + (FirstDifferentBit(difference) >> 3);
            later += 8;
            earlier += 8;
        }
        while (later < limit && At(ref data, earlier) == At(ref data, later))
        {
            later++;
            earlier++;
        }

        return later - start;
    }

    /// <summary>Writes a number of two bytes, the low one first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteLittleEndian16(ref byte start, nint position, ushort value) => Unsafe.WriteUnaligned(
        ref At(ref start, position), BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

    /// <summary>Reads a number of two bytes, the low one first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort ReadLittleEndian16(ref byte start, nint position)
    {
        ushort value = Unsafe.ReadUnaligned<ushort>(ref At(ref start, position));
        return BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int FirstDifferentBit(ulong difference) =>
        BitConverter.IsLittleEndian ? BitOperations.TrailingZeroCount(difference) : BitOperations.LeadingZeroCount(difference);
}
