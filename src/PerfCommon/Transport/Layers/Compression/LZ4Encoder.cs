using System.Runtime.CompilerServices;
using static PerfCommon.Transport.Compression.UncheckedBytes;

namespace PerfCommon.Transport.Compression;

/// <summary>The greedy LZ4 block encoder: one table of recent positions, newest wins, no look-back at better matches.</summary>
internal static class LZ4Encoder // wire/transport 5.3
{
    private const int MinMatch = 4;
    private const int LastLiterals = 5; // wire/transport 5.3
    private const int LastMatchStart = 12; // wire/transport 5.3
    private const int LengthMask = 15;
    private const int MissesPerStep = 6; // log2 of the misses in a row after which the step grows by one
    private const int CopySlack = 16;
    private const uint HashFactor = 2654435761;

    /// <summary>Writes one block of the <paramref name="length"/> bytes at <paramref name="source"/>.</summary>
    /// <remarks>
    /// The table is cleared and has <c>1 &lt;&lt; (32 - hashShift)</c> entries: the low 16 bits of the position that last had this hash.
    /// </remarks>
    /// <returns>Bytes written, or -1 when they do not fit into <paramref name="room"/>.</returns>
    public static int Encode(ref byte source, int length, ref byte target, int room, ref ushort table, int hashShift)
    {
        int anchor = 0; // first byte not yet written
        int written = 0;
        int lastStart = length - LastMatchStart;
        int matchLimit = length - LastLiterals;
        int position = 1; // a cleared entry points to position 0, so that one is in the table already
        while (true)
        {
            int distance = FindMatch(ref source, ref position, lastStart, ref table, hashShift);
            if (distance == 0)
                return WriteLastLiterals(ref source, anchor, length, ref target, written, room);

            int matched = MinMatch + CountEqual(ref source, position + MinMatch - distance, position + MinMatch, matchLimit);
            while (position > anchor && position > distance && At(ref source, position - 1) == At(ref source, position - 1 - distance))
            {
                position--;
                matched++;
            }

            written = WriteSequence(ref source, anchor, position, length, ref target, written, room, distance, matched - MinMatch);
            if (written < 0)
                return -1;
            position += matched;
            anchor = position;
            if (position <= lastStart)
                Remember(ref source, position - 2, ref table, hashShift);
        }
    }

    /// <summary>Moves <paramref name="position"/> to the next match; returns its distance, or 0 when no match may start any more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int FindMatch(ref byte source, ref int position, int lastStart, ref ushort table, int hashShift)
    {
        int at = position;
        for (int misses = 1 << MissesPerStep; at <= lastStart; at += misses++ >> MissesPerStep)
        {
            uint word = Read32(ref source, at);
            ref ushort entry = ref Entry(ref table, word * HashFactor >> hashShift);
            // Entries keep 16 bits: the distance comes out modulo 65,536, always inside the data, and the bytes decide.
            int distance = (ushort)(at - entry);
            entry = (ushort)at;
            if (Read32(ref source, at - distance) == word && distance != 0)
            {
                position = at;
                return distance;
            }
        }
        return 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Remember(ref byte source, int position, ref ushort table, int hashShift) =>
        Entry(ref table, Read32(ref source, position) * HashFactor >> hashShift) = (ushort)position;

    /// <summary>token | more literal length | literals | offset u16 little endian | more match length</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteSequence(
        ref byte source, int from, int to, int length, ref byte target, int written, int room, int distance, int extraMatch)
    {
        int literals = to - from;
        if (written + (long)literals + literals / 255 + extraMatch / 255 + 5 > room)
            return -1;

        int token = written++;
        if (literals < LengthMask && from + CopySlack <= length && written + CopySlack <= room)
        {
            Write128(ref target, written, Read128(ref source, from));
        }
        else
        {
            written = WriteMoreLength(ref target, written, literals);
            CopyExact(ref source, from, ref target, written, literals);
        }
        written += literals;
        At(ref target, written++) = (byte)distance;
        At(ref target, written++) = (byte)(distance >> 8);
        At(ref target, token) = (byte)((literals < LengthMask ? literals : LengthMask) << 4 | (extraMatch < LengthMask ? extraMatch : LengthMask));
        return extraMatch < LengthMask ? written : WriteMoreLength(ref target, written, extraMatch);
    }

    private static int WriteLastLiterals(ref byte source, int from, int length, ref byte target, int written, int room)
    {
        int literals = length - from;
        int more = literals < LengthMask ? 0 : (literals - LengthMask) / 255 + 1;
        if (written + (long)literals + more + 1 > room)
            return -1;

        At(ref target, written++) = (byte)((literals < LengthMask ? literals : LengthMask) << 4);
        written = WriteMoreLength(ref target, written, literals);
        CopyExact(ref source, from, ref target, written, literals);
        return written + literals;
    }

    private static int WriteMoreLength(ref byte target, int written, int length)
    {
        if (length < LengthMask)
            return written;
        int rest = length - LengthMask;
        for (; rest >= 255; rest -= 255)
            At(ref target, written++) = 255;
        At(ref target, written++) = (byte)rest;
        return written;
    }
}
