using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PerfCommon.Transport.Compression;

/// <summary>The LZ4 block format: no frame, no size, no checksum, nothing kept from block to block. Any thread, no allocation.</summary>
/// <remarks>Names and signatures are those of the K4os.Compression.LZ4 package, without its levels: this encoder is the fast one.</remarks>
internal static class LZ4Codec // wire/transport 5.3
{
    private const int LargestInput = 2_113_929_216;
    private const int TinyInput = 256;
    private const int SmallInput = 1024;
    private const int MaxTableBits = 12;

    /// <summary>
    /// The most bytes a block of <paramref name="length"/> bytes of data can take; 0 for a length that no block can have.
    /// </summary>
    public static int MaximumOutputSize(int length) => length is < 0 or > LargestInput ? 0 : length + length / 255 + 16;

    /// <summary>Compresses <paramref name="source"/> into one block.</summary>
    /// <param name="source">The data.</param>
    /// <param name="target">Where the block goes; bytes behind the block may be overwritten too.</param>
    /// <returns>Bytes of the block; 0 for no data; -1 when <paramref name="target"/> is too small.</returns>
    [SkipLocalsInit]
    public static int Encode(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (source.IsEmpty)
            return 0;

        // Clearing a table costs more than matching a small message, so it grows with the input.
        int tableBits = source.Length switch { < TinyInput => 8, < SmallInput => 10, _ => MaxTableBits };
        Span<ushort> table = stackalloc ushort[1 << MaxTableBits];
        table[..(1 << tableBits)].Clear();
        return LZ4Encoder.Encode(ref MemoryMarshal.GetReference(source), source.Length,
            ref MemoryMarshal.GetReference(target), target.Length, ref MemoryMarshal.GetReference(table), 32 - tableBits);
    }

    /// <summary>Decompresses one block.</summary>
    /// <param name="source">The block, whole.</param>
    /// <param name="target">Room for the data; undefined behind the data, and all of it after a failure.</param>
    /// <returns>Bytes of data (0 for the block of no data); -1 for a bad block, no block, or more data than room.</returns>
    public static int Decode(ReadOnlySpan<byte> source, Span<byte> target) =>
        LZ4Decoder.Decode(ref MemoryMarshal.GetReference(source), source.Length, ref MemoryMarshal.GetReference(target), target.Length);
}
