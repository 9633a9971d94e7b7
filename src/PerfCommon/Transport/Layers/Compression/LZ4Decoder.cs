using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using static PerfCommon.Transport.Compression.UncheckedBytes;

namespace PerfCommon.Transport.Compression;

/// <summary>The LZ4 block decoder: every length and offset is checked before the bytes are touched.</summary>
internal static class LZ4Decoder // wire/transport 5.3
{
    private const int MinMatch = 4;
    private const int LengthMask = 15;
    private const int OffsetBytes = 2;
    private const int CopySlack = 16;
    private const int ShortcutTail = LengthMask - 1 + MinMatch - CopySlack;
    private const int FewBytes = 8;

    // Row n: 16 indexes that repeat the first n bytes of a vector.
    private static readonly byte[] SpreadIndexes = CreateSpreadIndexes();

    // Item n: bytes of the whole repetitions of n bytes in a vector.
    private static ReadOnlySpan<byte> SpreadStrides => [0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15];

    /// <summary>Decodes the <paramref name="length"/> bytes at <paramref name="source"/>.</summary>
    /// <returns>Bytes of data, or -1 for a bad block or one that needs more than <paramref name="room"/>.</returns>
    public static int Decode(ref byte source, int length, ref byte target, int room)
    {
        nint read = 0;
        nint written = 0;
        while (read < length)
        {
            int token = At(ref source, read++);
            nint literals = token >> 4;
            if (literals < LengthMask && length - read >= CopySlack + OffsetBytes && room - written >= CopySlack)
                Write128(ref target, written, Read128(ref source, read));
            else if (!TryCopyLiterals(ref source, length, ref read, ref target, written, room, ref literals))
                return -1;
            else if (read + literals == length)
                return (int)(written + literals);
            read += literals;
            written += literals;

            nint offset = ReadLittleEndian16(ref source, read);
            read += OffsetBytes;
            nint match = token & LengthMask;
            if (match < LengthMask && offset >= CopySlack && offset <= written && room - written >= CopySlack + ShortcutTail)
            {
                // The usual match, up to 18 bytes from 16 or more before: two copies of fixed length, the second over the first.
                Write128(ref target, written, Read128(ref target, written - offset));
                Write128(ref target, written + ShortcutTail, Read128(ref target, written - offset + ShortcutTail));
                written += match + MinMatch;
                continue;
            }

            if (match == LengthMask && !TryReadMoreLength(ref source, length, ref read, room - written, ref match))
                return -1;
            match += MinMatch;
            if ((nuint)(offset - 1) >= (nuint)written || match > room - written)
                return -1;
            CopyMatch(ref target, written, offset, match, room);
            written += match;
        }

        return -1; // no token at all, or none behind a match
    }

    /// <summary>Copies literals that are many or near an end; false when they do not fit, or half an offset stands behind them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryCopyLiterals(
        ref byte source, int length, ref nint read, ref byte target, nint written, int room, ref nint literals)
    {
        if (literals == LengthMask && !TryReadMoreLength(ref source, length, ref read, room - written, ref literals))
            return false;
        nint left = length - read - literals;
        if (left is < 0 or (> 0 and < OffsetBytes) || literals > room - written)
            return false;
        CopyExact(ref source, read, ref target, written, literals);
        return true;
    }

    /// <summary>Adds the bytes behind a full token half; false when they end early or their sum passes <paramref name="most"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReadMoreLength(ref byte source, int length, ref nint read, nint most, ref nint sum)
    {
        int more;
        do
        {
            if (read >= length || sum > most)
                return false;
            more = At(ref source, read++);
            sum += more;
        }
        while (more == 255);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyMatch(ref byte target, nint written, nint offset, nint length, int room)
    {
        if (room - written - length >= CopySlack)
        {
            if (offset >= CopySlack)
                CopyWild(ref target, written - offset, ref target, written, length);
            else
                _ = Spread(ref target, written, offset, written + length, out _);
        }
        else if (length <= FewBytes)
        {
            for (nint end = written + length; written < end; written++)
                At(ref target, written) = At(ref target, written - offset);
        }
        else
        {
            CopyNearEnd(ref target, written, offset, length, room);
        }
    }

    /// <summary>
    /// Repeats the last <paramref name="offset"/> bytes (fewer than 16) by whole repetitions of them, until the end or past it.
    /// </summary>
    /// <param name="target">The data.</param>
    /// <param name="written">Where to begin.</param>
    /// <param name="offset">Bytes to repeat.</param>
    /// <param name="end">Where to end, behind <paramref name="written"/>; no repetition begins there or later.</param>
    /// <param name="stride">Bytes of each repetition.</param>
    /// <returns>Where the last repetition ended.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint Spread(ref byte target, nint written, nint offset, nint end, out nint stride)
    {
        Vector128<byte> indexes = Read128(ref MemoryMarshal.GetArrayDataReference(SpreadIndexes), offset * CopySlack);
        Vector128<byte> pattern = Vector128.Shuffle(Read128(ref target, written - offset), indexes);
        stride = SpreadStrides[(int)offset];
        do
        {
            Write128(ref target, written, pattern);
            written += stride;
        }
        while (written < end);
        return written;
    }

    /// <summary>
    /// Copies whole vectors as far as they stay in the room, then piece by piece, each no longer than what is already there.
    /// </summary>
    private static void CopyNearEnd(ref byte target, nint written, nint offset, nint length, int room)
    {
        nint end = written + length;
        nint repeated = offset;
        if (offset < CopySlack && room - written >= CopySlack)
            written = Spread(ref target, written, offset, Math.Min(end, room - CopySlack + 1), out repeated);
        for (nint from = written - repeated; written < end;)
        {
            nint piece = Math.Min(end - written, written - from);
            CopyExact(ref target, from, ref target, written, piece);
            written += piece;
        }
    }

    private static byte[] CreateSpreadIndexes()
    {
        byte[] indexes = new byte[CopySlack * CopySlack];
        for (int i = CopySlack; i < indexes.Length; i++)
            indexes[i] = (byte)(i % CopySlack % (i / CopySlack));
        return indexes;
    }
}
