using System.Buffers.Binary;
using System.Runtime.Intrinsics;

namespace PerfHub.Cache;

/// <summary>
/// Field lists that were scanned before: the ids and lengths of their entries, with the signature that the scan returned. One owner thread.
/// </summary>
/// <remarks>
/// A scan waits at each entry for the length of the one before. Feeds send lists of a few shapes again and again, and a comparison with a known shape
/// needs no such wait: the bytes of the list, less those of the values, equal those of the shape. Every byte is compared, so a list that is crafted
/// to look alike gains nothing.
/// </remarks>
internal sealed class ListShapes
{
    private const int MinListBytes = 32; // one vector; shorter ones are scanned as fast
    private const int MaxListBytes = 256;
    private const int Slots = 64; // of 512 bytes
    private const int IndexShift = 58;
    private const int KeyBytes = 6; // flags, number of entries, id and length of the first
    private const ulong KeyMask = (1UL << (8 * KeyBytes)) - 1;
    private const ulong Mixer = 0x9E37_79B9_7F4A_7C15; // odd, of bits without a pattern
    private const int MissesPerEntry = 8; // feeds whose values change their lengths at each update pay little for failed searches
    private const int EntryHeadBytes = 3;
    private const int ListHeadBytes = 3;

    private readonly byte[] _heads = new byte[Slots * MaxListBytes]; // values zero
    private readonly byte[] _masks = new byte[Slots * MaxListBytes];
    private readonly ulong[] _signatures = new ulong[Slots];
    private readonly int[] _bytes = new int[Slots]; // 0: free
    private int _misses;

    /// <summary>Finds a list of the same entries.</summary>
    /// <param name="list">A list with nothing but standard data.</param>
    /// <param name="signature">The signature stored with it; 0 when not found.</param>
    public bool TryFind(ReadOnlySpan<byte> list, out ulong signature)
    {
        signature = 0;
        if (list.Length is < MinListBytes or > MaxListBytes)
            return false;
        int slot = SlotOf(list);
        if (_bytes[slot] != list.Length || !IsAlike(list, slot * MaxListBytes))
            return false;
        signature = _signatures[slot];
        return true;
    }

    /// <summary>
    /// Offers a list that was not found. It was scanned to its last entry, and each entry has a length of one byte. The first of eight is stored, in
    /// place of another one.
    /// </summary>
    /// <inheritdoc cref="TryFind"/>
    public void Offer(ReadOnlySpan<byte> list, ulong signature)
    {
        if (list.Length is >= MinListBytes and <= MaxListBytes && _misses++ % MissesPerEntry == 0)
            Keep(list, signature);
    }

    private static int SlotOf(ReadOnlySpan<byte> list) =>
        (int)((((BinaryPrimitives.ReadUInt64LittleEndian(list) & KeyMask) ^ ((ulong)list.Length << (8 * KeyBytes))) * Mixer) >> IndexShift);

    private void Keep(ReadOnlySpan<byte> list, ulong signature)
    {
        int slot = SlotOf(list);
        Span<byte> heads = _heads.AsSpan(slot * MaxListBytes, list.Length);
        Span<byte> masks = _masks.AsSpan(slot * MaxListBytes, list.Length);
        masks.Clear();
        masks[..ListHeadBytes].Fill(byte.MaxValue);
        int at = ListHeadBytes;
        for (int left = BinaryPrimitives.ReadUInt16BigEndian(list[1..]); left > 0; left--)
        {
            masks.Slice(at, EntryHeadBytes).Fill(byte.MaxValue);
            at += EntryHeadBytes + list[at + EntryHeadBytes - 1];
        }

        for (int i = 0; i < heads.Length; i++)
            heads[i] = (byte)(list[i] & masks[i]);
        (_signatures[slot], _bytes[slot]) = (signature, list.Length);
    }

    // Compares by vectors; the last vector may compare bytes a second time.
    private bool IsAlike(ReadOnlySpan<byte> list, int at)
    {
        ReadOnlySpan<byte> heads = _heads.AsSpan(at, list.Length);
        ReadOnlySpan<byte> masks = _masks.AsSpan(at, list.Length);
        int last = list.Length - Vector256<byte>.Count;
        Vector256<byte> other = Difference(list, heads, masks, last);
        for (int i = 0; i < last; i += Vector256<byte>.Count)
            other |= Difference(list, heads, masks, i);
        return other == Vector256<byte>.Zero;
    }

    private static Vector256<byte> Difference(ReadOnlySpan<byte> list, ReadOnlySpan<byte> heads, ReadOnlySpan<byte> masks, int at) =>
        (Vector256.Create(list[at..]) & Vector256.Create(masks[at..])) ^ Vector256.Create(heads[at..]);
}
