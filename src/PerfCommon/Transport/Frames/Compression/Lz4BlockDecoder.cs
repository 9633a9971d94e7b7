using K4os.Compression.LZ4;

namespace PerfCommon.Transport.Compression;

/// <summary>Decompresses lz4 blocks of any peer: it touches no byte outside the buffer, and returns no previous content of it.</summary>
internal static class Lz4BlockDecoder // wire/transport 5.3
{
    private const int LengthMask = 15;
    private const int OffsetBytes = 2;
    private const byte MoreLength = 255;

    /// <summary>Decompresses one block.</summary>
    /// <param name="source">The block, whole.</param>
    /// <param name="target">Buffer for the data; its content is undefined after the data, and completely undefined after a failure.</param>
    /// <returns>Bytes of data; -1 for a malformed block, data longer than the buffer, or no data.</returns>
    public static int Decode(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (HasZeroOffset(source))
            return -1;
        int count = LZ4Codec.Decode(source, target);
        return count > 0 ? count : -1;
    }

    // A match at offset 0 refers to itself: the package, as liblz4, accepts it, and returns the previous content of the buffer.
    // token | more literal length | literals | offset | more match length
    private static bool HasZeroOffset(ReadOnlySpan<byte> block)
    {
        for (int at = 0; at < block.Length;)
        {
            int token = block[at++];
            long literals = token >> 4;
            if (literals == LengthMask)
                literals += ReadMoreLength(block, ref at);
            if (literals > block.Length - at - OffsetBytes)
                return false; // the last literals, or a truncated block, which the decoder refuses
            at += (int)literals;
            if ((block[at] | block[at + 1]) == 0)
                return true;
            at += OffsetBytes;
            if ((token & LengthMask) == LengthMask)
                ReadMoreLength(block, ref at);
        }

        return false;
    }

    private static long ReadMoreLength(ReadOnlySpan<byte> block, ref int at)
    {
        long sum = 0;
        byte more = MoreLength;
        while (more == MoreLength && at < block.Length)
        {
            more = block[at++];
            sum += more;
        }

        return sum;
    }
}
