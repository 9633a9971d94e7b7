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
        nint anchor = 0; // first byte not yet written
        nint written = 0;
        nint lastStart = length - LastMatchStart;
        nint position = 1; // a cleared entry points to position 0, so that one is in the table already
        while (true)
        {
            nint distance = FindMatch(ref source, ref position, lastStart, ref table, hashShift);
            if (distance == 0)
                return WriteLastLiterals(ref source, anchor, length, ref target, written, room);

            nint start = position;
            while (start > anchor && start > distance && At(ref source, start - 1) == At(ref source, start - 1 - distance))
                start--;
            position += MinMatch;
            position += CountEqual(ref source, position - distance, position, length - LastLiterals);

            written = WriteSequence(ref source, anchor, start, length, ref target, written, room, distance, position - start - MinMatch);
            if (written < 0)
                return -1;
            anchor = position;
            if (position <= lastStart)
                Remember(ref source, position - 2, ref table, hashShift);
        }
    }

    /// <summary>Moves <paramref name="position"/> to the next match; returns its distance, or 0 when no match may start any more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint FindMatch(ref byte source, ref nint position, nint lastStart, ref ushort table, int hashShift)
    {
        nint at = position;
        for (int misses = 1 << MissesPerStep; at <= lastStart; at += misses++ >> MissesPerStep)
        {
            uint word = Read32(ref source, at);
            ref ushort entry = ref Entry(ref table, word * HashFactor >> hashShift);
            // Entries keep 16 bits: the distance comes out modulo 65,536, always inside the data, and the bytes decide.
            nint distance = (ushort)((int)at - entry);
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
    private static void Remember(ref byte source, nint position, ref ushort table, int hashShift) =>
        Entry(ref table, Read32(ref source, position) * HashFactor >> hashShift) = (ushort)position;

    /// <summary>token | more literal length | literals | offset u16 little endian | more match length</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint WriteSequence(
        ref byte source, nint from, nint to, int length, ref byte target, nint written, int room, nint distance, nint extraMatch)
    {
        int literals = (int)(to - from);
        if (written + (long)literals + (literals + (uint)extraMatch) / 255 + 5 > room)
            return -1;

        nint token = written++;
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
        WriteLittleEndian16(ref target, written, (ushort)distance);
        written += sizeof(ushort);
        At(ref target, token) = (byte)(Math.Min(literals, LengthMask) << 4 | (int)Math.Min(extraMatch, LengthMask));
        return WriteMoreLength(ref target, written, (int)extraMatch);
    }

    private static int WriteLastLiterals(ref byte source, nint from, int length, ref byte target, nint written, int room)
    {
        int literals = length - (int)from;
        int more = literals < LengthMask ? 0 : (literals - LengthMask) / 255 + 1;
        if (written + (long)literals + more + 1 > room)
            return -1;

        At(ref target, written++) = (byte)(Math.Min(literals, LengthMask) << 4);
        written = WriteMoreLength(ref target, written, literals);
        CopyExact(ref source, from, ref target, written, literals);
        return (int)written + literals;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint WriteMoreLength(ref byte target, nint written, int length)
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
